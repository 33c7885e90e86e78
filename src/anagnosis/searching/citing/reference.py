"""A paper as a reference: everything that a citation or a reference manager wants, in one line each.

It is made of the paper's passages and the facts that an index stores once a paper.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from string import ascii_letters as ascii_alphabet

import msgspec

from anagnosis.documents.bibliography import NO_BREAK
from anagnosis.searching.records.paper import Paper
from anagnosis.searching.records.passage import Notice, Passage

# Control characters, halves of surrogate pairs, and characters that make a line read otherwise than it is written.
_UNPRINTABLE = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff]+"
)
_BLANKS = re.compile(r"\s+")
# "817-20", "S12-S19", "817–820": the first page and what of the last one is printed.
_SPAN = re.compile(r"([A-Za-z]{0,4}\d{1,9})\s*[-\u2010-\u2015]+\s*([A-Za-z]{0,4}\d{1,9})")


class BestPassage(msgspec.Struct, frozen=True):
    """The passage by which a paper was retrieved. rank: of the paper, from 1. score: of the passage.

    pages: of the paper's file on which it stands.
    """

    rank: int
    score: float
    section: str
    heading: str
    text: str
    pages: tuple[int, ...] = ()


class Reference(msgspec.Struct, frozen=True, kw_only=True):
    """A paper. All text is in one line, without control characters; "" and () where a field is unknown.

    id: of the document. authors: "Family, Given", of a group its name, with no-break spaces behind commas and
    semicolons (`bibliography.signatories`), which `printed_name` makes blanks. date: ISO, as exact as known.
    abstract: its parts, each behind its heading. notices: a retraction and the like. address: where to read
    the paper. citation_key: that the user's library has. best: for results of a query. from_page: "doi", "pmid",
    where only the first page of the paper's file says them.
    """

    id: str
    title: str = ""
    authors: tuple[str, ...] = ()
    journal: str = ""
    date: str = ""
    volume: str = ""
    issue: str = ""
    pages: str = ""
    doi: str = ""
    pmid: str = ""
    pmcid: str = ""
    language: str = ""
    licence: str = ""
    citation_key: str = ""
    types: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    mesh: tuple[str, ...] = ()
    abstract: str = ""
    notices: tuple[Notice, ...] = ()
    address: str = ""
    best: BestPassage | None = None
    from_page: tuple[str, ...] = ()

    @property
    def year(self) -> str:
        return self.date[:4]

    @property
    def notice_words(self) -> list[str]:
        """The notices in words: "RETRACTED (33370000)"."""
        return [f"{one.says} ({one.about})" if one.about else one.says for one in self.notices]

    @property
    def notes(self) -> list[str]:
        """The notices in words, and what was read from the first page."""
        found = ", ".join(self.from_page)
        return [*self.notice_words, f"read from page 1: {found}"] if found else self.notice_words


def reference(passages: Sequence[Passage], paper: Paper, best: BestPassage | None = None) -> Reference:
    """passages: of one document, in its order; at least one."""
    first = passages[0]
    on_page, links = first.on_first_page, first.links
    facts = {**first.facts, **on_page, **first.identifiers}

    def known(*names: str) -> dict[str, str]:
        return {name: in_one_line(facts.get(name, "")) for name in names}

    return Reference(
        id=in_one_line(first.document),
        title=in_one_line(first.title),
        authors=tuple(filter(None, map(_name_in_one_line, paper.authors))),
        journal=in_one_line(first.journal),
        date=in_one_line(first.date),
        volume=in_one_line(paper.volume),
        issue=in_one_line(paper.issue),
        pages=in_one_line(paper.pages),
        types=_each_in_one_line(first.types),
        keywords=_each_in_one_line(paper.keywords),
        mesh=_each_in_one_line(paper.mesh),
        abstract=abstract(passages),
        notices=tuple(Notice(one.kind, one.says, in_one_line(one.about)) for one in first.notices),
        address=links[0].address if links else "",
        best=best,
        from_page=tuple(sorted(on_page)),
        **known("doi", "pmid", "pmcid", "language", "licence", "citation_key"),
    )


def abstract(passages: Sequence[Passage]) -> str:
    """The abstract of a document in one line, each of its parts behind its heading."""
    parts = (one for one in passages if not one.full_text and one.section != "title")
    return " ".join(in_one_line(f"{one.heading}: {one.text}" if one.heading else one.text) for one in parts)


def best_passage(passage: Passage, score: float, rank: int) -> BestPassage:
    """The passage by which a paper was retrieved. rank: of the paper."""
    words = in_one_line(passage.heading), in_one_line(passage.text)
    return BestPassage(rank, score, passage.section, *words, passage.pages)


def _each_in_one_line(values: Sequence[str]) -> tuple[str, ...]:
    return tuple(filter(None, map(in_one_line, values)))


def _name_in_one_line(author: str) -> str:
    return NO_BREAK.join(map(in_one_line, author.split(NO_BREAK)))


def in_one_line(text: str) -> str:
    """The text without control characters, line breaks and doubled blanks."""
    return _BLANKS.sub(" ", _UNPRINTABLE.sub(" ", text)).strip()


def is_group(author: str) -> bool:
    """Whether an author is a group, or a name that its source does not divide."""
    return ", " not in author


def first_and_last_page(pages: str) -> tuple[str, str]:
    """("817", "820") of "817-20"; all of it and "" where it is no simple span."""
    match = _SPAN.fullmatch(pages)
    if match is None:
        return pages, ""
    first, last = match[1], match[2]
    letters, digits = _letters_and_digits(first)
    last_letters, last_digits = _letters_and_digits(last)
    if len(last_digits) < len(digits) and last_letters in ("", letters):
        last = f"{letters}{digits[: len(digits) - len(last_digits)]}{last_digits}"
    elif not last_letters:
        last = f"{letters}{last_digits}"
    return first, last


def _letters_and_digits(page: str) -> tuple[str, str]:
    digits = page.lstrip(ascii_alphabet)
    return page[: len(page) - len(digits)], digits


def ascii_letters(text: str) -> str:
    """The ASCII letters and digits of a text without its accents, in lower case."""
    plain = unicodedata.normalize("NFKD", text)
    return "".join(each for each in plain if each.isascii() and each.isalnum()).lower()
