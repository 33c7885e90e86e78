"""What a draft in Markdown or plain text quotes, and which papers it names beside each quotation.

A quotation has LEAST words or more, between marks of any language or in a block quote. Code and comments are skipped,
and a citation at the end of a quotation is no part of it.
Papers are named by a PMID, a PMC number, a DOI or the address of one, by a key of a bibliography (@key), or
by a note or number ([^1], [12], ², (12) behind a mark) whose line at the end of the draft has one of these.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

import msgspec

from anagnosis.documents.identifiers import without_end

LEAST = 5  # words
LONGEST = 5_000  # characters of a quotation
KEY = "@"
"""In front of a bibliography's key."""
_PAIRS = ("“”", "„“", "„”", "«»", "»«", "‹›", "「」", "‘’")
_RAISED = "²³¹⁰⁴-⁹"
_NO_WORD = rf"(?![^\W{_RAISED}])"  # behind the end of a quotation; the number of a note is no word
_BETWEEN = "|".join(
    (
        *(rf"{a}[^{a}{b}]{{1,{LONGEST}}}{b}{_NO_WORD}" for a, b in _PAIRS),
        rf'(?<![\w.,;:!?"])"[^"]{{1,{LONGEST}}}"{_NO_WORD}',
        rf"(?<![\w'])'(?=\S)(?:[^'\n]|(?<=\w)'(?=\w)|\n(?!\n)){{1,{LONGEST}}}'(?!'){_NO_WORD}",
    )
)
_QUOTED = re.compile(_BETWEEN)
_OPENING = re.compile(r"[“„«「]|(?<![\w.,;:!?\"])\"(?=\w)")
_MARKS = "“”„«»‹›「」‘’\"'` \n\t"
_HTML = re.compile(r"^[ \t]*<blockquote[^<>\n]{0,200}>((?:(?!<blockquote).)*?)</blockquote>", re.M | re.S)
_WORD = re.compile(r"[^\W_]+")
_CODE = re.compile(
    r"^(`{3,}+|~{3,}+)[^\n]*+\n.*?(?:^\1[`~]*[ \t]*$|\Z)|<!--.*?(?:-->|\Z)|(?<!`)`[^`\n]+`(?!`)",
    re.M | re.S,
)
_NO_LINE = re.compile(r"[^\n]")
_OF_QUOTE = re.compile(r"^[ \t]{0,3}>[ \t]?", re.M)
_SOURCE = re.compile(r"(?:^|\n)[ \t>]*(?:—|–|--)[^\n]*\Z")
_STARTS_WITH_SOURCE = re.compile(r"(?:—|–|--|[(\[@])")
_AFTER_CITATION = re.compile(r"[\s()\[\]{}.,;:*_~>\"'”’»]*")
_BEFORE_CITATION = re.compile(r"\s*(?:[(\[][^()\[\]]*|\bdoi:?\s*|https?://\S*)\Z")
_NEAR = 2_000  # characters between a quotation and the name of its paper
_MOST_NOTES = 30  # of a range such as [3-7]
_NUMBERS = r"\d{1,3}(?:\s?[,–-]\s?\d{1,3}){0,20}"
_NAMED = re.compile(
    r"\bPMID\s?:?\s?(?P<pmid>[1-9]\d{0,9})\b|pubmed\.ncbi\.nlm\.nih\.gov/(?P<address>[1-9]\d{0,9})"
    r"|(?P<pmcid>\bPMC\d{1,10})\b|(?P<doi>\b10\.\d{4,9}/[^\s\"“”«»`]{1,300})"
    r"|(?<![\w@.])@(?P<key>\w[\w:.#$%&+?<>~/-]{0,200})"
    rf"|\[(?P<notes>\^[^\]\s]{{1,50}}|{_NUMBERS})\](?!:)|(?:(?<=[\"'”’»])|(?<=[\"'”’»]\s))\((?P<round>{_NUMBERS})\)"
    rf"|(?<=[\"'”’».,])(?P<raised>[{_RAISED}]{{1,3}})(?!\w)",
    re.IGNORECASE,
)
_NOTE = re.compile(
    r"^[ \t]{0,3}(?:\[(?P<a>\^[^\]\s]{1,50}|\d{1,3})\]:?|(?P<b>\d{1,3})[.)])[ \t]+"
    r"(?P<text>\S[^\n]*(?:\n[ \t]+\S[^\n]*)*)",
    re.M,
)
_SENTENCE_ENDS = re.compile(r"[.?!][\"'”’»)\]]*\s+(?=[^\Wa-z\d_]|[“\"„«])")
_SAME_PLACE = re.compile(
    r"[\s;,&()\[\]]*(?:and|see|doi:?|pmid:?|pmcid:?|https?://(?:dx\.)?doi\.org/)?[\s;,:&()\[\]]*", re.I
)


class Quotation(msgspec.Struct, frozen=True):
    """A quotation as the draft has it. line: from 1. named: papers beside it, "pmid:31", "10.1/x", "@key",
    each with one identifier or several, "10.1/x pmid:31"."""

    text: str
    line: int
    named: tuple[str, ...] = ()


class Draft(msgspec.Struct, frozen=True):
    """named: all papers of the draft, in its order. unclosed: lines of what has no end within LONGEST characters."""

    quotations: tuple[Quotation, ...]
    named: tuple[str, ...]
    unclosed: tuple[int, ...]


class _Named(NamedTuple):
    """Papers at [begin, end) of the draft."""

    begin: int
    end: int
    papers: tuple[str, ...]


def read_draft(text: str) -> Draft:
    """What a draft quotes and names. Time and memory are linear in its length."""
    text = _CODE.sub(
        lambda match: _NO_LINE.sub(" ", match[0]), text.replace("\r\n", "\n").replace("\r", "\n")
    )
    text = _HTML.sub(_as_block, text)
    references = _references(text)
    notes = {number: one.papers for number, one in reversed(references)}
    places = [found for match in _NAMED.finditer(text) if (found := _named(match, notes)).papers]
    for _, one in references:
        within = slice(bisect_left(places, one[:1]), bisect_left(places, (one.end,)))
        if len(one.papers) == 1:
            places[within] = [place._replace(papers=one.papers) for place in places[within]]
    lines = [match.start() for match in re.finditer(r"\n", text)]
    quotations, unclosed = list[Quotation](), list[int]()

    def take(begin: int, end: int, papers: tuple[str, ...]) -> None:
        quoted = _OF_QUOTE.sub("", text[begin : _without_citation(text, places, begin, end)]).strip(_MARKS)
        line = bisect_left(lines, begin) + 1
        if len(quoted) > LONGEST:
            unclosed.append(line)
        elif len(_WORD.findall(quoted)) >= LEAST:
            quotations.append(Quotation(quoted, line, papers))

    edges = [(0, 0), *_blocks(text), (len(text), len(text))]
    for previous, (begin, end), following in zip(edges, edges[1:], edges[2:], strict=False):
        block = text[begin:end]
        if _OF_QUOTE.match(block):
            before, there, after = (_within(places, *each) for each in (previous, (begin, end), following))
            is_source = _STARTS_WITH_SOURCE.match(text[following[0] : following[0] + 9].lstrip())
            last = begin + len(_SOURCE.sub("", block.rstrip()))
            behind = _within(places, _without_citation(text, places, begin, last), end)
            ordered = (behind, after if is_source else (), before[::-1], after, there)
            take(begin, last, _first(text, ordered))
            continue
        spans = [(begin + match.start(), begin + match.end()) for match in _QUOTED.finditer(block)]
        rest = _QUOTED.sub(lambda match: " " * len(match[0]), block)
        unclosed += [bisect_left(lines, begin + match.start()) + 1 for match in _OPENING.finditer(rest)]
        for span, (until, _) in zip(spans, [*spans, (end, end)][1:], strict=True):
            take(*span, _beside(text, places, span, (begin, until, end)))
    named = dict.fromkeys(chain(*(one.papers for one in places)))
    return Draft(tuple(quotations), tuple(named), tuple(dict.fromkeys(unclosed)))


def _as_block(match: re.Match[str]) -> str:
    """A block quote of HTML as one of Markdown, with as many lines."""
    return "> " + match[1].replace("\n", "\n> ")


def _blocks(text: str) -> list[tuple[int, int]]:
    """The paragraphs and block quotes of a text."""
    blocks, at, kind = [(0, 0)], 0, ""
    for line in text.splitlines(keepends=True):
        before, kind = kind, line.lstrip(" \t")[:1].replace("\n", "")
        if not kind or not before or (kind == ">") != (before == ">"):
            blocks.append((at, at))
        at += len(line)
        if kind:
            blocks[-1] = (blocks[-1][0], at)
    return [(first, last) for first, last in blocks if first < last]


def _references(text: str) -> list[tuple[str, _Named]]:
    """Notes and references of the draft, "^1" and "12", with the papers that their lines name.

    Identifiers each of another kind, "10.1/x pmid:31", are one paper's.
    """
    found = list[tuple[str, _Named]]()
    for match in _NOTE.finditer(text):
        papers = [*dict.fromkeys(chain(*(_named(one, {}).papers for one in _NAMED.finditer(match["text"]))))]
        if len({one[: len(KEY)] for one in papers}) == len(papers) > 0:
            papers = [" ".join(papers)]
        if papers:
            found.append((match["a"] or match["b"], _Named(*match.span(), tuple(papers))))
    return found


def _named(match: re.Match[str], notes: dict[str, tuple[str, ...]]) -> _Named:
    """The papers that a match of _NAMED names."""
    if number := match["pmid"] or match["address"]:
        papers: Sequence[str] = (f"pmid:{number}",)
    elif match["pmcid"]:
        papers = (match["pmcid"].upper(),)
    elif match["doi"]:
        papers = (without_end(match["doi"].rstrip("*_")),)
    elif key := match["key"]:
        papers = (KEY + without_end(key),)
    else:
        numbers = match["notes"] or match["round"] or unicodedata.normalize("NFKC", match["raised"])
        papers = [*chain(*(notes.get(one, ()) for one in _numbers(numbers)))]
    return _Named(*match.span(), tuple(papers))


def _numbers(notes: str) -> Iterator[str]:
    """The notes of "^1", "3" or "3, 5–7"."""
    if notes[0] == "^":
        yield notes
        return
    for part in notes.split(","):
        first, *others = map(int, re.split("[–-]", part))
        yield from map(str, range(first, min(max(others, default=first) + 1, first + _MOST_NOTES)))


def _within(places: Sequence[_Named], begin: int, end: int) -> Sequence[_Named]:
    """Those in [begin, end)."""
    return places[bisect_left(places, (begin,)) : bisect_left(places, (end,))]


def _beside(
    text: str, places: Sequence[_Named], span: tuple[int, int], around: tuple[int, int, int]
) -> tuple[str, ...]:
    """The papers named beside a quotation. around: the begin of its paragraph, of the next quotation, and the end.

    In this order: behind it in its sentence and before the next quotation, before it in its sentence, in it, behind it
    in either, before it.
    """
    (begin, end), (first, until, last) = span, around
    before = _within(places, max(first, begin - _NEAR), begin)[::-1]
    behind = _within(places, end, min(last, end + _NEAR))
    is_next = behind and behind[0].begin < until
    is_behind = behind and not _SENTENCE_ENDS.search(text[end - 1 : behind[0].begin + 1])
    is_before = before and not _SENTENCE_ENDS.search(text[before[0].end : begin + 1])
    ordered = (
        behind if is_next and is_behind else (),
        before if is_before else (),
        _within(places, begin, end),
        behind if is_next or is_behind else (),
        before,
    )
    return _first(text, ordered)


def _without_citation(text: str, places: Sequence[_Named], begin: int, end: int) -> int:
    """Where the quotation at [begin, end) ends without the citations behind its words."""
    for one in reversed(_within(places, begin, end)):
        if not _AFTER_CITATION.fullmatch(text[min(one.end, end) : end]):
            break
        near = max(begin, one.begin - 200)
        opened = _BEFORE_CITATION.search(text[near : one.begin])
        end = near + opened.start() if opened else one.begin
    return end


def _first(text: str, every: Iterable[Sequence[_Named]]) -> tuple[str, ...]:
    """The papers of the first that is not empty."""
    return next((_group(text, some) for some in every if some), ())


def _group(text: str, ordered: Sequence[_Named]) -> tuple[str, ...]:
    """The papers of the first place, and of those that directly follow each other from there."""
    group = [*ordered[:1]]
    for last, one in pairwise(ordered):
        if not _SAME_PLACE.fullmatch(text[min(last.end, one.end) : max(last.begin, one.begin)]):
            break
        group.append(one)
    return tuple(dict.fromkeys(chain(*(one.papers for one in sorted(group)))))
