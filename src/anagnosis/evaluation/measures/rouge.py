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


def _of_ideal_answers(name: str, title: str, what: str, units: Units, place: int) -> Measure:
    """place: of the value among those of `rouge`."""
    return Measure(
        name=name,
        title=title,
        what=what,
        kinds=("question",),
        values=partial(_values, units, place),
        free=True,
        ideal=True,
        unit="number",
        ties="there are none",
        missing="0",
        withheld="left out",
        source="Lin 2004; ROUGE-1.5.5",
    )


ROUGE_2_RECALL = _of_ideal_answers(
    "ideal_rouge_2_recall",
    "ROUGE-2 recall",
    "The share of the golden ideal answers' pairs of neighbouring words that the ideal answer has.",
    neighbours,
    0,
)
ROUGE_2_F1 = _of_ideal_answers(
    "ideal_rouge_2_f1",
    "ROUGE-2 F1",
    "The harmonic mean of precision and recall of pairs of neighbouring words of the ideal answer.",
    neighbours,
    1,
)
ROUGE_SU4_RECALL = _of_ideal_answers(
    "ideal_rouge_su4_recall",
    "ROUGE-SU4 recall",
    "The share of the golden ideal answers' words, and pairs with up to four between, that the ideal answer has.",
    words_and_pairs,
    0,
)
ROUGE_SU4_F1 = _of_ideal_answers(
    "ideal_rouge_su4_f1",
    "ROUGE-SU4 F1",
    "The harmonic mean of precision and recall of words, and pairs with up to four between, of the ideal answer.",
    words_and_pairs,
    1,
)
