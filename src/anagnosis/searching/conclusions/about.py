"""Whether a paper is about a question: whether its words cover the question's.

A word weighs its IDF in the collection (overlap.py). The rarer words, which name what the question is about, are those
of more than one letter and at least the mean weight. A paper is about the question if it has COVERED of all words by
weight, and of the rarer ones NAMED by number, or all where they are at most FEW: "vitamin", "supplementation" and
"fractures". Discussions and backgrounds also name what others studied; of a background the aims and the last sentence
count. `benchmarks/conclusions.py asked` measures it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from anagnosis.language.sentence_kinds import AIM, ASKS, PROMISE, sentence_kind
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.sentences.overlap import share
from anagnosis.searching.sentences.sentences import cut
from anagnosis.searching.words import words_of

COVERED = 0.65
NAMED = 2 / 3
FEW = 3
# Sections in which a paper also names what others studied.
_BACKGROUND = "background"
_AIMS = frozenset((AIM, ASKS, PROMISE))
OF_OTHERS = frozenset((_BACKGROUND, "discussion", "limitations"))


def words_of_paper(
    passages: Sequence[Passage], of: Callable[[str], Iterable[str]] = words_of
) -> frozenset[str]:
    """The words of a paper's title, and of what it says about its own work. of: the words of a text."""
    texts = [passages[0].title] if passages else []
    for passage in passages:
        if passage.section not in OF_OTHERS:
            texts += [passage.heading, passage.text]
        elif passage.section == _BACKGROUND:
            texts += _aims(passage)
    return frozenset(word for text in texts for word in of(text))


def all_words_of_paper(
    passages: Sequence[Passage], of: Callable[[str], Iterable[str]] = words_of
) -> frozenset[str]:
    """The words of a paper's title, headings and texts. of: the words of a text."""
    texts = [passages[0].title] if passages else []
    for passage in passages:
        texts += [passage.heading, passage.text]
    return frozenset(word for text in texts for word in of(text))


def _aims(passage: Passage) -> list[str]:
    """The aims of a background, and its last sentence."""
    sentences = [passage.text[begin:end] for begin, end in cut(passage)]
    return [one for one in sentences[:-1] if sentence_kind(one) in _AIMS] + sentences[-1:]


def rarer(weights: Mapping[str, float]) -> list[str]:
    """The words of at least the mean weight, without single letters, which belong to the word before them."""
    mean = math.fsum(weights.values()) / len(weights) if weights else 0.0
    return [word for word, weight in weights.items() if weight >= mean and len(word) > 1]


def covered(weights: Mapping[str, float], paper_words: Iterable[str]) -> float | None:
    """The share of the question's weight that a paper has; None if the paper is not about the question."""
    present = frozenset(paper_words)
    named = rarer(weights)
    whole = share(weights, present)
    least = len(named) if len(named) <= FEW else math.ceil(NAMED * len(named) - 1e-9)
    is_about = bool(named) and whole >= COVERED and len(present.intersection(named)) >= least
    return whole if is_about else None
