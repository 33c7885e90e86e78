"""The dataset folder: instances as Parquet, the recipe, the receipt, the entities and a card.

    FOLDER/data/{train,dev,test}-00000-of-NNNNN.parquet
    FOLDER/entities.parquet  recipe.toml  receipt.json  README.md

It opens as it is in Hugging Face `datasets`, polars, pandas and duckdb. The receipt is written last: a folder
without one is unfinished.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from anagnosis import __version__
from anagnosis.datasets import columns as cloze
from anagnosis.datasets import entities
from anagnosis.datasets import receipt as receipts
from anagnosis.datasets.card import card
from anagnosis.datasets.fingerprint import fingerprint as fingerprint_of
from anagnosis.datasets.instance import CLOZE_SCHEMA, SPLITS, ClozeInstance
from anagnosis.datasets.receipt import DocumentCounts, Input, InstanceCounts, Output, Receipt, Refusal
from anagnosis.errors import InputError
from anagnosis.files import atomic_write, sha256, write_text
from anagnosis.recipes import load as recipes

DATA = "data"
RECIPE = "recipe.toml"
CARD = "README.md"
PART_ROWS = 50_000
GROUP_ROWS = 5_000
PARQUET: dict[str, Any] = {"compression": "zstd", "compression_level": 1, "write_page_index": True}
_PART = re.compile(r"(?P<split>[a-z]+)-\d{5}-of-\d{5}\.parquet")


@dataclass(frozen=True, slots=True)
class Dataset:
    """An open dataset folder. rows: instances of each split that has any, in the order train, dev, test."""

    folder: Path
    name: str
    text_form: str
    numbering: str
    recipe: dict[str, Any]
    receipt: Receipt
    rows: dict[str, int]

    def parts(self, split: str) -> list[Path]:
        """The Parquet files of a split, in order."""
        if split not in self.rows:
            known = ", ".join(self.rows) or "none"
            raise InputError(f"no split {split!r}", str(self.folder), f"its splits: {known}")
        return sorted((self.folder / DATA).glob(f"{split}-*.parquet"))


def load(folder: str | Path) -> Dataset:
    """Open a dataset folder; nothing but its recipe, receipt and Parquet footers is read."""
    path = Path(folder)
    if not path.is_dir():
        raise InputError(
            "no such dataset folder", str(folder), "build one with `anagnosis build`, or check the path"
        )
    receipt = receipts.load(path)
    try:
        recipe = tomllib.loads((path / RECIPE).read_text())
    except (OSError, tomllib.TOMLDecodeError) as fault:
        raise InputError(
            f"no readable recipe ({fault})", str(path / RECIPE), "build or import the dataset again"
        ) from fault
    rows: dict[str, int] = {}
    for split in SPLITS:
        files = sorted((path / DATA).glob(f"{split}-*.parquet"))
        if files:
            rows[split] = sum(_footer(file).num_rows for file in files)
    return Dataset(
        path,
        recipe.get("dataset", ""),
        recipe.get("text_form", "original"),
        recipe.get("numbering", "global"),
        recipe,
        receipt,
        rows,
    )


def instances(dataset: Dataset, split: str, limit: int | None = None) -> Iterator[ClozeInstance]:
    """The instances of a split in their order, a batch in memory at a time."""
    found = chain.from_iterable(
        cloze.instances(batch)
        for part in dataset.parts(split)
        for batch in pq.ParquetFile(part).iter_batches(512)
    )
    return islice(found, limit)


def find(dataset: Dataset, instance_id: str) -> tuple[str, ClozeInstance]:
    """(split, instance) of an id."""
    for split in dataset.rows:
        for part in dataset.parts(split):
            found = pq.read_table(part, filters=[("id", "=", instance_id)])
            if found.num_rows:
                return split, next(cloze.instances(found))
    raise InputError(
        f"no instance {instance_id!r}", str(dataset.folder), "list ids with `anagnosis export --layout jsonl`"
    )


def table(dataset: Dataset, split: str, names: Sequence[str]) -> pa.Table:
    """Some columns of a split ("candidates.list.element.key" picks inside a column), whole in memory."""
    return pa.concat_tables([pq.read_table(part, columns=list(names)) for part in dataset.parts(split)])


def fingerprint(dataset: Dataset, split: str) -> str:
    """The split's fingerprint: SHA-256 over its sorted ids and candidate keys."""
    return fingerprint_of(ids_and_keys(dataset, split))


def ids_and_keys(dataset: Dataset, split: str) -> Iterator[tuple[str, list[str]]]:
    """(id, candidate keys) of every instance of a split."""
    wanted = ["id", "candidates.list.element.key"]
    for part in dataset.parts(split):
        for batch in pq.ParquetFile(part).iter_batches(8192, columns=wanted):
            ids = batch.column("id").to_pylist()
            for ident, row in zip(ids, batch.column("candidates").to_pylist(), strict=True):
                yield ident, [candidate["key"] for candidate in row]


def write(
    folder: str | Path,
    splits: Mapping[str, Iterable[ClozeInstance]],
    recipe: Mapping[str, Any],
    *,
    inputs: Sequence[Input] = (),
    documents: DocumentCounts | None = None,
    dropped: Mapping[str, int] | None = None,
    repairs: Mapping[str, int] | None = None,
    refusals: Callable[[], Sequence[Refusal]] = tuple,
    choices: Mapping[str, Any] | None = None,
) -> Dataset:
    """Write instances as a dataset folder (for `import` and `sample`; `build` writes its parts in parallel).

    dropped, repairs, refusals: looked at when all instances have been written, so a reader may still fill them.
    """
    path = prepared(folder)
    rows: dict[str, int] = {}
    counts = entities.EntityCounts()
    for split, found in splits.items():
        rows[split] = _write_split(path, split, counts.watch(found))
    entities.write(path, list(counts.rows.values()))
    return finish(
        path,
        recipe,
        inputs=inputs,
        documents=documents or DocumentCounts(),
        instances=InstanceCounts(sum(rows.values()), dict(dropped or {})),
        repairs=repairs or {},
        refusals=refusals(),
        choices=choices or {},
    )


def prepared(folder: str | Path) -> Path:
    """The folder, empty of a dataset's files; a folder with anything else in it is refused."""
    path = Path(folder)
    if path.exists() and not path.is_dir():
        raise InputError("is a file, not a folder", str(folder), "choose another --out")
    if path.is_dir():
        known = {DATA, entities.FILE, RECIPE, CARD, receipts.FILE, ".work"}
        foreign = sorted(entry.name for entry in path.iterdir() if entry.name not in known)
        if foreign:
            raise InputError(
                f"holds other files ({', '.join(foreign[:3])})",
                str(folder),
                "choose an empty or new folder for --out",
            )
        (path / receipts.FILE).unlink(missing_ok=True)
        for file in sorted((path / DATA).glob("*")):
            file.unlink()
    try:
        (path / DATA).mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise InputError(
            (fault.strerror or str(fault)).lower(), str(folder), "choose another --out"
        ) from fault
    return path


def finish(
    folder: Path,
    recipe: Mapping[str, Any],
    *,
    inputs: Sequence[Input],
    documents: DocumentCounts,
    instances: InstanceCounts,
    repairs: Mapping[str, int],
    refusals: Sequence[Refusal],
    choices: Mapping[str, Any],
) -> Dataset:
    """Write recipe, card and, last, the receipt beside parts that are already there."""
    write_text(folder / RECIPE, recipes.dumps(recipe))
    outputs: list[Output] = []
    for file in sorted([*(folder / DATA).glob("*.parquet"), *folder.glob(entities.FILE)]):
        outputs.append(Output(file.relative_to(folder).as_posix(), _footer(file).num_rows, sha256(file)))
    receipt = Receipt(
        __version__,
        recipes.digest(recipe),
        list(inputs),
        documents,
        instances,
        dict(sorted(repairs.items())),
        list(refusals),
        dict(choices),
        outputs,
    )
    write_text(folder / CARD, card(recipe, receipt))
    outputs.append(Output(CARD, None, sha256(folder / CARD)))
    outputs.append(Output(RECIPE, None, sha256(folder / RECIPE)))
    receipts.save(receipt, folder)
    return load(folder)


def write_part(path: Path, found: Iterable[pa.Table]) -> int:
    """One Parquet file from tables of CLOZE_SCHEMA, atomically; gives its rows."""
    rows = 0
    with atomic_write(path) as stream, pq.ParquetWriter(stream, CLOZE_SCHEMA, **PARQUET) as writer:
        for group in regrouped(found, GROUP_ROWS):
            writer.write_table(group, row_group_size=GROUP_ROWS)
            rows += group.num_rows
    return rows


def regrouped(found: Iterable[pa.Table], rows: int) -> Iterator[pa.Table]:
    """The same rows in tables of exactly `rows` rows, but for the last."""
    waiting: list[pa.Table] = []
    count = 0
    for given in found:
        waiting.append(given)
        count += given.num_rows
        while count >= rows:
            whole = pa.concat_tables(waiting)
            yield whole.slice(0, rows)
            rest = whole.slice(rows)
            waiting, count = [rest], rest.num_rows
    if count:
        yield pa.concat_tables(waiting)


def part_name(split: str, index: int, parts: int) -> str:
    """`train-00000-of-00012.parquet`."""
    return f"{split}-{index:05d}-of-{parts:05d}.parquet"


def _write_split(folder: Path, split: str, found: Iterable[ClozeInstance]) -> int:
    """Parts are written under a name without their number of parts, which is known only at the end."""
    rows = 0
    unnamed: list[Path] = []
    groups = regrouped(cloze.tables(found, GROUP_ROWS), GROUP_ROWS)
    while (first := next(groups, None)) is not None:
        path = folder / DATA / f".{split}-{len(unnamed):05d}"
        rows += write_part(path, chain([first], islice(groups, PART_ROWS // GROUP_ROWS - 1)))
        unnamed.append(path)
    for index, path in enumerate(unnamed):
        path.rename(folder / DATA / part_name(split, index, len(unnamed)))
    return rows


def _footer(path: Path) -> pq.FileMetaData:
    try:
        return pq.read_metadata(path)
    except (OSError, pa.ArrowException) as fault:
        raise InputError(
            "not a readable Parquet file", str(path), "build or import the dataset again"
        ) from fault
