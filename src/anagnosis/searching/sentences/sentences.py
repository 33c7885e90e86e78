"""Sentences of passages: cut them, select the best of hits, and quote them."""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt
from typing import Literal

from anagnosis.language.sentences import splitter
from anagnosis.searching.records.answers import TEXT, TITLE, Evidence, Hit, Sentence
from anagnosis.searching.records.passage import Passage

SPLITTER = "nupunkt"
STRONG = 3  # of highlighting.STRENGTHS


def cut(passage: Passage) -> list[tuple[int, int]]:
    """[begin, end) of every sentence of a passage, in order, without surrounding blanks."""
    text, places = passage.text, list[tuple[int, int]]()
    for begin, end in _lines(text) if passage.section == "table" else splitter(SPLITTER)(text):
        sentence = text[begin:end].strip()
        if sentence:
            start = text.index(sentence, begin)
            places.append((start, start + len(sentence)))
    return places


def title_place(passage: Passage) -> tuple[int, int] | None:
    """[begin, end) of the title without surrounding blanks, as one sentence; None for a blank title."""
    title = passage.title.strip()
    begin = passage.title.find(title)
    return (begin, begin + len(title)) if title else None


def _lines(text: str) -> list[tuple[int, int]]:
    """The rows of a table, which have no full stops."""
    ends = [place + 1 for place, sign in enumerate(text) if sign == "\n"]
    return list(zip([0, *ends], [*ends, len(text)], strict=True))


def best(hits: Iterable[Hit], limit: int, *, ranked: bool = False, unmarked: bool = False) -> list[Evidence]:
    """The best highlighted sentences of hits, which come by rank; of equal ones the first.

    A score compares a sentence with the others of its passage, the rank compares passages, so the order is by
    score / √rank, rank from 1. Highlighted titles of the passages come after all sentences, if there is room; a strong
    title takes the last place if it fits better than the sentence there, but never the first place
    (design/highlighting.md). A sentence that several passages have comes once. ranked: scores include the rank already.
    unmarked: include sentences that are not highlighted.
    """

    def fits(one: Sentence) -> bool:
        return bool(one.strength or (unmarked and one.score))

    sentences, titles = list[Evidence](), list[Evidence]()
    for place, hit in enumerate(hits, 1):
        rank = hit.rank or place
        sentences += [quoted(one, hit.passage, rank) for one in hit.sentences if fits(one)]
        if hit.title is not None and fits(hit.title):
            titles.append(quoted(hit.title, hit.passage, rank, TITLE))
    order = _by_score if ranked else _by_score_and_rank
    kept: dict[str, Evidence] = {}
    for one in (*sorted(sentences, key=order), *sorted(titles, key=order)):
        kept.setdefault(" ".join(one.text.split()).casefold(), one)
    given, rest = list(kept.values())[:limit], list(kept.values())[limit:]
    strong = next((one for one in rest if one.stands_in == TITLE and one.strength == STRONG), None)
    if strong and len(given) > 1 and given[-1].stands_in == TEXT and order(strong) < order(given[-1]):
        given[-1] = strong
    return given


def quoted(
    one: Sentence, passage: Passage, rank: int, stands_in: Literal["text", "title"] = TEXT
) -> Evidence:
    """A sentence of a passage, or its title, verbatim. rank: of the passage among the hits, from 1."""
    text = passage.text if stands_in == TEXT else passage.title
    return Evidence(
        text[one.begin : one.end], one.begin, one.end, one.score, one.strength, rank, passage, stands_in
    )


def _by_score(one: Evidence) -> tuple[float, int, int]:
    return -one.score, one.rank, one.begin


def _by_score_and_rank(one: Evidence) -> tuple[float, int, int]:
    return -one.score / sqrt(one.rank), one.rank, one.begin
