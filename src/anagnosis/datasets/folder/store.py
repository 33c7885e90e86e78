"""Open and read a dataset folder: instances as Parquet, the recipe, the receipt, the entities and a card.

    FOLDER/data/{train,dev,test}-00000-of-NNNNN.parquet
    FOLDER/entities.parquet  recipe.toml  receipt.json  README.md

It opens as it is in Hugging Face `datasets`, polars, pandas and duckdb. We compare each file with its SHA-256 in the
receipt before we read it, and trust what it holds; `check` alone looks at every instance.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from shlex import quote
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from anagnosis import registry
from anagnosis.datasets.folder import receipt as receipts
from anagnosis.datasets.folder.card import split_rows
from anagnosis.datasets.folder.receipt import Output, Receipt
from anagnosis.datasets.kinds.kind import Kind
from anagnosis.datasets.kinds.table import demand_record, kind_of, view_of
from anagnosis.datasets.splits import HUB_SPLITS
from anagnosis.errors import InputError, unknown_name
from anagnosis.io.checksums import verified
from anagnosis.io.decoding import read_toml
from anagnosis.io.folders import RECIPE
from anagnosis.io.paths import PathLike
from anagnosis.io.tables import demand_package
from anagnosis.showing import masked_line
from anagnosis.wording import counted

Instance = TypeVar("Instance")

AGAIN = "build or import the dataset again"
ALL = "all"  # in place of a split: every one of them
_GROUP = 5_000  # rows of a view in memory as plain values


@dataclass(frozen=True, slots=True, repr=False)
class Dataset:
    """An open dataset folder. sizes: instances of each split that has any, in the order train, dev, test.

    `dataset["test"]` is a Split; iteration gives the names of the splits.
    """

    folder: Path
    name: str
    text_form: str
    numbering: str
    recipe: dict[str, Any]
    receipt: Receipt
    sizes: dict[str, int]

    def __getitem__(self, split: str) -> Split:
        """The split of a name. InputError: there is no such split."""
        self.outputs(split)
        return Split(self, split)

    def __iter__(self) -> Iterator[str]:
        return iter(self.sizes)

    @property
    def kind(self) -> Kind:
        """What its instances are."""
        return kind_of(self.recipe)

    def viewer(self, view: str) -> Callable[[Any], Any]:
        """What gives, of an instance, what a reader sees in a view. InputError: the dataset's kind has no such view."""
        shown, text_form, numbering = view_of(self.kind, view), self.text_form, self.numbering
        return lambda instance: shown(instance, text_form, numbering)

    def statistics(self, beside: str | None = None) -> Any:
        """What its kind counts of it. beside: the published set to compare with, None for the usual one.

        InputError: a set that the kind does not have.
        """
        count = registry.referenced(self.kind.statistics)
        if beside is None:
            return count(self)
        if not self.kind.entities:
            what = f"holds {self.kind.holds}, which are shown without --beside"
            raise InputError(what, str(self.folder), "leave it away")
        return count(self, beside)

    def demand_view(self, view: str | None, where: str = "") -> None:
        """Refuse (InputError) a view that the kind does not have itself: it has no rows. None is none."""
        if view is not None and view not in self.kind.views:
            raise unknown_name("view", view, self.kind.views, where)

    def size(self, split: str) -> int:
        """Instances of a split, or of all."""
        return sum(self.sizes.values()) if split == ALL else self.sizes.get(split, 0)

    def outputs(self, split: str) -> list[Output]:
        """What the receipt records of the Parquet files of a split, in order; of ALL those of every split."""
        if split == ALL and self.sizes:
            return [own for name in self.sizes for own in self.receipt.parts(name)]
        if split not in self.sizes:
            known = ", ".join(self.sizes) or "none"
            raise InputError(f"no split {split!r}", str(self.folder), f"its splits: {known}")
        return self.receipt.parts(split)

    def parts(self, split: str) -> list[Path]:
        """The Parquet files of a split, or of ALL, in order. DamagedError: one has changed since it was written."""
        return list(map(self._verified, self.outputs(split)))

    def file(self, name: str) -> Path | None:
        """A file beside the parts; None: the dataset has none of this name. DamagedError: it has changed."""
        return next((self._verified(own) for own in self.receipt.outputs if own.name == name), None)

    def _verified(self, output: Output) -> Path:
        return verified(self.folder / output.name, output.sha256, AGAIN)

    def __repr__(self) -> str:
        """One line: recipe and receipt would be two thousand characters."""
        rows = ", ".join(f"{split} {rows:,}" for split, rows in self.sizes.items()) or "empty"
        return f"<Dataset {masked_line(self.name)} in {masked_line(str(self.folder))}: {self.kind.holds} ({rows})>"


@dataclass(frozen=True, slots=True, repr=False)
class Split:
    """A split of a dataset: `len` counts its instances, and iteration gives them in order.

    The other methods show what a reader sees in a view (None: the kind's usual one), as rows of plain values or as a
    table of these rows. Columns: docs/formats.md. InputError: the kind has no such view, or the package is missing.
    """

    dataset: Dataset
    name: str

    def __len__(self) -> int:
        return self.dataset.size(self.name)

    def __iter__(self) -> Iterator[Any]:
        return instances(self.dataset, self.name)

    def __getitem__(self, place: int | slice) -> Any:
        """The instance at a place, or a list of those of a slice. IndexError: there is no such place."""
        from pyarrow.dataset import dataset

        try:
            found = range(len(self))[place]
        except IndexError:
            what = f"no instance {place} in {self.name}, which has {counted(len(self), 'instance')}"
            raise IndexError(f"{what}; the first is 0") from None
        if isinstance(found, int):
            return self[found : found + 1][0]
        rows = dataset([*map(str, self.dataset.parts(self.name))]).take([*found])
        return [*self.dataset.kind.instances(rows)]

    def __repr__(self) -> str:
        return f"<Split {self.name} of {self.dataset!r}>"

    def view(self, view: str | None = None) -> Iterator[dict[str, Any]]:
        """The rows, streamed."""
        kind = self.dataset.kind
        shown = view or kind.usual_view
        self.dataset.demand_view(shown)
        viewed = self.dataset.viewer(shown)
        return (kind.rows.row(instance, viewed(instance)) for instance in self)

    def to_arrow(self, view: str | None = None) -> pa.Table:
        """The rows as an Arrow table."""
        schema = self.dataset.kind.rows.schema
        return pa.Table.from_batches(row_batches(self.view(view), schema), schema)

    def to_pandas(self, view: str | None = None) -> Any:
        """The rows as a pandas frame."""
        demand_package("pandas")
        return self.to_arrow(view).to_pandas()

    def to_hf(self, view: str | None = None) -> Any:
        """The rows as a `datasets.Dataset` of Hugging Face, which calls the split dev `validation`."""
        hub = demand_package("datasets")
        return hub.Dataset(self.to_arrow(view), split=hub.NamedSplit(HUB_SPLITS.get(self.name, self.name)))


def row_batches(rows: Iterable[dict[str, Any]], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Rows of plain values as record batches of at most _GROUP rows."""
    coming = iter(rows)
    while group := list(islice(coming, _GROUP)):
        yield pa.RecordBatch.from_pylist(group, schema)


def load(folder: PathLike, *, verified: bool = True) -> Dataset:
    """Open a dataset folder; only its recipe and receipt are read. DamagedError: the recipe has changed.

    verified: False where it may have, as for `check`, which reports that.
    """
    path = Path(folder)
    if path.is_file():
        remedy = "`anagnosis build` makes a dataset of papers, `anagnosis index` lets papers and libraries be searched"
        raise InputError("is a file, and a dataset is a folder", str(folder), remedy)
    if not path.is_dir():
        remedy = "build one with `anagnosis build`, or check the path"
        raise InputError("no such dataset folder", str(folder), remedy)
    receipt = receipts.load(path)
    recipe = read_toml(path / RECIPE, AGAIN, "no readable recipe")
    kind_of(recipe)  # an unknown kind is refused
    dataset = Dataset(
        path,
        recipe.get("dataset", ""),
        recipe.get("text_form", "original"),
        recipe.get("numbering", "global"),
        recipe,
        receipt,
        split_rows(receipt),
    )
    if verified:
        dataset.file(RECIPE)
    return dataset


def instances(
    dataset: Dataset, split: str, limit: int | None = None, *, of: type[Instance] | None = None
) -> Iterator[Instance]:
    """The instances of a split in their order, a batch in memory at a time.

    of: their class, where one kind of dataset alone will do. InputError: the dataset holds another kind.
    """
    if of is not None:
        demand_record(dataset.kind, of, str(dataset.folder))
    read = batches(dataset, split, 512)
    return islice(chain.from_iterable(map(dataset.kind.instances, read)), limit)


def find(dataset: Dataset, instance_id: str) -> tuple[str, Any]:
    """(split, instance) of an id."""
    for split in dataset.sizes:
        for part in dataset.parts(split):
            for instance in dataset.kind.instances(pq.read_table(part, filters=[("id", "=", instance_id)])):
                return split, instance
    remedy = f"list ids with `anagnosis export {quote(str(dataset.folder))} --layout jsonl --out FOLDER`"
    raise InputError(f"no instance {instance_id!r}", str(dataset.folder), remedy)


def fingerprint(dataset: Dataset, split: str) -> str:
    """The fingerprint of a split (`fingerprint_of`)."""
    return fingerprint_of(ids_and_keys(dataset, split))


def fingerprint_of(instances: Iterable[tuple[str, Iterable[str]]]) -> str:
    """Which questions with which candidates a split has, and nothing else: 64 hexadecimal digits.

    It is the SHA-256 of the sorted SHA-256 digests of the split's instances, each its id and its candidate keys in
    sorted order. Each text is the number of its UTF-8 bytes in decimal, a colon, those bytes and a comma
    ("4:12:0,9:gene/9606,"): no two instances have the same bytes. So it depends neither on the order of instances or
    candidates, nor on file formats, versions, texts or gold answers; a blind test has one.
    """
    digests = bytearray()
    for ident, keys in instances:
        texts = (text.encode() for text in (ident, *sorted(keys)))
        digests += hashlib.sha256(b"".join([b"%d:%b," % (len(data), data) for data in texts])).digest()
    return hashlib.sha256(np.sort(np.frombuffer(digests, "S32")).tobytes()).hexdigest()


def short(fingerprint: str) -> str:
    """The first digits of a fingerprint, as messages and signatures show them."""
    return fingerprint[:12]


def ids_and_keys(dataset: Dataset, split: str) -> Iterator[tuple[str, list[str]]]:
    """(id, what can be answered) of every instance of a split."""
    for batch in batches(dataset, split, 8192, [*dataset.kind.gold.columns]):
        gold = dataset.kind.gold.convert(batch)
        keys = iter(gold["key"].to_pylist())
        for ident, size in zip(gold["id"].to_pylist(), gold["candidates"].to_pylist(), strict=True):
            yield ident, list(islice(keys, size))


def questions(dataset: Dataset, split: str) -> Iterator[tuple[str, str]]:
    """(id, question) of every instance of a split."""
    for batch in batches(dataset, split, 8192, ["id", "question"]):
        yield from zip(batch.column("id").to_pylist(), batch.column("question").to_pylist(), strict=True)


def batches(
    dataset: Dataset, split: str, rows: int, columns: list[str] | None = None
) -> Iterator[pa.RecordBatch]:
    """The record batches of a split, of all columns or these."""

    def of_part(part: Path) -> Iterator[pa.RecordBatch]:
        # Buffered ahead, the whole part would lie in memory, and it is read no faster.
        with pq.ParquetFile(part, pre_buffer=False) as file:
            yield from file.iter_batches(rows, columns=columns)

    return chain.from_iterable(map(of_part, dataset.parts(split)))
