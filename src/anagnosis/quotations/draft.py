"""What a draft in Markdown or plain text quotes, and which papers it names beside each quotation.

A quotation has LEAST words or more, between marks of any language or in a block quote. Code and comments are skipped,
and a citation at the end of a quotation is no part of it.
Papers are named by a PMID, a PMC number, a DOI, the address of one, or a key of a bibliography (@key).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import chain, pairwise
from typing import NamedTuple

import msgspec

from anagnosis.documents.identifiers import without_end

LEAST = 5  # words
LONGEST = 5_000  # characters of a quotation
KEY = "@"
"""In front of a bibliography's key."""
_PAIRS = ("“”", "„“", "„”", "«»", "»«", "‹›", "「」", "‘’")
_NO_LETTER = r"(?![^\W\d²³¹⁰⁴-⁹])"  # behind the end of a quotation; the number of a note is no letter
_QUOTED = re.compile(
    "|".join(
        (
            *(rf"{a}[^{a}{b}]{{1,{LONGEST}}}{b}{_NO_LETTER}" for a, b in _PAIRS),
            *(rf"(?<![\w.,;:!?{a}]){a}[^{a}]{{1,{LONGEST}}}{a}{_NO_LETTER}" for a in '"”»'),
            rf"(?<![\w'])'(?=\S)(?:[^'\n]|(?<=\w)'(?=\w)|\n(?!\n)){{1,{LONGEST}}}'(?!'){_NO_LETTER}",
            r'[“„«「]|(?<![\w.,;:!?"])"(?=\w)',  # a mark that nothing closes
        )
    )
)
_MARKS = "“”„«»‹›「」‘’\"'` \n\t"
_WORD = re.compile(r"[^\W_]+")
_CODE = re.compile(
    r"^(`{3,}+|~{3,}+)[^\n]*+\n.*?(?:^\1[`~]*[ \t]*$|\Z)|<!--.*?(?:-->|\Z)|(?<!`)(``?)[^`\n]+\2(?!`)",
    re.M | re.S,
)
_NO_LINE = re.compile(r"[^\n]")
_OF_QUOTE = re.compile(r"^(?:[ \t]*>[ \t]?)+", re.M)
_BLOCK = re.compile(r"(?:^[^\S\n]*>[^\n]*\n?)+|(?:^[^\S\n]*[^\s>][^\n]*\n?)+", re.M)
_NAME = (
    r"\bPMIDs?\s?:?\s?[1-9]\d{0,9}\b(?:(?:[,;]|\sand)\s[1-9]\d{4,8}\b)*|\bPMC\d{1,10}\b"
    r"|\bncbi\.nlm\.nih\.gov/(?:pubmed/)?[1-9]\d{0,9}\b"
    r"|\b10\.\d{4,9}/[^\s\"“”«»`]{1,300}|(?<![\w.@])@\w[\w:.#$%&+?<>~/-]{0,200}"
)
_ADDRESSED = rf"(?:\bdoi:?\s?)?(?:https?://[\w./]{{1,60}}?)?(?:{_NAME})"
_PLACE = rf"{_ADDRESSED}(?:(?:[ \t;,:&()\[\]]|\n(?!\n))*+(?:(?:and|see)\s)?{_ADDRESSED})*"
_SOURCE = re.compile(r"\s*(?:—|–|--|[(\[@])")
_CITATION = re.compile(
    rf"(?:\n[ \t>]*(?:—|–|--)[^\n]*|\s*(?:[(\[][^()\[\]]{{0,200}})?{_PLACE})[\s()\[\]{{}}.,;:*_~>\"'”’»]*\Z",
    re.I,
)
_LONGEST_CITATION = 500  # characters
_NEAR = 2_000  # characters between a quotation and the name of its paper
_APART = 2  # a name is no quotation's where so much lies between them
_RIGHT_BEHIND = re.compile(r"\W*(?:[(\[][^()\[\]]*)?")
_SENTENCE_ENDS = re.compile(r"[.?!][\"'”’»)\]]*\s+(?=[^\Wa-z\d_]|[“\"„«])")


class Quotation(msgspec.Struct, frozen=True):
    """A quotation as the draft has it. line: from 1. named: papers beside it, "pmid:31", "10.1/x", "@key"."""

    text: str
    line: int
    named: tuple[str, ...] = ()


class Draft(msgspec.Struct, frozen=True):
    """named: all papers of the draft, in its order. unclosed: lines of what has no end within LONGEST characters."""

    quotations: tuple[Quotation, ...]
    named: tuple[str, ...]
    unclosed: tuple[int, ...]


class _Place(NamedTuple):
    """Characters [begin, end) of a draft that name papers, one behind the other."""

    begin: int
    end: int
    papers: tuple[str, ...]


def read_draft(text: str) -> Draft:
    """What a draft quotes and names. Time and memory are linear in its length."""
    text = _CODE.sub(
        lambda match: _NO_LINE.sub(" ", match[0]), text.replace("\r\n", "\n").replace("\r", "\n")
    )
    found = (_Place(*match.span(), _papers(match[0])) for match in re.finditer(_PLACE, text, re.I))
    places = [_Place(-1, -1, ()), *found, _Place(len(text), len(text), ())]
    lines = [match.start() for match in re.finditer(r"\n", text)]
    blocks = [(0, 0), *(match.span() for match in _BLOCK.finditer(text)), (0, 0)]
    quotations, unclosed = list[Quotation](), list[int]()
    for previous, (begin, end), following in zip(blocks, blocks[1:], blocks[2:], strict=False):
        if _OF_QUOTE.match(text, begin):
            first, last = previous[0], following[1] if _SOURCE.match(text, *following) else end
            spans = [(begin, end)]
        else:
            first, last = begin, end
            spans = [match.span() for match in _QUOTED.finditer(text, begin, end)]
        for (start, stop), (until, _) in pairwise([*spans, (last, last)]):
            citation = _CITATION.search(text, max(start, stop - _LONGEST_CITATION), stop)
            edge = citation.start() if citation else stop
            quoted = _OF_QUOTE.sub("", text[start:edge]).strip(_MARKS)
            line = bisect_left(lines, start) + 1
            if stop - start == 1 or len(quoted) > LONGEST:
                unclosed.append(line)
            elif len(_WORD.findall(quoted)) >= LEAST:
                named = _beside(text, places, (start, edge, stop), (first, until, last))
                quotations.append(Quotation(quoted, line, named))
    every = dict.fromkeys(chain(*(one.papers for one in places)))
    return Draft(tuple(quotations), tuple(every), tuple(dict.fromkeys(unclosed)))


def _papers(place: str) -> tuple[str, ...]:
    """The papers of a match of _PLACE."""
    found = list[str]()
    for name in re.findall(_NAME, place, re.I):
        if name[:3].upper() == "PMC":
            found.append(name.upper())
        elif name.startswith(("10.", KEY)):
            found.append(without_end(name.rstrip("*_")))
        else:
            found += [f"pmid:{number}" for number in re.findall(r"\d+", name)]
    return tuple(dict.fromkeys(found))


def _beside(
    text: str, places: list[_Place], quotation: tuple[int, int, int], around: tuple[int, int, int]
) -> tuple[str, ...]:
    """The papers named beside a quotation, of which [edge, end) may be a citation. around: where what is beside it
    begins, the next quotation, and its end.

    Those right behind it, else those at its end, else of the places behind and before it that from which less parts it:
    the end of a sentence, the next quotation. If nothing does, either may be meant ("PMID 1 says … and PMID 2 says …").
    """
    (begin, edge, end), (first, until, last) = quotation, around

    def apart(place: _Place) -> int:
        is_behind = place.begin >= end
        edges = (end - 1, place.begin + 1) if is_behind else (place.end, begin + 1)
        if not first <= place.begin < last or edges[1] - edges[0] > _NEAR:
            return _APART
        return bool(_SENTENCE_ENDS.search(text, *edges)) + (is_behind and place.begin >= until)

    behind, before = places[bisect_left(places, (end,))], places[bisect_left(places, (begin,)) - 1]
    is_right_behind = not apart(behind) and _RIGHT_BEHIND.fullmatch(text, end, behind.begin)
    if not is_right_behind and (at_end := _papers(text[edge:end])):
        return at_end
    if not (is_right_behind or apart(behind) or apart(before)):
        return tuple(dict.fromkeys(behind.papers + before.papers))
    nearest = min(behind, before, key=apart)
    return nearest.papers if apart(nearest) < _APART else ()
