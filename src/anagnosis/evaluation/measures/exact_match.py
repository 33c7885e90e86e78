"""Exact match of CliCR: whether the answer equals a right one after SQuAD's normalisation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from anagnosis.evaluation.measures.answer_texts import Words, declared, mean_of_best


def exact_match(answer: Words, right: Sequence[Words]) -> float:
    """1 where a right answer has the same words in the same order; two texts without words are equal."""
    return float(answer in right)


EXACT_MATCH = declared(
    name="exact-match",
    title="exact match",
    what="Whether the answer equals a right one, by SQuAD's normalisation of texts.",
    values=partial(mean_of_best, exact_match),
    unit="percent",
    missing="0",
    source="Šuster and Daelemans 2018, section 6",
)
