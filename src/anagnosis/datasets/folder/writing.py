"""Write a dataset folder: beside its place, the receipt last, then renamed (`folders.new_folder`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from anagnosis.datasets.folder import entities, store
from anagnosis.datasets.folder import receipt as receipts
from anagnosis.datasets.folder.card import card
from anagnosis.datasets.folder.receipt import DocumentCounts, Input, InstanceCounts, Output, Receipt, Refusal
from anagnosis.datasets.kinds.kind import Kind
from anagnosis.datasets.kinds.table import kind_of
from anagnosis.io.files import atomic_write, sha256, write_text
from anagnosis.io.folders import DATA, RECIPE, new_folder
from anagnosis.io.paths import PathLike
from anagnosis.recipes import load as recipes
from anagnosis.showing import masked
from anagnosis.version import __version__

CARD = "README.md"
PART_ROWS = 50_000
GROUP_ROWS = 2000
PARQUET: dict[str, Any] = {"compression": "zstd", "compression_level": 1, "write_page_index": True}
Places = tuple[Sequence[Refusal], Sequence[Refusal]]  # of what was refused, and of what was noted
_PART = rf"{DATA}/((train|dev|test)-\d{{5}}-of-\d{{5}}\.parquet)?"
_OURS = re.compile("|".join((_PART, *map(re.escape, (entities.FILE, RECIPE, CARD, receipts.FILE)))))


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
    replace: bool = False,
) -> store.Dataset:
    """Write instances as a dataset folder (for `import` and `sample`; `build` writes its parts in parallel).

    recipe: its `kind` says what the instances are.

    dropped, repairs, places: looked at when all instances have been written, so a reader may still
    fill them.
    replace: a dataset that is there is replaced.
    """
    with new_dataset(folder, replace=replace) as new:
        rows: dict[str, int] = {}
        kind = kind_of(recipe)
        counts = entities.EntityCounts()
        for split, found in splits.items():
            rows[split] = _write_split(new, split, counts.watch(found) if kind.entities else found, kind)
        if kind.entities:
            entities.write(new, list(counts.rows.values()))
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
    return store.load(Path(folder))


@contextmanager
def new_dataset(folder: PathLike, *, replace: bool) -> Generator[Path]:
    """A folder for a new dataset, which becomes `folder` when the block ends without an error."""
    receipt = Path(folder) / receipts.FILE

    def is_ours(name: str) -> bool:
        return receipt.is_file() and _OURS.fullmatch(name) is not None

    with new_folder(Path(folder), "a dataset", is_ours, replace=replace) as new:
        (new / DATA).mkdir()
        yield new


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
    for file in sorted([*(folder / DATA).glob("*.parquet"), *folder.glob(entities.FILE)]):
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
