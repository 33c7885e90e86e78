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
    def month(self) -> str:
        return self.date[5:7]

    @property
    def slashed_date(self) -> str:
        """As RIS writes it, "2016/03/23/": always three slashes."""
        year, month, day, *_ = (*self.date.split("-"), "", "", "")
        return f"{year}/{month}/{day}/" if year else ""

    @property
    def first_page(self) -> str:
        """All of the pages where they are no simple span."""
        span = _SPAN.fullmatch(self.pages)
        return span[1] if span else self.pages

    @property
    def last_page(self) -> str:
        """ "820" of "817-20"; "" where the pages are no simple span."""
        if (span := _SPAN.fullmatch(self.pages)) is None:
            return ""
        first = span[1]
        letters = len(first) - len(first.lstrip(ascii_alphabet))
        last = span[2].removeprefix(first[:letters])
        return first[: max(letters, len(first) - len(last))] + last if last.isdecimal() else span[2]

    @property
    def page_range(self) -> str:
        """As BibTeX writes it, "817--820"."""
        return "--".join(filter(None, (self.first_page, self.last_page)))

    @property
    def terms(self) -> list[str]:
        """Keywords and MeSH, each once."""
        return list(dict.fromkeys((*self.keywords, *self.mesh)))

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
    texts = {
        name: facts.get(name, "") for name in ("doi", "pmid", "pmcid", "language", "licence", "citation_key")
    }
    texts |= {"id": first.document, "title": first.title, "journal": first.journal, "date": first.date}
    texts |= {"volume": paper.volume, "issue": paper.issue, "pages": paper.pages}
    return Reference(
        **{name: in_one_line(text) for name, text in texts.items()},
        authors=tuple(filter(None, map(_name_in_one_line, paper.authors))),
        types=_each_in_one_line(first.types),
        keywords=_each_in_one_line(paper.keywords),
        mesh=_each_in_one_line(paper.mesh),
        abstract=abstract(passages),
        notices=tuple(Notice(one.kind, one.says, in_one_line(one.about)) for one in first.notices),
        address=links[0].address if links else "",
        best=best,
        from_page=tuple(sorted(on_page)),
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


def ascii_letters(text: str) -> str:
    """The ASCII letters and digits of a text without its accents, in lower case."""
    plain = unicodedata.normalize("NFKD", text)
    return "".join(each for each in plain if each.isascii() and each.isalnum()).lower()
