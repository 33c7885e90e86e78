"""Sentences of passages: cut them, select the best of hits, and quote them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import sqrt

from msgspec.structs import replace

from anagnosis.documents.document import NOTES
from anagnosis.documents.page_map import pages_of
from anagnosis.documents.states import STATES
from anagnosis.language.sentence_kinds import is_boilerplate
from anagnosis.language.sentences import splitter
from anagnosis.language.verbs import base_form, is_also_noun, is_third_person
from anagnosis.searching.analysis import function_word
from anagnosis.searching.passages import SPLITTER, pieces_of
from anagnosis.searching.records.hits import Hit, Sentence
from anagnosis.searching.records.passage import Evidence, Passage

_WORD = re.compile(r"[^\W\d_]{2}")  # a quotation has a word of two letters
LONGEST = 600  # characters of a quotation
_CLAUSE_END = re.compile(r"[;,]\s+|\n|[，；。]")
# "Background Tea and sleep": so much may stand before a title that is no sentence.
_BEFORE_TITLE = 25  # characters
_AUXILIARIES = frozenset(("is", "are", "was", "were", "has", "have", "does", "do", "can", "may"))
STRONG = 3  # of highlighting.STRENGTHS


def cut(passage: Passage) -> list[tuple[int, int]]:
    """[begin, end) of every sentence of a passage, in order, without surrounding blanks.

    One of more than LONGEST characters, such as a list, is cut at clauses, or between words (`surrounded`).
    """
    text, places = passage.text, list[tuple[int, int]]()
    for begin, end in _parts(passage):
        place = begin
        for piece in pieces_of(text[begin:end], LONGEST, _CLAUSE_END):
            if sentence := piece.strip():
                start = text.index(sentence, place)
                places.append((start, start + len(sentence)))
            place += len(piece)
    return places


def surrounded(one: Evidence) -> tuple[str, str]:
    """What stands before and behind a quotation in its sentence: "" unless it is a part of a longer one."""
    for begin, end in _parts(one.passage):
        if begin <= one.begin and one.end <= end:
            return one.passage.text[begin : one.begin].strip(), one.passage.text[one.end : end].strip()
    return "", ""


def _parts(passage: Passage) -> list[tuple[int, int]]:
    """[begin, end) of every sentence. Rows of a table and paragraphs of notes may have no full stop."""
    split, text = splitter(SPLITTER), passage.text
    if passage.section == "table":
        return _lines(text)
    if passage.section == NOTES:
        lines = _lines(text)
        return [(at + begin, at + end) for at, stop in lines for begin, end in split(text[at:stop])]
    return split(text)


def _lines(text: str) -> list[tuple[int, int]]:
    ends = [place + 1 for place, sign in enumerate(text) if sign == "\n"]
    return list(zip([0, *ends], [*ends, len(text)], strict=True))


def best(hits: Iterable[Hit], limit: int) -> list[Evidence]:
    """The best sentences of hits, which come by rank; of equal ones the first.

    A reader's score compares a sentence with the others of its passage, the rank compares passages, so the score of a
    quotation is the reader's divided by √rank, rank from 1. Sentences below every threshold are quoted too where
    there are no others: a reader orders the list, and never shortens it.
    """
    sentences = list[Evidence]()
    for place, hit in enumerate(hits, 1):
        rank = hit.rank or place
        own = [replace(one, score=one.score / sqrt(rank)) for one in hit.sentences]
        sentences += [quoted(one, hit.passage, rank) for one in own]
    return chosen(sentences, limit)


def chosen(sentences: Iterable[Evidence], limit: int) -> list[Evidence]:
    """At most `limit` quotations by falling score, which is not 0.

    A text that several papers have comes once: of a paper that stands, if there is any.
    """
    kept: dict[str, Evidence] = {}
    for one in sorted((one for one in sentences if one.score and _is_evidence(one)), key=_by_score):
        other = kept.setdefault(plain(one.text), one)
        if _doubted(one.passage) < _doubted(other.passage):
            kept[plain(one.text)] = one
    return sorted(kept.values(), key=_by_score)[:limit]


def _is_evidence(one: Evidence) -> bool:
    """Whether a quotation says something: it is no cell of a table, and no title, alone or with a section's label."""
    text, title = (plain(each).rstrip(".") for each in (one.text, one.passage.title))
    section = one.passage.section
    if section == "table" or "\t" in one.text:
        return False
    if title and section != "title" and text.endswith(title) and _is_label(text.removesuffix(title), title):
        # "Tea cures baldness." may be all that a paper concludes.
        return text == title and section == "conclusion" and any(map(_is_verb, text.split()))
    return _WORD.search(text) is not None and not is_boilerplate(one.text)


def _is_verb(word: str) -> bool:
    """Whether a word in lower case is a verb of a statement, and no noun: "is", "prevents"."""
    return word in _AUXILIARIES or (is_third_person(word) and not is_also_noun(base_form(word)))


def _is_label(before: str, title: str) -> bool:
    """Whether what stands before a title labels it, unlike "We found that" and "To assess"."""
    words = {*re.findall(r"\w+", before)} - {"and", "of"}
    return len(before) <= min(_BEFORE_TITLE, len(title)) and not any(map(function_word, words))


def _doubted(passage: Passage) -> tuple[bool, bool]:
    return not passage.counted, any(STATES[notice.kind].is_grave for notice in passage.notices)


def plain(text: str) -> str:
    """A sentence without the case and blanks that tell no two apart."""
    return " ".join(text.split()).casefold()


def quoted(one: Sentence, passage: Passage, rank: int) -> Evidence:
    """A sentence of a passage, verbatim. rank: of the passage among the hits, from 1."""
    text, pages = passage.text[one.begin : one.end], pages_of(passage.page_map, one.begin, one.end)
    return Evidence(text, one.begin, one.end, one.score, one.strength, rank, passage, pages=pages)


def _by_score(one: Evidence) -> tuple[float, int, int]:
    return -one.score, one.rank, one.begin
