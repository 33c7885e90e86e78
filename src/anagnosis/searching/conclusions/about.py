"""Whether a paper is about a question: whether it covers what the question names.

A word weighs its IDF in the collection (overlap.py). A paper covers a name of the question (subjects.py) if it has
OF_NAME of the name's weight: "heart failure" needs more than "heart". A paper is about the question if

- it covers NAMED of the names by number, or all where they are at most FEW,
- one of its sentences, or its title, covers two of them where there are two, so that the paper connects them, and
- it has COVERED of all words of the question by weight.

Chosen on BioASQ's editions 2 to 6 and PQA-L's training part; `benchmarks/aboutness.py` measures it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from anagnosis.searching.conclusions.subjects import names_of
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.sentences.overlap import AskedWords, share
from anagnosis.searching.sentences.sentences import cut

COVERED = 0.55
OF_NAME = 0.5
NAMED = 2 / 3
FEW = 3
CONNECTED = 2  # names in one sentence


def covered(asked: AskedWords, passages: Sequence[Passage]) -> float | None:
    """The share of the question's weight that a paper has; None if the paper is not about the question.

    passages: of the paper.
    """
    weights = asked.weights
    sentences = [asked.of(text) for text in _texts(passages)]
    every = frozenset[str]().union(*sentences)
    names = names_of(asked.question, weights, asked.equivalents)
    least = len(names) if len(names) <= FEW else math.ceil(NAMED * len(names) - 1e-9)
    connected = max((_names_in(names, weights, words) for words in sentences), default=0)
    whole = share(weights, every)
    is_about = (
        bool(names)
        and _names_in(names, weights, every) >= least
        and connected >= min(CONNECTED, len(names))
        and whole >= COVERED
    )
    return whole if is_about else None


def _texts(passages: Sequence[Passage]) -> Iterator[str]:
    """A paper's title, headings, and sentences."""
    if passages:
        yield passages[0].title
    for passage in passages:
        yield passage.heading
        for begin, end in cut(passage):
            yield passage.text[begin:end]


def _names_in(names: Iterable[tuple[str, ...]], weights: Mapping[str, float], present: frozenset[str]) -> int:
    """The number of names that the words cover."""
    return sum(
        share({stem: weights[stem] for stem in name}, present) >= OF_NAME - 1e-9
        for name in names
        if not present.isdisjoint(name)
    )
