"""The dataset folder: instances as Parquet, the recipe, the receipt, the entities and a card.

    FOLDER/data/{train,dev,test}-00000-of-NNNNN.parquet
    FOLDER/entities.parquet  recipe.toml  receipt.json  README.md

It opens as it is in Hugging Face `datasets`, polars, pandas and duckdb. The receipt is written last: a folder
without one is unfinished.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from itertools import chain, islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from anagnosis.datasets.folder import entities
from anagnosis.datasets.folder import receipt as receipts
from anagnosis.datasets.folder.card import MADE_BY, card
from anagnosis.datasets.folder.fingerprint import fingerprint as fingerprint_of
from anagnosis.datasets.folder.receipt import DocumentCounts, Input, InstanceCounts, Output, Receipt, Refusal
from anagnosis.datasets.kinds.cloze import SPLITS, ClozeInstance
from anagnosis.datasets.kinds.decision import LABELS, DecisionInstance
from anagnosis.datasets.kinds.evidence import EvidenceInstance
from anagnosis.datasets.kinds.question import TYPES, QuestionInstance
from anagnosis.datasets.kinds.table import CLOZE, DECISION, EVIDENCE, QUESTION, Kind, demand, kind_of
from anagnosis.decoding import read_toml
from anagnosis.errors import InputError
from anagnosis.files import atomic_write, sha256, write_text
from anagnosis.folder_names import RECIPE
from anagnosis.folders import refuse_foreign
from anagnosis.locks import locked
from anagnosis.masking import masked, masked_line
from anagnosis.paths import PathLike, naming_faults
from anagnosis.progress import tell
from anagnosis.recipes import load as recipes
from anagnosis.version import __version__

DATA = "data"
CARD = "README.md"
PART_ROWS = 50_000
GROUP_ROWS = 2000
PARQUET: dict[str, Any] = {"compression": "zstd", "compression_level": 1, "write_page_index": True}
WORK = ".work"
ALL = "all"  # in place of a split: every one of them
# What a killed program was about to rename.
_ABORTED = re.compile(r"\.(entities\.parquet|recipe\.toml|README\.md|receipt\.json)\..*\.part")
# A part, or what a killed program left of one.
_PART = re.compile(r"(train|dev|test)-\d{5}-of-\d{5}\.parquet|\.\.?(train|dev|test)-\d{5}.*")


@dataclass(frozen=True, slots=True, repr=False)
class Dataset:
    """An open dataset folder. rows: instances of each split that has any, in the order train, dev, test."""

    folder: Path
    name: str
    text_form: str
    numbering: str
    recipe: dict[str, Any]
    receipt: Receipt
    rows: dict[str, int]

    @property
    def kind(self) -> Kind:
        """What its instances are."""
        return kind_of(self.recipe)

    def size(self, split: str) -> int:
        """Instances of a split, or of all."""
        return sum(self.rows.values()) if split == ALL else self.rows.get(split, 0)

    def parts(self, split: str) -> list[Path]:
        """The Parquet files of a split, in order; of ALL those of every split, one after the other."""
        if split == ALL and self.rows:
            return [part for name in self.rows for part in self.parts(name)]
        if split not in self.rows:
            known = ", ".join(self.rows) or "none"
            raise InputError(f"no split {split!r}", str(self.folder), f"its splits: {known}")
        return sorted((self.folder / DATA).glob(f"{split}-*.parquet"))

    def __repr__(self) -> str:
        """One line: recipe and receipt would be two thousand characters."""
        rows = ", ".join(f"{split} {rows:,}" for split, rows in self.rows.items()) or "empty"
        return f"<Dataset {masked_line(self.name)} in {masked_line(str(self.folder))}: {self.kind.holds} ({rows})>"

    def _repr_html_(self) -> str:
        """The same for a notebook, as a table of splits."""
        rows = "".join(f"<tr><td>{split}</td><td>{rows:,}</td></tr>" for split, rows in self.rows.items())
        name, folder = (escape(masked_line(text)) for text in (self.name, str(self.folder)))
        return (
            f"<p><b>{name}</b>: {escape(self.kind.holds)} in <code>{folder}</code></p>"
            f"<table><tr><th>split</th><th>instances</th></tr>{rows}</table>"
        )


def load(folder: PathLike) -> Dataset:
    """Open a dataset folder; nothing but its recipe, receipt and Parquet footers is read."""
    path = Path(folder)
    if not path.is_dir():
        raise InputError(
            "no such dataset folder", str(folder), "build one with `anagnosis build`, or check the path"
        )
    receipt = receipts.load(path)
    recipe = read_toml(path / RECIPE, "build or import the dataset again", "no readable recipe")
    kind = kind_of(recipe)
    rows: dict[str, int] = {}
    for split in SPLITS:
        files = sorted((path / DATA).glob(f"{split}-*.parquet"))
        if files:
            rows[split] = sum(_footer(file, kind).num_rows for file in files)
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
    """The cloze instances of a split in their order, a batch in memory at a time."""
    demand(dataset.kind, CLOZE, str(dataset.folder))
    return read(dataset, split, limit)


def decisions(dataset: Dataset, split: str, limit: int | None = None) -> Iterator[DecisionInstance]:
    """The decision instances of a split in their order, a batch in memory at a time."""
    demand(dataset.kind, DECISION, str(dataset.folder))
    return read(dataset, split, limit)


def question_instances(dataset: Dataset, split: str, limit: int | None = None) -> Iterator[QuestionInstance]:
    """The question instances of a split in their order, a batch in memory at a time."""
    demand(dataset.kind, QUESTION, str(dataset.folder))
    return read(dataset, split, limit)


def evidence_instances(dataset: Dataset, split: str, limit: int | None = None) -> Iterator[EvidenceInstance]:
    """The questions with sentences of a split in their order, a batch in memory at a time."""
    demand(dataset.kind, EVIDENCE, str(dataset.folder))
    return read(dataset, split, limit)


def read(dataset: Dataset, split: str, limit: int | None = None) -> Iterator[Any]:
    """The instances of a split, of whatever kind, in their order, a batch in memory at a time."""
    found = (_batches(part, 512) for part in dataset.parts(split))
    return islice(chain.from_iterable(map(dataset.kind.instances, chain.from_iterable(found))), limit)


def find(dataset: Dataset, instance_id: str) -> tuple[str, Any]:
    """(split, instance) of an id."""
    for split in dataset.rows:
        for part in dataset.parts(split):
            with _readable(part):
                found = pq.read_table(part, filters=[("id", "=", instance_id)])
            if found.num_rows:
                return split, next(dataset.kind.instances(found))
    raise InputError(
        f"no instance {instance_id!r}", str(dataset.folder), "list ids with `anagnosis export --layout jsonl`"
    )


def of_document(dataset: Dataset, document: str) -> list[tuple[str, Any]]:
    """(split, instance) of each instance made of a document; none where the kind names no document of its own."""
    found: list[tuple[str, Any]] = []
    for split in dataset.rows:
        for part in dataset.parts(split):
            with _readable(part):
                if "document" not in pq.read_schema(part).names:
                    return []
                rows = pq.read_table(part, filters=[("document", "=", document)])
            found += [(split, instance) for instance in dataset.kind.instances(rows)]
    return found


def fingerprint(dataset: Dataset, split: str) -> str:
    """The split's fingerprint: SHA-256 over its sorted ids and candidate keys."""
    return fingerprint_of(ids_and_keys(dataset, split))


def ids_and_keys(dataset: Dataset, split: str) -> Iterator[tuple[str, list[str]]]:
    """(id, candidate keys) of every instance of a split; those of a decision are its labels, of a
    question the types that it may be of, and of sentences their places."""
    fixed = {DECISION: LABELS, QUESTION: TYPES}.get(dataset.kind.name)
    of_sentences = dataset.kind.name == EVIDENCE
    nested = "sentences.list.element.held" if of_sentences else "candidates.list.element.key"
    for part in dataset.parts(split):
        for batch in _batches(part, 8192, ["id", nested] if fixed is None else ["id"]):
            ids = batch.column("id").to_pylist()
            if fixed is not None:
                yield from ((ident, [*fixed]) for ident in ids)
                continue
            for ident, row in zip(ids, batch.column(nested.partition(".")[0]).to_pylist(), strict=True):
                yield ident, [str(place) if of_sentences else own["key"] for place, own in enumerate(row)]


def questions(dataset: Dataset, split: str) -> Iterator[tuple[str, str]]:
    """(id, question) of every instance of a split."""
    for part in dataset.parts(split):
        for batch in _batches(part, 8192, ["id", "question"]):
            yield from zip(batch.column("id").to_pylist(), batch.column("question").to_pylist(), strict=True)


def write(
    folder: PathLike,
    splits: Mapping[str, Iterable[Any]],
    recipe: Mapping[str, Any],
    *,
    inputs: Sequence[Input] = (),
    documents: DocumentCounts | None = None,
    dropped: Mapping[str, int] | None = None,
    repairs: Mapping[str, int] | None = None,
    refusals: Callable[[], Sequence[Refusal]] = tuple,
    choices: Mapping[str, Any] | None = None,
    replace: bool = False,
) -> Dataset:
    """Write instances as a dataset folder (for `import` and `sample`; `build` writes its parts in parallel).

    recipe: its `kind` says what the instances are.

    dropped, repairs, refusals: looked at when all instances have been written, so a reader may still fill them.
    replace: a finished dataset of another recipe or input may be there, and is lost.
    """
    digest = recipes.digest(recipe)

    def same(receipt: Receipt) -> bool:
        made_of = receipt.recipe_sha256, receipt.inputs, receipt.choices
        return made_of == (digest, list(inputs), dict(choices or {}))

    path = claimed(folder, None if replace else same)
    with alone(path):
        emptied(path)
        rows: dict[str, int] = {}
        kind = kind_of(recipe)
        counts = entities.EntityCounts()
        for split, found in splits.items():
            rows[split] = _write_split(path, split, counts.watch(found) if kind.entities else found, kind)
        if kind.entities:
            entities.write(path, list(counts.rows.values()))
        dataset = finish(
            path,
            recipe,
            inputs=inputs,
            documents=documents or DocumentCounts(),
            instances=InstanceCounts(sum(rows.values()), dict(dropped or {})),
            repairs=repairs or {},
            refusals=refusals(),
            choices=choices or {},
        )
        shutil.rmtree(path / WORK, ignore_errors=True)
        return dataset


def claimed(folder: PathLike, same: Callable[[Receipt], bool] | None) -> Path:
    """The folder, made if it is not there; one with anything but a dataset's files in it is refused.

    same: whether a finished dataset that lies there is what is about to be made again; any other is refused. None:
    any may be replaced. Nothing that is there already is touched: that is for `emptied`, once the new one is known
    to come.
    """
    path = Path(folder)
    if path.exists() and not path.is_dir():
        raise InputError("is a file, not a folder", str(folder), "choose another --out")
    with naming_faults(folder, "choose another --out"):
        if path.is_dir():
            refuse_foreign(path, _foreign(path))
            if same is not None and (path / receipts.FILE).exists() and not same(receipts.load(path)):
                raise InputError(
                    "holds another finished dataset", str(folder), "choose another folder, or give --replace"
                )
        (path / DATA).mkdir(parents=True, exist_ok=True)
    return path


@contextmanager
def alone(folder: Path) -> Generator[None]:
    """Nobody else writes into this claimed folder meanwhile, and all see that it is a dataset in the making.

    The lock goes with the process that holds it. Its file, WORK/lock, stays: it goes with WORK, which the caller
    removes when the dataset is finished.
    """
    work = folder / WORK
    work.mkdir(parents=True, exist_ok=True)
    with (work / "lock").open("wb") as lock:
        if not locked(lock, wait=False):
            remedy = "wait for it, or choose another --out"
            raise InputError("another build is writing here", str(folder), remedy)
        yield


def emptied(path: Path) -> Path:
    """A claimed folder without the files of an earlier dataset, which is told, or of an aborted write.

    The receipt goes first.
    """
    if (path / receipts.FILE).exists():
        (path / receipts.FILE).unlink()
        tell(f"replaced the dataset in {path}")
    inside = (file for file in (path / DATA).glob("*") if _PART.fullmatch(file.name))
    aborted = (file for file in path.glob(".*.part") if _ABORTED.fullmatch(file.name))
    for file in (*aborted, *inside, *path.glob(entities.FILE)):
        file.unlink()
    return path


def _foreign(folder: Path) -> list[str]:
    """What in a folder is no dataset's, finished or not: a README.md, recipe.toml or `data` may be anybody's."""
    known = {DATA, entities.FILE, WORK}
    card_here = folder / CARD
    made_here = card_here.is_file() and MADE_BY in card_here.read_bytes()[:500]
    if made_here or (folder / receipts.FILE).exists() or (folder / WORK).exists():
        known |= {RECIPE, CARD, receipts.FILE}
    found = [
        entry.name
        for entry in folder.iterdir()
        if entry.name not in known and not _ABORTED.fullmatch(entry.name)
    ]
    if (folder / DATA).is_dir():
        inside = (entry.name for entry in (folder / DATA).iterdir())
        found.extend(f"{DATA}/{name}" for name in inside if not _PART.fullmatch(name))
    return found


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
    write_text(folder / CARD, masked(card(recipe, receipt)))
    outputs.append(Output(CARD, None, sha256(folder / CARD)))
    outputs.append(Output(RECIPE, None, sha256(folder / RECIPE)))
    receipts.save(receipt, folder)
    return load(folder)


def write_part(path: Path, found: Iterable[pa.Table], schema: pa.Schema) -> int:
    """One Parquet file from tables of that schema, atomically; gives its rows."""
    rows = 0
    with atomic_write(path) as stream, pq.ParquetWriter(stream, schema, **PARQUET) as writer:
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


def _write_split(folder: Path, split: str, found: Iterable[Any], kind: Kind) -> int:
    """Parts are written under a name without their number of parts, which is known only at the end."""
    rows = 0
    unnamed: list[Path] = []
    groups = regrouped(kind.tables(found, GROUP_ROWS), GROUP_ROWS)
    while (first := next(groups, None)) is not None:
        path = folder / DATA / f".{split}-{len(unnamed):05d}"
        rows += write_part(path, chain([first], islice(groups, PART_ROWS // GROUP_ROWS - 1)), kind.schema)
        unnamed.append(path)
    for index, path in enumerate(unnamed):
        path.rename(folder / DATA / part_name(split, index, len(unnamed)))
    return rows


def _batches(part: Path, rows: int, names: list[str] | None = None) -> Iterator[pa.RecordBatch]:
    # Buffered ahead, the whole part would lie in memory, and it is read no faster.
    with _readable(part), pq.ParquetFile(part, pre_buffer=False) as file:
        yield from file.iter_batches(rows, columns=names)


def _footer(path: Path, kind: Kind | None = None) -> pq.FileMetaData:
    with _readable(path):
        footer = pq.read_metadata(path)
        if kind is not None and not kind.holds_columns(footer.schema.to_arrow_schema()):
            what = f"changed since it was written: its columns are not those of {kind.holds}"
            raise InputError(what, str(path), "build or import the dataset again")
        return footer


@contextmanager
def _readable(path: Path) -> Generator[None]:
    """A damaged part is told by its name."""
    try:
        yield
    except (OSError, pa.ArrowException) as fault:
        raise InputError(
            "not a readable Parquet file", str(path), "build or import the dataset again"
        ) from fault
