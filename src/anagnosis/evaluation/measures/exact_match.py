"""Exact match of CliCR: whether the answer equals a right one after SQuAD's normalisation."""

from __future__ import annotations

from collections.abc import Sequence

from anagnosis.array_types import Floats
from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.measures.answer_texts import Words, declared, mean_of_best
from anagnosis.predictions import Matched


def exact_match(answer: Words, right: Sequence[Words]) -> float:
    """1 where a right answer has the same words in the same order; two texts without words are equal."""
    return float(answer in right)


def values(gold: Gold, run: Matched, protocol: str) -> Floats:
    """float64 [instances]."""
    return mean_of_best(exact_match, gold, run, protocol)


EXACT_MATCH = declared(
    name="exact-match",
    title="exact match",
    what="Whether the answer equals a right one, by SQuAD's normalisation of texts.",
    values=values,
    unit="percent",
    missing="0",
    source="Šuster and Daelemans 2018, section 6",
)
