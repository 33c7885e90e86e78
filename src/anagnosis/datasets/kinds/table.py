"""The kinds of instances that a dataset folder can hold, one a folder; its recipe names it.

A recipe without `kind` is that of a cloze dataset.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from anagnosis.datasets.kinds import cloze_columns as columns
from anagnosis.datasets.kinds import decision, evidence, question
from anagnosis.datasets.kinds.cloze import CLOZE_SCHEMA
from anagnosis.datasets.kinds.decision import DECISION_SCHEMA
from anagnosis.datasets.kinds.evidence import EVIDENCE_SCHEMA
from anagnosis.datasets.kinds.question import QUESTION_SCHEMA
from anagnosis.errors import InputError, unknown_name

CLOZE = "cloze"
DECISION = "decision"
QUESTION = "question"
EVIDENCE = "evidence"


@dataclass(frozen=True, slots=True)
class Kind:
    """holds: what the instances are, for messages. schema: of its Parquet parts.

    tables: instances as tables of at most so many rows; instances: those of a batch. entities: whether candidates are
    entities, which the folder counts in a file. later: columns that a folder made before them lacks. labels: what all
    instances are answered with, where that is the same; labelled: the column that holds the right one.
    """

    name: str
    holds: str
    schema: pa.Schema
    tables: Callable[[Iterable[Any], int], Iterator[pa.Table]]
    instances: Callable[[pa.RecordBatch | pa.Table], Iterator[Any]]
    entities: bool
    later: frozenset[str] = frozenset()
    labels: tuple[str, ...] = ()
    labelled: str = ""

    def holds_columns(self, found: pa.Schema) -> bool:
        """Whether a Parquet part with these columns is of this kind."""
        there = [field for field in self.schema if field.name in found.names or field.name not in self.later]
        return found.equals(pa.schema(there))


KINDS = {
    CLOZE: Kind(CLOZE, "cloze questions", CLOZE_SCHEMA, columns.tables, columns.instances, entities=True),
    DECISION: Kind(
        DECISION,
        "questions for yes, no or maybe",
        DECISION_SCHEMA,
        decision.tables,
        decision.instances,
        entities=False,
        later=frozenset({"title"}),
        labels=decision.LABELS,
        labelled="label",
    ),
    QUESTION: Kind(
        QUESTION,
        "questions with snippets and exact answers",
        QUESTION_SCHEMA,
        question.tables,
        question.instances,
        entities=False,
        labels=question.TYPES,
        labelled="type",
    ),
    EVIDENCE: Kind(
        EVIDENCE,
        "questions with sentences to choose from",
        EVIDENCE_SCHEMA,
        evidence.tables,
        evidence.instances,
        entities=False,
    ),
}


def kind_of(recipe: Mapping[str, Any]) -> Kind:
    """The kind that a dataset's recipe names."""
    name = str(recipe.get("kind", CLOZE))
    if name not in KINDS:
        raise unknown_name("kind of instances", name, KINDS)
    return KINDS[name]


def demand(kind: Kind, wanted: str, where: str, *others: str) -> None:
    """Refuse a dataset of another kind. others: that will do too."""
    if kind.name not in (wanted, *others):
        needed = " or ".join(KINDS[name].holds for name in (wanted, *others))
        raise InputError(f"holds {kind.holds}, and {needed} are needed here", where, "choose another dataset")
