"""entities.parquet: every entity of a dataset with its number, and in how many documents and instances it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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


class EntityCounts:
    """Counts entities while instances stream by; an article's instances stand side by side."""

    def __init__(self) -> None:
        self.rows: dict[str, EntityRow] = {}
        self._document: dict[str, str] = {}

    def watch(self, instances: Iterable[ClozeInstance]) -> Iterator[ClozeInstance]:
        """The instances, each counted as it passes."""
        for instance in instances:
            for candidate in instance.candidates:
                row = self.rows.get(candidate.key)
                if row is None:
                    identifier = candidate.key.partition("/")[2] or candidate.key
                    row = self.rows[candidate.key] = EntityRow(
                        candidate.key, candidate.number, candidate.type, identifier
                    )
                row.instances += 1
                if self._document.get(candidate.key) != instance.document:
                    self._document[candidate.key] = instance.document
                    row.documents += 1
            yield instance


def write(folder: Path, rows: Sequence[EntityRow]) -> None:
    """FOLDER/entities.parquet, ordered by number."""
    ordered = sorted(rows, key=lambda row: (row.number, row.key))
    columns = {name: [getattr(row, name) for row in ordered] for name in _SCHEMA.names}
    table = pa.table(columns, _SCHEMA)
    with atomic_write(folder / FILE) as stream:
        pq.write_table(table, stream, compression="zstd", compression_level=1)
