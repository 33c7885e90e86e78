"""Write a dataset folder: claim it, write the new dataset beside an earlier one, and put it in its place.

The receipt is removed first and put there last, so that a folder with a receipt is complete.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from anagnosis.datasets.folder import entities, reports_without_queries, store
from anagnosis.datasets.folder import receipt as receipts
from anagnosis.datasets.folder.card import MADE_BY, card
from anagnosis.datasets.folder.receipt import DocumentCounts, Input, InstanceCounts, Output, Receipt, Refusal
from anagnosis.datasets.folder.reports_without_queries import CollectedReports
from anagnosis.datasets.kinds.kind import Kind
from anagnosis.datasets.kinds.table import kind_of
from anagnosis.errors import InputError
from anagnosis.io.files import atomic_write, locked, sha256, write_text
from anagnosis.io.folders import DATA, RECIPE, refuse_foreign
from anagnosis.io.paths import PathLike, naming_faults
from anagnosis.progress import print_note
from anagnosis.recipes import load as recipes
from anagnosis.showing import masked
from anagnosis.version import __version__

CARD = "README.md"
PART_ROWS = 50_000
GROUP_ROWS = 2000
PARQUET: dict[str, Any] = {"compression": "zstd", "compression_level": 1, "write_page_index": True}
WORK = ".work"
# Beside the parts.
BESIDE = (entities.FILE, reports_without_queries.FILE)
Places = tuple[Sequence[Refusal], Sequence[Refusal]]  # of what was refused, and of what was noted
_PART = re.compile(r"(train|dev|test)-\d{5}-of-\d{5}\.parquet")


def write(
    folder: PathLike,
    splits: Mapping[str, Iterable[Any]],
    recipe: Mapping[str, Any],
    *,
    inputs: Sequence[Input] = (),
    documents: DocumentCounts | None = None,
    dropped: Mapping[str, int] | None = None,
    repairs: Mapping[str, int] | None = None,
    places: Callable[[], Places] = lambda: ((), ()),
    choices: Mapping[str, Any] | None = None,
    without_queries: CollectedReports | None = None,
    replace: bool = False,
) -> store.Dataset:
    """Write instances as a dataset folder (for `import` and `sample`; `build` writes its parts in parallel).

    recipe: its `kind` says what the instances are.

    dropped, repairs, places, without_queries: looked at when all instances have been written, so a reader may still
    fill them.
    replace: a finished dataset of another recipe or input may be there, and is lost.
    """
    digest = recipes.digest(recipe)

    def same(receipt: Receipt) -> bool:
        made_of = receipt.recipe_sha256, receipt.inputs, receipt.choices
        return made_of == (digest, list(inputs), dict(choices or {}))

    path = claimed(folder, None if replace else same)
    with alone(path):
        with replacing(path) as new:
            rows: dict[str, int] = {}
            kind = kind_of(recipe)
            counts = entities.EntityCounts()
            for split, found in splits.items():
                rows[split] = _write_split(new, split, counts.watch(found) if kind.entities else found, kind)
            if kind.entities:
                entities.write(new, list(counts.rows.values()))
            if without_queries is not None:
                without_queries.write(new)
            finish(
                new,
                recipe,
                inputs=inputs,
                documents=documents or DocumentCounts(),
                instances=InstanceCounts(sum(rows.values()), dict(dropped or {})),
                repairs=repairs or {},
                places=places(),
                choices=choices or {},
            )
        shutil.rmtree(path / WORK, ignore_errors=True)
        return store.load(path)


def claimed(folder: PathLike, same: Callable[[Receipt], bool] | None) -> Path:
    """The folder, made if it is not there; one with anything but a dataset's files in it is refused.

    same: whether a finished dataset that lies there is what is about to be made again; any other is refused. None:
    any may be replaced. Nothing that is there already is touched: that is for `replacing`, once the new one is
    complete.
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


@contextmanager
def replacing(folder: Path) -> Generator[Path]:
    """A hidden folder inside a claimed one, for a new dataset, which replaces the earlier one when the block ends.

    If the block raises an error, the earlier one stays.
    """
    new = folder / WORK / "new"
    shutil.rmtree(new, ignore_errors=True)
    (new / DATA).mkdir(parents=True)
    try:
        yield new
        replaces = (folder / receipts.FILE).exists()
        _empty(folder)
        for name in (*(f"{DATA}/{part.name}" for part in (new / DATA).iterdir()), *BESIDE, RECIPE, CARD):
            if (new / name).exists():
                (new / name).replace(folder / name)
        (new / receipts.FILE).replace(folder / receipts.FILE)
    finally:
        shutil.rmtree(new, ignore_errors=True)
    if replaces:
        print_note(f"replaced the dataset in {folder}")


def _empty(path: Path) -> None:
    """Remove the files of an earlier dataset, the receipt first."""
    (path / receipts.FILE).unlink(missing_ok=True)
    inside = (file for file in (path / DATA).glob("*") if _PART.fullmatch(file.name))
    for file in (*inside, *beside(path)):
        file.unlink()


def beside(folder: Path) -> list[Path]:
    """The files that a dataset may have beside its parts, those that are there."""
    return [folder / name for name in BESIDE if (folder / name).is_file()]


def _foreign(folder: Path) -> list[str]:
    """What in a folder is no dataset's, finished or not: a README.md, recipe.toml or `data` may be anybody's."""
    known = {DATA, *BESIDE, WORK}
    card_here = folder / CARD
    made_here = card_here.is_file() and MADE_BY in card_here.read_bytes()[:500]
    if made_here or (folder / receipts.FILE).exists() or (folder / WORK).exists():
        known |= {RECIPE, CARD, receipts.FILE}
    found = [entry.name for entry in folder.iterdir() if entry.name not in known]
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
    places: Places,
    choices: Mapping[str, Any],
) -> None:
    """Write recipe, card and, last, the receipt beside parts that are already there."""
    write_text(folder / RECIPE, recipes.dumps(recipe))
    outputs: list[Output] = []
    for file in sorted([*(folder / DATA).glob("*.parquet"), *beside(folder)]):
        rows = pq.read_metadata(file).num_rows if file.suffix == ".parquet" else None
        outputs.append(Output(file.relative_to(folder).as_posix(), rows, sha256(file)))
    receipt = Receipt(
        __version__,
        recipes.digest(recipe),
        list(inputs),
        documents,
        instances,
        dict(sorted(repairs.items())),
        list(places[0]),
        dict(choices),
        outputs,
        list(places[1]),
    )
    write_text(folder / CARD, masked(card(recipe, receipt)))
    outputs.append(Output(CARD, None, sha256(folder / CARD)))
    outputs.append(Output(RECIPE, None, sha256(folder / RECIPE)))
    receipts.save(receipt, folder)


def write_part(path: Path, found: Iterable[pa.Table]) -> int:
    """One Parquet file from tables of one schema, atomically; gives its rows. There is at least one row."""
    rows = 0
    groups = regrouped(found, GROUP_ROWS)
    first = next(groups)
    with atomic_write(path) as stream, pq.ParquetWriter(stream, first.schema, **PARQUET) as writer:
        for group in chain([first], groups):
            writer.write_table(group, row_group_size=GROUP_ROWS)
            rows += group.num_rows
    return rows


def regrouped(found: Iterable[pa.Table], rows: int) -> Iterator[pa.Table]:
    """The rows in tables of exactly `rows` rows, but for the last."""
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
        rows += write_part(path, chain([first], islice(groups, PART_ROWS // GROUP_ROWS - 1)))
        unnamed.append(path)
    for index, path in enumerate(unnamed):
        path.rename(folder / DATA / part_name(split, index, len(unnamed)))
    return rows
