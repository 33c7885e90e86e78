"""ROUGE-2 and ROUGE-SU4 of ideal answers to BioASQ's questions, as the program counts them that the organisers run.

    words        runs of ASCII letters and digits, lower-cased; neither stemming nor stop words
    ROUGE-2      pairs of neighbours
    ROUGE-SU4    pairs with at most four words between them, and single words but for the last
    recall       matches / units of the golden answers, F1 = 2 · matches / (units of golden answers + units of the
                 answer, once for each golden one); both over all golden answers of a question together. A match is
                 clipped by how often the unit stands in the golden answer

Sources: Lin 2004; its program ROUGE-1.5.5 with `-n 2 -2 4 -u -f A`, which leaves the last word out, too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise

from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.measures.measure import Measure
from anagnosis.predictions import Matched

SKIPPED = 4  # words between those of a pair
_WORD = re.compile(r"[A-Za-z0-9]+")

Units = Callable[[Sequence[str]], Iterator[tuple[str, ...]]]


def words(text: str) -> list[str]:
    """The words of an answer."""
    return [word.lower() for word in _WORD.findall(text)]


def neighbours(text: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The units of ROUGE-2."""
    return pairwise(text)


def words_and_pairs(text: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The units of ROUGE-SU4."""
    for place, word in enumerate(text[:-1]):
        yield (word,)
        for other in text[place + 1 : place + 2 + SKIPPED]:
            yield word, other


def rouge(units: Units, answer: str, golden: Sequence[str]) -> tuple[float, float]:
    """Recall and F1 of an answer; 0 where there is nothing to divide by."""
    own = Counter(units(words(answer)))
    theirs = [Counter(units(words(text))) for text in golden]
    matches = sum((own & each).total() for each in theirs)
    wanted = sum(each.total() for each in theirs)
    return matches / wanted if wanted else 0.0, 2 * matches / (wanted + len(theirs) * own.total() or 1)


def _values(units: Units, place: int, gold: Gold, run: Matched, protocol: str) -> Iterator[tuple[int, float]]:
    """(row, value) of each instance with a golden answer, 0 without an answer."""
    given = run.ideals or (None,) * len(gold)
    for row, golden in enumerate(gold.ideal or ()):
        if golden:
            yield row, rouge(units, given[row] or "", golden)[place]


def _of_ideal_answers(name: str, title: str, what: str, units: Units) -> tuple[Measure, Measure]:
    """Recall and F1. what: the units, in words."""
    declared = partial(
        Measure,
        kinds=("question",),
        free=True,
        ideal=True,
        unit="number",
        source="Lin 2004; ROUGE-1.5.5",
    )
    recall = declared(
        name=f"ideal_rouge_{name}_recall",
        title=f"{title} recall",
        what=f"The share of the golden ideal answers' {what} that the ideal answer has.",
        values=partial(_values, units, 0),
    )
    f1 = declared(
        name=f"ideal_rouge_{name}_f1",
        title=f"{title} F1",
        what=f"The harmonic mean of precision and recall of the ideal answer's {what}.",
        values=partial(_values, units, 1),
    )
    return recall, f1


ROUGE_2_RECALL, ROUGE_2_F1 = _of_ideal_answers("2", "ROUGE-2", "pairs of neighbouring words", neighbours)
ROUGE_SU4_RECALL, ROUGE_SU4_F1 = _of_ideal_answers(
    "su4", "ROUGE-SU4", "words and pairs with up to four between", words_and_pairs
)
