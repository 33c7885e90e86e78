"""Whether a paper is about a question: whether it covers what the question names.

A word weighs its IDF in the collection (overlap.py). A paper covers a name of the question (subjects.py) if it has
OF_NAME of the name's weight: "heart failure" needs more than "heart". A paper is about the question if

- it covers NAMED of the names by number, or all where they are at most FEW,
- one of its sentences, or its title, covers two of them where there are two, so that the paper connects them, and
- it has COVERED of all words of the question by weight.

Discussions and backgrounds also name what others studied; of a background the aims and the last sentence count.
Chosen on BioASQ's editions 2 to 6 and PQA-L's training part; `benchmarks/aboutness.py` measures it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from anagnosis.language.sentence_kinds import AIM, ASKS, PROMISE, sentence_kind
from anagnosis.searching.conclusions.subjects import names_of
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.sentences.overlap import AskedWords, share
from anagnosis.searching.sentences.sentences import cut
from anagnosis.searching.words import words_of

COVERED = 0.55
OF_NAME = 0.5
NAMED = 2 / 3
FEW = 3
CONNECTED = 2  # names in one sentence
# Sections in which a paper also names what others studied.
_BACKGROUND = "background"
_AIMS = frozenset((AIM, ASKS, PROMISE))
OF_OTHERS = frozenset((_BACKGROUND, "discussion", "limitations"))


class PaperWords(NamedTuple):
    """The words of a paper's title and of what it says about its own work. sentences: those of each, title first."""

    every: frozenset[str]
    sentences: Sequence[frozenset[str]]


def words_of_paper(passages: Sequence[Passage], of: Callable[[str], Iterable[str]] = words_of) -> PaperWords:
    """The words of a paper's title, and of what it says about its own work. of: the words of a text."""
    sentences = [frozenset(of(text)) for text in own_texts(passages)]
    return PaperWords(frozenset[str]().union(*sentences), sentences)


def own_texts(passages: Sequence[Passage]) -> Iterator[str]:
    """A paper's title, headings, and sentences about its own work."""
    if passages:
        yield passages[0].title
    for passage in passages:
        if passage.section not in OF_OTHERS:
            yield passage.heading
            for begin, end in cut(passage):
                yield passage.text[begin:end]
        elif passage.section == _BACKGROUND:
            yield from _aims(passage)


def _aims(passage: Passage) -> list[str]:
    """The aims of a background, and its last sentence."""
    sentences = [passage.text[begin:end] for begin, end in cut(passage)]
    return [one for one in sentences[:-1] if sentence_kind(one) in _AIMS] + sentences[-1:]


def covered(asked: AskedWords, paper: PaperWords) -> float | None:
    """The share of the question's weight that a paper has; None if the paper is not about the question."""
    weights = asked.weights
    names = names_of(asked.question, weights, asked.equivalents)
    least = len(names) if len(names) <= FEW else math.ceil(NAMED * len(names) - 1e-9)
    connected = max((_names_in(names, weights, words) for words in paper.sentences), default=0)
    whole = share(weights, paper.every)
    is_about = (
        bool(names)
        and _names_in(names, weights, paper.every) >= least
        and connected >= min(CONNECTED, len(names))
        and whole >= COVERED
    )
    return whole if is_about else None


def _names_in(names: Iterable[tuple[str, ...]], weights: Mapping[str, float], present: frozenset[str]) -> int:
    """The number of names that the words cover."""
    return sum(
        share({stem: weights[stem] for stem in name}, present) >= OF_NAME - 1e-9
        for name in names
        if not present.isdisjoint(name)
    )
