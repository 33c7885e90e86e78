"""The decision instance of PubMedQA: a question to answer with yes, no or maybe, in memory and in Parquet.

    subset   L: labelled by people; U: not labelled; A: labelled by the rule that made it (PubMedQA, 3.1)

`place` and `fields` hold what the authors' own file needs to come back byte for byte: where the instance stood in it,
and which keys it had, in which order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Literal

import msgspec
import pyarrow as pa

LABELS = ("yes", "no", "maybe")
SUBSETS = ("L", "U", "A")

Subset = Literal["L", "U", "A"]


class ContextSection(msgspec.Struct, frozen=True, gc=False):
    """A part of the abstract that is not its conclusion. label: as printed, empty where there is none."""

    label: str
    text: str


class DecisionInstance(msgspec.Struct, frozen=True, gc=False):
    """A question, the abstract without its conclusion, and the conclusion.

    id: the document's, a PMID. question: the title, or what a statement title became.
    long_answer: the conclusion, None where it is withheld. label: one of LABELS, None where unlabelled or withheld.
    annotators: (name, label) of those who answered: reasoning_free saw the long answer, reasoning_required did not.
    mesh: names of descriptors. year: as the source writes it, None where unknown. date: ISO, empty where unknown.
    place: from 0, in the file that it was read from; 0 where it was built. fields: the keys of the authors' object, in
    its order. title: the statement that became the question and tells the label; None where there was none.
    """

    id: str
    question: str
    context: tuple[ContextSection, ...]
    long_answer: str | None
    label: str | None
    annotators: tuple[tuple[str, str], ...] = ()
    mesh: tuple[str, ...] = ()
    year: str | None = None
    date: str = ""
    subset: Subset = "L"
    place: int = 0
    fields: tuple[str, ...] = ()
    title: str | None = None


_SECTION = pa.struct([pa.field("label", pa.string(), False), pa.field("text", pa.string(), False)])
_ANNOTATOR = pa.struct([pa.field("name", pa.string(), False), pa.field("label", pa.string(), False)])

DECISION_SCHEMA = pa.schema(
    [
        pa.field("id", pa.string(), False),
        pa.field("question", pa.string(), False),
        pa.field("context", pa.list_(pa.field("item", _SECTION, False)), False),
        pa.field("long_answer", pa.string(), True),
        pa.field("label", pa.string(), True),
        pa.field("annotators", pa.list_(pa.field("item", _ANNOTATOR, False)), False),
        pa.field("mesh", pa.list_(pa.field("item", pa.string(), False)), False),
        pa.field("year", pa.string(), True),
        pa.field("date", pa.string(), False),
        pa.field("subset", pa.string(), False),
        pa.field("place", pa.int32(), False),
        pa.field("fields", pa.list_(pa.field("item", pa.string(), False)), False),
        pa.field("title", pa.string(), True),
    ]
)


def tables(instances: Iterable[DecisionInstance], rows: int) -> Iterator[pa.Table]:
    """Instances as tables of at most `rows` rows."""
    coming = iter(instances)
    while group := [_row(instance) for instance in islice(coming, rows)]:
        yield pa.Table.from_pylist(group, schema=DECISION_SCHEMA)


class DecisionColumns:
    """Instances of DECISION_SCHEMA, gathered; `table` gives what was gathered and starts anew."""

    schema = DECISION_SCHEMA

    def __init__(self) -> None:
        self.rows: list[DecisionInstance] = []

    def add(self, instance: DecisionInstance) -> None:
        """One instance."""
        self.rows.append(instance)

    def table(self) -> pa.Table:
        """Everything gathered since the last call."""
        gathered, self.rows = self.rows, []
        return pa.Table.from_pylist([_row(instance) for instance in gathered], schema=DECISION_SCHEMA)


def instances(batch: pa.RecordBatch | pa.Table) -> Iterator[DecisionInstance]:
    """The instances of a batch of DECISION_SCHEMA."""
    for row in batch.to_pylist():
        yield DecisionInstance(
            row["id"],
            row["question"],
            tuple(ContextSection(section["label"], section["text"]) for section in row["context"]),
            row["long_answer"],
            row["label"],
            tuple((annotator["name"], annotator["label"]) for annotator in row["annotators"]),
            tuple(row["mesh"]),
            row["year"],
            row["date"],
            row["subset"],
            row["place"],
            tuple(row["fields"]),
            row.get("title"),
        )


def _row(instance: DecisionInstance) -> dict[str, Any]:
    row = msgspec.structs.asdict(instance)
    row["context"] = [msgspec.structs.asdict(section) for section in instance.context]
    row["annotators"] = [{"name": name, "label": label} for name, label in instance.annotators]
    return row
