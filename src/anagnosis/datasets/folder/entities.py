"""entities.parquet: every entity of a dataset with its number, and in how many documents and instances it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.io.files import atomic_write

FILE = "entities.parquet"
_NUMBERS = {"number": pa.int32(), "documents": pa.int64(), "instances": pa.int64()}
_COLUMNS = ("key", "number", "type", "identifier", "documents", "instances")
_SCHEMA = pa.schema([(name, _NUMBERS.get(name, pa.string())) for name in _COLUMNS])


@dataclass(slots=True)
class EntityRow:
    """documents: articles whose passage has it; instances: of which it is a candidate."""

    key: str
    number: int
    type: str
    identifier: str
    documents: int = 0
    instances: int = 0


def counted(instances: Iterable[ClozeInstance], rows: dict[str, EntityRow]) -> Iterator[ClozeInstance]:
    """The instances, each counted in `rows`, by key, as it passes; an article's instances stand side by side."""
    last: dict[str, str] = {}  # key → document
    for instance in instances:
        for candidate in instance.candidates:
            key = candidate.key
            if key not in rows:
                identifier = key.partition("/")[2] or key
                rows[key] = EntityRow(key, candidate.number, candidate.type, identifier)
            rows[key].instances += 1
            rows[key].documents += last.get(key) != instance.document
            last[key] = instance.document
        yield instance


def write(folder: Path, rows: Iterable[EntityRow]) -> None:
    """FOLDER/entities.parquet, ordered by number."""
    ordered = sorted(rows, key=lambda row: (row.number, row.key))
    columns = {name: [getattr(row, name) for row in ordered] for name in _SCHEMA.names}
    table = pa.table(columns, _SCHEMA)
    with atomic_write(folder / FILE) as stream:
        pq.write_table(table, stream, compression="zstd", compression_level=1)
