"""F1 of CliCR: the words that an answer shares with a right one, after SQuAD's normalisation, of both as bags."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from anagnosis.evaluation.measures.answer_texts import Words, declared, mean_of_best


def f1(answer: Words, right: Sequence[Words]) -> float:
    """The most of 2 · shared words / words of both; 0 where they share none, as two texts without words do."""
    own = set(answer)
    most = 0.0
    for each in right:
        if not own.isdisjoint(each):
            shared = sum([min(answer.count(word), each.count(word)) for word in own])
            most = max(most, 2 * shared / (len(answer) + len(each)))
    return most


F1 = declared(
    name="f1",
    title="F1",
    what="The words that the answer shares with a right one: the harmonic mean of precision and recall.",
    values=partial(mean_of_best, f1),
    unit="percent",
    missing="0",
    source="Šuster and Daelemans 2018, section 6; Rajpurkar et al. 2016",
)
