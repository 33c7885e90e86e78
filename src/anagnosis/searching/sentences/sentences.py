"""Sentences of passages, and titles of papers, with a score each: what is highlighted, and what is quoted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

import msgspec

from anagnosis.language.sentences import splitter
from anagnosis.searching.engines import Hit
from anagnosis.searching.passages import Passage

SPLITTER = "nupunkt"
TEXT, TITLE = "text", "title"  # where a quotation stands: fields of a passage
STRONG = 3  # of highlighting.STRENGTHS


class Sentence(msgspec.Struct, frozen=True, gc=False):
    """Characters [begin, end) of a passage's text or title, and how likely they are to answer.

    strength: 0 to 3, of highlighting.STRENGTHS; 0 is not marked.
    """

    begin: int
    end: int
    score: float
    strength: int = 0


class Evidence(msgspec.Struct, frozen=True):
    """A sentence of a passage, or its paper's title. text: as it stands there.

    rank: of the passage among those found, from 0. stands_in: TEXT or TITLE, whose characters `sentence` tells.
    """

    text: str
    sentence: Sentence
    rank: int
    passage: Passage
    stands_in: str = TEXT


@dataclass(frozen=True, slots=True)
class Found:
    """A passage among those that fit a question, with the score of each of its sentences, and of its paper's title.

    title: None where there is none, or nothing was scored.
    """

    hit: Hit
    sentences: list[Sentence]
    title: Sentence | None = None


def cut(passage: Passage) -> list[tuple[int, int]]:
    """[begin, end) of every sentence of a passage, in its order, without the blanks around it."""
    text, found = passage.text, list[tuple[int, int]]()
    for begin, end in _lines(text) if passage.section == "table" else splitter(SPLITTER)(text):
        sentence = text[begin:end].strip()
        if sentence:
            start = text.index(sentence, begin)
            found.append((start, start + len(sentence)))
    return found


def title_place(passage: Passage) -> tuple[int, int] | None:
    """[begin, end) of the title, one sentence whatever it holds, without blanks around it; None where it is blank."""
    title = passage.title.strip()
    begin = passage.title.find(title)
    return (begin, begin + len(title)) if title else None


def _lines(text: str) -> list[tuple[int, int]]:
    """The rows of a table, which have no full stops."""
    ends = [place + 1 for place, sign in enumerate(text) if sign == "\n"]
    return list(zip([0, *ends], [*ends, len(text)], strict=True))


def best(
    found: Iterable[tuple[Passage, list[Sentence]]],
    limit: int,
    titles: Iterable[tuple[Passage, Sentence | None]] = (),
    *,
    ranked: bool = False,
    unmarked: bool = False,
) -> list[Evidence]:
    """The best marked sentences of passages that are in the order of their rank; of equal ones the first.

    A score tells how a sentence fits beside the others of its passage, the rank how the passage fits; they are weighed
    as score / √(rank + 1), rank from 0; ranked: the rank is a part of the score already. Marked titles of the same
    passages come behind all sentences: where there is room, and a strong one in the last place if it fits better than
    the sentence there; the first place is a sentence's (design/highlighting.md). What stands in several passages is
    given once. unmarked: whether what has any score will do.
    """

    def fits(one: Sentence) -> bool:
        return bool(one.strength or (unmarked and one.score))

    every = [
        Evidence(passage.text[sentence.begin : sentence.end], sentence, rank, passage)
        for rank, (passage, sentences) in enumerate(found)
        for sentence in sentences
        if fits(sentence)
    ]
    behind = [
        Evidence(passage.title[title.begin : title.end], title, rank, passage, TITLE)
        for rank, (passage, title) in enumerate(titles)
        if title is not None and fits(title)
    ]
    order = _by_score if ranked else _by_score_and_rank
    kept: dict[str, Evidence] = {}
    for one in (*sorted(every, key=order), *sorted(behind, key=order)):
        kept.setdefault(" ".join(one.text.split()).casefold(), one)
    given, rest = list(kept.values())[:limit], list(kept.values())[limit:]
    strong = next((one for one in rest if one.stands_in == TITLE and one.sentence.strength == STRONG), None)
    if strong and len(given) > 1 and given[-1].stands_in == TEXT and order(strong) < order(given[-1]):
        given[-1] = strong
    return given


def _by_score(one: Evidence) -> tuple[float, int, int]:
    return -one.sentence.score, one.rank, one.sentence.begin


def _by_score_and_rank(one: Evidence) -> tuple[float, int, int]:
    return -one.sentence.score / sqrt(one.rank + 1), one.rank, one.sentence.begin
