"""Write a dataset folder: beside its place, the receipt last, then renamed (`folders.new_folder`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from anagnosis.datasets.folder import entities, store
from anagnosis.datasets.folder import receipt as receipts
from anagnosis.datasets.folder.card import card
from anagnosis.datasets.folder.receipt import Output, Receipt, draft
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
_PART = rf"{DATA}/((train|dev|test)-\d{{5}}-of-\d{{5}}\.parquet)?"
_OURS = re.compile("|".join((_PART, *map(re.escape, (entities.FILE, RECIPE, CARD, receipts.FILE)))))


def write(
    folder: PathLike,
    splits: Mapping[str, Iterable[Any]],
    recipe: Mapping[str, Any],
    receipt: Callable[[], Receipt] = draft,
    *,
    replace: bool = False,
) -> store.Dataset:
    """Write instances as a dataset folder (for `import` and `sample`; `build` writes its parts itself).

    recipe: its `kind` says what the instances are. receipt: asked when all instances have been written.
    """
    with new_dataset(folder, replace=replace) as new:
        kind, rows = kind_of(recipe), dict[str, entities.EntityRow]()
        for split, found in splits.items():
            with Parts(new, split) as parts:
                for table in kind.tables(
                    entities.counted(found, rows) if kind.entities else found, GROUP_ROWS
                ):
                    parts.add(table)
        if kind.entities:
            entities.write(new, rows.values())
        finish(new, recipe, receipt())
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


def finish(folder: Path, recipe: Mapping[str, Any], receipt: Receipt) -> None:
    """Write recipe, card and, last, the receipt (a `draft`) beside parts that are already there."""
    write_text(folder / RECIPE, recipes.dumps(recipe))
    outputs: list[Output] = []
    for file in sorted([*(folder / DATA).glob("*.parquet"), *folder.glob(entities.FILE)]):
        rows = pq.read_metadata(file).num_rows if file.suffix == ".parquet" else None
        outputs.append(Output(file.relative_to(folder).as_posix(), rows, sha256(file)))
    change = msgspec.structs.replace
    kept = sum(own.rows or 0 for own in outputs if own.name.startswith(f"{DATA}/"))
    receipt = change(
        receipt,
        version=__version__,
        recipe_sha256=recipes.digest(recipe),
        instances=change(receipt.instances, kept=kept),
        outputs=outputs,
    )
    write_text(folder / CARD, masked(card(recipe, receipt)))
    outputs.append(Output(CARD, None, sha256(folder / CARD)))
    outputs.append(Output(RECIPE, None, sha256(folder / RECIPE)))
    receipts.save(receipt, folder)


class Parts:
    """The Parquet files of one split, in groups of GROUP_ROWS, in whatever tables its rows come.

    They get their names, `train-00000-of-00012.parquet`, when the block ends without an error, since only then their
    number is known. rows: those written.
    """

    def __init__(self, folder: Path, split: str) -> None:
        self.rows = 0
        self._folder, self._split = folder / DATA, split
        self._unnamed: list[Path] = []
        self._waiting: list[pa.Table] = []
        self._count = 0
        self._part = ExitStack()
        self._writer: pq.ParquetWriter | None = None

    def add(self, table: pa.Table) -> None:
        """Further rows."""
        self._waiting.append(table)
        self._count += table.num_rows
        size = min(GROUP_ROWS, PART_ROWS)
        while self._count >= size:
            whole = pa.concat_tables(self._waiting)
            self._write(whole.slice(0, size))
            self._waiting, self._count = [whole.slice(size)], whole.num_rows - size

    def _write(self, group: pa.Table) -> None:
        if self._writer is None:
            path = self._folder / f".{self._split}-{len(self._unnamed)}"
            stream = self._part.enter_context(atomic_write(path))
            self._writer = self._part.enter_context(pq.ParquetWriter(stream, group.schema, **PARQUET))
            self._unnamed.append(path)
        # Parquet's pages follow the chunks that they come from; one chunk makes them independent of the tables.
        self._writer.write_table(group.combine_chunks(), row_group_size=GROUP_ROWS)
        self.rows += group.num_rows
        if self.rows % PART_ROWS == 0:
            self._end_part()

    def _end_part(self) -> None:
        self._part.close()
        self._writer = None

    def __enter__(self) -> Parts:
        return self

    def __exit__(self, kind: Any, fault: Any, trace: Any) -> None:
        if kind is not None:
            self._part.__exit__(kind, fault, trace)
            return
        if self._count:
            self._write(pa.concat_tables(self._waiting))
        self._end_part()
        for index, path in enumerate(self._unnamed):
            path.rename(self._folder / f"{self._split}-{index:05d}-of-{len(self._unnamed):05d}.parquet")
