"""Sentences of passages with a score each: what is highlighted, and what is quoted."""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt

import msgspec

from anagnosis.language.sentences import splitter
from anagnosis.searching.passages import Passage

SPLITTER = "nupunkt"


class Sentence(msgspec.Struct, frozen=True, gc=False):
    """Characters [begin, end) of a passage's text, and how likely they are to answer.

    strength: 0 to 3, of highlighting.STRENGTHS; 0 is not marked.
    """

    begin: int
    end: int
    score: float
    strength: int = 0


class Evidence(msgspec.Struct, frozen=True):
    """A sentence of a passage. text: as it stands there. rank: of the passage among those found, from 0."""

    text: str
    sentence: Sentence
    rank: int
    passage: Passage


def cut(passage: Passage) -> list[tuple[int, int]]:
    """[begin, end) of every sentence of a passage, in its order, without the blanks around it."""
    text, found = passage.text, list[tuple[int, int]]()
    for begin, end in _lines(text) if passage.section == "table" else splitter(SPLITTER)(text):
        sentence = text[begin:end].strip()
        if sentence:
            start = text.index(sentence, begin)
            found.append((start, start + len(sentence)))
    return found


def _lines(text: str) -> list[tuple[int, int]]:
    """The rows of a table, which have no full stops."""
    ends = [place + 1 for place, sign in enumerate(text) if sign == "\n"]
    return list(zip([0, *ends], [*ends, len(text)], strict=True))


def best(found: Iterable[tuple[Passage, list[Sentence]]], limit: int) -> list[Evidence]:
    """The best marked sentences of passages that are in the order of their rank; of equal ones the first.

    A score tells how a sentence fits beside the others of its passage, the rank how the passage fits; they are weighed
    as score / √(rank + 1), rank from 0 (design/highlighting.md). A sentence that stands in several passages is given
    once.
    """
    every = [
        Evidence(passage.text[sentence.begin : sentence.end], sentence, rank, passage)
        for rank, (passage, sentences) in enumerate(found)
        for sentence in sentences
        if sentence.strength
    ]
    every.sort(key=lambda one: (-one.sentence.score / sqrt(one.rank + 1), one.rank, one.sentence.begin))
    kept = {" ".join(one.text.split()).casefold(): one for one in reversed(every)}
    return [one for one in every if kept[" ".join(one.text.split()).casefold()] is one][:limit]
