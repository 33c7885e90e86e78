"""The documents that a search engine ranked for a question, beside the sentences of an evidence instance.

A later column of the kind: datasets whose sentences nobody retrieved lack it, and their files are as before.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from anagnosis.datasets.kinds.question import QUESTION_SCHEMA, Snippet
from anagnosis.datasets.kinds.relevant_items import RelevantItems

COLUMN = "retrieval"
TITLE, ABSTRACT = "title", "abstract"  # sections
_BATCH = 64


class Retrieval(msgspec.Struct, frozen=True, gc=False):
    """What was retrieved for a question, and what is relevant.

    scores: the search engine's, of each document in the instance's order, best first. sections, begins: of each
    sentence, its section and where it begins there, in code points. documents, snippets: the relevant ones, retrieved
    or not.
    """

    scores: tuple[float, ...]
    sections: tuple[str, ...]
    begins: tuple[int, ...]
    documents: tuple[str, ...]
    snippets: tuple[Snippet, ...]

    @property
    def relevant(self) -> RelevantItems:
        """The relevant items, as measures of phase A take them."""
        return RelevantItems(self.documents, (), self.snippets)


_TEXTS = pa.list_(pa.field("item", pa.string(), False))
FIELD = pa.field(
    COLUMN,
    pa.struct(
        [
            pa.field("scores", pa.list_(pa.field("item", pa.float64(), False)), False),
            pa.field("sections", _TEXTS, False),
            pa.field("begins", pa.list_(pa.field("item", pa.int64(), False)), False),
            pa.field("documents", _TEXTS, False),
            pa.field("snippets", QUESTION_SCHEMA.field("snippets").type, False),
        ]
    ),
    False,
)


def of_row(row: dict[str, Any]) -> Retrieval:
    """The value of the column."""
    snippets = tuple(Snippet(**snippet) for snippet in row["snippets"])
    return Retrieval(
        tuple(row["scores"]), tuple(row["sections"]), tuple(row["begins"]), tuple(row["documents"]), snippets
    )


def of_parts(parts: Iterable[Path]) -> tuple[RelevantItems, ...]:
    """The relevant items of every question of a split, none where nothing was retrieved. parts: its Parquet files."""
    found: list[RelevantItems] = []
    for part in parts:
        with pq.ParquetFile(part) as file:
            if COLUMN not in file.schema_arrow.names:
                found += [RelevantItems()] * file.metadata.num_rows
                continue
            columns = [f"{COLUMN}.{name}" for name in ("documents", "snippets")]
            for batch in file.iter_batches(_BATCH, columns=columns):
                for row in batch.column(COLUMN).to_pylist():
                    snippets = tuple(Snippet(**snippet) for snippet in row["snippets"])
                    found.append(RelevantItems(tuple(row["documents"]), (), snippets))
    return tuple(found)
