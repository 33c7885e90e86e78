"""Sentences of passages: cut them, select the best of hits, and quote them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import sqrt
from typing import Literal

from anagnosis.documents.page_map import pages_of
from anagnosis.documents.states import STATES
from anagnosis.language.sentence_kinds import is_boilerplate
from anagnosis.language.sentences import splitter
from anagnosis.searching.passages import SPLITTER
from anagnosis.searching.records.hits import Hit, Sentence
from anagnosis.searching.records.passage import TEXT, TITLE, Evidence, Passage

_WORD = re.compile(r"[^\W\d_]{2}")  # a quotation has a word of two letters
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


def best(hits: Iterable[Hit], limit: int) -> list[Evidence]:
    """The best sentences of hits, which come by rank; of equal ones the first.

    A reader's score compares a sentence with the others of its passage, the rank compares passages, so the score of a
    quotation is the reader's divided by √rank, rank from 1. Sentences below every threshold are quoted too where
    there are no others: a reader orders the list, and never shortens it.
    """
    sentences, titles = list[Evidence](), list[Evidence]()
    for place, hit in enumerate(hits, 1):
        rank = hit.rank or place
        divisor = sqrt(rank)
        sentences += [quoted(one, hit.passage, rank, score=one.score / divisor) for one in hit.sentences]
        if hit.title is not None:
            score = hit.title.score / divisor
            titles.append(quoted(hit.title, hit.passage, rank, TITLE, score=score))
    return chosen(sentences, titles, limit)


def chosen(sentences: Iterable[Evidence], titles: Iterable[Evidence], limit: int) -> list[Evidence]:
    """At most `limit` quotations by falling score; a text that several papers have comes once, and score 0 never.

    A highlighted title takes part where there is room; a strong one takes the last place if its score is higher than
    that of the sentence there. No title comes first (design/answers.md).
    """
    of_text = _each_once(sentences)
    given = of_text[:limit]
    texts = {plain(one.text) for one in of_text}
    fitting = [one for one in _each_once(titles) if one.strength and plain(one.text) not in texts]
    room = limit - len(given)
    added = fitting[:room]
    strong = next((one for one in fitting[len(added) :] if one.strength == STRONG), None)
    if strong and len(given) > 1 and not added and strong.score > given[-1].score:
        given, added = given[:-1], [strong]
    return [*given[:1], *sorted([*given[1:], *added], key=_by_score)]


def _each_once(every: Iterable[Evidence]) -> list[Evidence]:
    """The first quotation of each text, by falling score, which is not 0: of a paper that stands if there is any."""
    kept: dict[str, Evidence] = {}
    for one in sorted((one for one in every if one.score and _is_evidence(one.text)), key=_by_score):
        other = kept.setdefault(plain(one.text), one)
        if _doubted(one.passage) < _doubted(other.passage):
            kept[plain(one.text)] = one
    return sorted(kept.values(), key=_by_score)


def _is_evidence(text: str) -> bool:
    return _WORD.search(text) is not None and not is_boilerplate(text)


def _doubted(passage: Passage) -> tuple[bool, bool]:
    return not passage.counted, any(STATES[notice.kind].is_grave for notice in passage.notices)


def plain(text: str) -> str:
    """A sentence without the case and blanks that tell no two apart."""
    return " ".join(text.split()).casefold()


def quoted(
    one: Sentence,
    passage: Passage,
    rank: int,
    stands_in: Literal["text", "title"] = TEXT,
    score: float | None = None,
) -> Evidence:
    """A sentence of a passage, or its title, verbatim.

    rank: of the passage among the hits, from 1. score: in place of the sentence's.
    """
    text = passage.text if stands_in == TEXT else passage.title
    value = one.score if score is None else score
    pages = pages_of(passage.page_map, one.begin, one.end) if stands_in == TEXT else ()
    return Evidence(
        text[one.begin : one.end],
        *(one.begin, one.end, value, one.strength, rank, passage, stands_in),
        pages=pages,
    )


def _by_score(one: Evidence) -> tuple[float, int, int]:
    return -one.score, one.rank, one.begin
