"""Answers as texts, compared as SQuAD 1.1 compares them: exact match and F1 of CliCR.

    lower case; delete ASCII punctuation; replace the words a, an and the by a blank; collapse white space

Deleted punctuation leaves no blank: "non-small" becomes "nonsmall", and "vitamin A" becomes "vitamin". CliCR takes the
best value over all right answers (Šuster and Daelemans 2018, section 6). Of k candidates that share the highest score,
the protocol *expected* takes the mean over their texts; the other protocols take the answer on the line.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from statistics import fmean

import numpy as np

from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.measures.measure import Measure
from anagnosis.predictions import Matched

EXPECTED, AS_PUBLISHED = "expected", "as-published"
Words = tuple[str, ...]
# Of an answer beside the right ones, the best; all in words.
Value = Callable[[Words, Sequence[Words]], float]
_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = frozenset({"a", "an", "the"})
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_REMEMBERED = 1 << 16  # texts: a split repeats its answers and candidates

# What all measures of answers as texts declare alike.
declared = partial(
    Measure,
    kinds=("cloze",),
    free=True,
)


@lru_cache(_REMEMBERED)
def words(text: str) -> Words:
    """The words of an answer under SQuAD's normalisation."""
    plain = text.lower().translate(_PUNCTUATION)
    if plain.isascii() and plain.isprintable():
        # No sign but blanks is left, so an article is a word: a third of the pattern's time.
        parts = plain.split()
        return tuple(
            parts if _ARTICLES.isdisjoint(parts) else [each for each in parts if each not in _ARTICLES]
        )
    return tuple(_ARTICLE.sub(" ", plain).split())


def given_answers(gold: Gold, run: Matched, protocol: str) -> list[tuple[str, ...]]:
    """Of each instance the texts that answer it, each as likely as the others; empty where nothing does."""
    texts = [own[:1] for own in run.texts or [()] * len(gold)]
    if protocol == EXPECTED and run.top is not None:
        tied = [row for row, top in enumerate(run.top) if top]
        places = np.array([place for row in tied for place in run.top[row]], np.int64)
        called = iter(gold.first_names(places))
        for row in tied:
            texts[row] = tuple(next(called) for _ in run.top[row])
    return texts


def right_answers(gold: Gold) -> Iterator[tuple[int, tuple[str, ...]]]:
    """(row, right answers, the hidden text first) of each instance whose answer is known."""
    for row, entries in enumerate(gold.exact or ()):
        if entries is not None:
            yield row, entries[0] if len(entries) == 1 else tuple(text for entry in entries for text in entry)


def answered(
    gold: Gold, run: Matched, protocol: str
) -> Iterator[tuple[int, tuple[str, ...], tuple[str, ...]]]:
    """(row, the texts that answer, right answers) of each instance whose answer is known."""
    texts = given_answers(gold, run, protocol)
    return ((row, texts[row], right) for row, right in right_answers(gold))


def mean_of_best(value: Value, gold: Gold, run: Matched, protocol: str) -> Iterator[tuple[int, float]]:
    """(row, the best over the right answers, 0 without an answer) of each instance whose answer is known."""
    for row, texts, right in answered(gold, run, protocol):
        sides = [words(text) for text in right]
        if len(texts) == 1:
            yield row, value(words(texts[0]), sides)
        else:
            yield row, fmean(value(words(text), sides) for text in texts) if texts else 0.0


def exact_match(answer: Words, right: Sequence[Words]) -> float:
    """1 where a right answer has the same words in the same order; two texts without words are equal."""
    return float(answer in right)


EXACT_MATCH = declared(
    name="exact-match",
    title="exact match",
    what="Whether the answer equals a right one, by SQuAD's normalisation of texts.",
    values=partial(mean_of_best, exact_match),
    unit="percent",
    source="Šuster and Daelemans 2018, section 6",
)


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
    source="Šuster and Daelemans 2018, section 6; Rajpurkar et al. 2016",
)
