"""Whether a paper is about a question: whether it covers what the question names.

"Does intranasal dexmedetomidine reduce emergence agitation?" names "intranasal dexmedetomidine" and "emergence
agitation". A name is a run of words between function words, punctuation other than a hyphen or slash, and the words of
WITHOUT_SUBJECT. A phrase for which the index has other names, such as a vocabulary's concept, is a name of its own:
"COVID-19 mortality" is two. A word in capitals is part of a name, except the first one.

WITHOUT_SUBJECT has words for relations, effects, judgements, people, and times. We took them from those that stand in
most questions of BioASQ's editions 2 to 6 and of PQA-L's training part, with their other forms, and left out those that
often belong to a name: gene, cell, cancer, women, activity, lead. Adverbs of time and of degree are there as a class.

A word weighs its IDF in the collection (overlap.py). A paper covers a name if it has OF_NAME of the name's weight:
"heart failure" needs more than "heart". A paper is about the question if

- it covers NAMED of the names by number, or all where they are at most FEW,
- one of its sentences, or its title, covers two of them where there are two, so that the paper connects them, and
- it has COVERED of all words of the question by weight.

Chosen on BioASQ's editions 2 to 6 and PQA-L's training part; `benchmarks/aboutness.py` measures it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files

from anagnosis.searching.analysis import ASKING, OF_GRAMMAR, OF_NO_MEANING
from anagnosis.searching.records.hits import Equivalent
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.sentences.overlap import AskedWords, share
from anagnosis.searching.sentences.sentences import cut
from anagnosis.searching.words import words_of

COVERED = 0.55
OF_NAME = 0.5
NAMED = 2 / 3
FEW = 3
CONNECTED = 2  # names in one sentence
# Relations and causes; directions; judgements; treating and testing; people and illness in general; times and amounts.
WITHOUT_SUBJECT = files("anagnosis.searching.conclusions").joinpath("without_subject.txt").read_text("utf-8")
_PART = re.compile(r"[^\W_]+|[^\w\s]")
_JOINING = frozenset("-‐‑–/'’")


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


def names_of(
    question: str, weights: Mapping[str, float], equivalents: Iterable[Equivalent] = ()
) -> list[tuple[str, ...]]:
    """The names of a question, each as its stems. weights: of the question's stems; other stems are left out."""
    phrases = [each.words for each in equivalents if len(each.words) > 1]
    names: list[tuple[str, ...]] = []
    for words in _runs(question):
        # Two words also count as one that is written with a hyphen: IL-2.
        joined = words_of("-".join(words)) if len(words) == 2 else []
        stems = dict.fromkeys(stem for stem in (*words_of(" ".join(words)), *joined) if stem in weights)
        for phrase in phrases:
            if phrase < stems.keys():
                names.append(tuple(stem for stem in stems if stem in phrase))
                stems = dict.fromkeys(stem for stem in stems if stem not in phrase)
        names.append(tuple(stems))
    return [name for name in names if any(len(stem) > 1 and not stem.isdigit() for stem in name)]


def _runs(question: str) -> Iterator[Sequence[str]]:
    """The runs of words that carry a subject."""
    shouted, words = question.isupper(), list[str]()
    for match in _PART.finditer(question):
        part = match[0]
        if part in _JOINING:
            continue
        is_name = part.isupper() and not shouted and match.start() > 0  # NO, and the A of vitamin A
        if part.isalnum() and (is_name or not without_subject().issuperset(words_of(part))):
            words.append(part)
        elif words:
            yield words
            words = []
    if words:
        yield words


@cache
def without_subject() -> frozenset[str]:
    """The stems of the words that name nothing."""
    return frozenset(words_of(f"{WITHOUT_SUBJECT} {OF_NO_MEANING} {ASKING} {OF_GRAMMAR}"))
