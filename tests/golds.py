"""Small splits for the tests of predictions and evaluation, made from a line an instance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from anagnosis.datasets.gold import Gold, from_batches
from anagnosis.datasets.kinds import cloze_columns as columns
from anagnosis.datasets.kinds.cloze import gold_side
from anagnosis.datasets.kinds.cloze_instance import Candidate, ClozeInstance
from anagnosis.predictions import Matched


@dataclass(frozen=True)
class Row:
    """candidates: keys, each with the number of its place in the alphabet of keys unless `numbers` says."""

    id: str
    candidates: Sequence[str]
    answer: int | None = 0
    document: str = ""
    names: Sequence[Sequence[str]] = ()
    numbers: Sequence[int] = ()
    types: Sequence[str] = ()
    passage: str = "a b c"


def instance(row: Row) -> ClozeInstance:
    n = len(row.candidates)
    names = row.names or [()] * n
    numbers = row.numbers or range(n)
    types = row.types or [""] * n
    return ClozeInstance(
        id=row.id,
        document=row.document or row.id.partition(":")[0],
        date="",
        passage=row.passage,
        question="XXXX",
        mentions=(),
        question_mentions=(),
        candidates=tuple(
            Candidate(key, type, number, tuple(own))
            for key, type, number, own in zip(row.candidates, types, numbers, names, strict=True)
        ),
        answer=row.answer,
        answers=(),
    )


def gold_of(rows: Sequence[Row], split: str = "test", batch_rows: int = 3) -> Gold:
    batches = [
        batch
        for table in columns.tables(map(instance, rows), batch_rows)
        for batch in table.combine_chunks().to_batches()
    ]
    return from_batches(map(gold_side, batches), "biomrc", split)


def plain(n: int, candidates: int = 3, per_document: int = 1) -> Gold:
    """n instances d0:0, d0:1, … with the candidates k0, k1, …, the first of which is right."""
    keys = [f"k{number}" for number in range(candidates)]
    ids = [f"d{i // per_document}:{i % per_document}" for i in range(n)]
    return gold_of([Row(id, keys) for id in ids], batch_rows=1000)


def run_of(choice: Any, name: str = "run", **changes: Any) -> Matched:
    """A run with a line for each question of a split. choice: the place of each answer. changes: other columns."""
    n = len(choice)
    given: dict[str, Any] = {
        "annotator": None,
        "group": None,
        "has_line": np.ones(n, np.bool_),
        "tied": np.zeros(n, np.int32),
        "on_top": np.zeros(n, np.bool_),
        "seconds": np.full(n, np.nan),
        "problems": {},
    }
    return Matched(name=name, choice=np.array(choice, np.int32), **given | changes)
