"""A paper as a reference: everything that a citation or a reference manager wants, in one line each.

It is made of the paper's passages and the facts that an index stores once a paper.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

import msgspec

from anagnosis.documents.bibliography import NO_BREAK
from anagnosis.searching.records.passage import Notice, Paper, Passage

# Control characters, halves of surrogate pairs, and characters that make a line read otherwise than it is written.
_UNPRINTABLE = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff]+"
)
_BLANKS = re.compile(r"\s+")


class Reference(msgspec.Struct, frozen=True, kw_only=True):
    """A paper. All text is in one line, without control characters; "" and () where a field is unknown.

    id: of the document. authors: "Family, Given", of a group its name, with no-break spaces behind commas and
    semicolons (`bibliography.signatories`), which `printed_name` makes blanks. date: ISO, as exact as known.
    abstract: its parts, each behind its heading. notices: a retraction and the like. address: where to read
    the paper. citation_key: that the user's library has. from_page: "doi", "pmid", where only the first page of the
    paper's file says them.
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
    from_page: tuple[str, ...] = ()

    @property
    def year(self) -> str:
        return self.date[:4]

    @property
    def notice_words(self) -> list[str]:
        """The notices in words: "RETRACTED (33370000)"."""
        return [f"{one.says} ({one.about})" if one.about else one.says for one in self.notices]


def reference(passages: Sequence[Passage], paper: Paper) -> Reference:
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
        from_page=tuple(sorted(on_page)),
    )


def abstract(passages: Sequence[Passage]) -> str:
    """The abstract of a document in one line, each of its parts behind its heading."""
    parts = (one for one in passages if not one.full_text and one.section != "title")
    return " ".join(in_one_line(f"{one.heading}: {one.text}" if one.heading else one.text) for one in parts)


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
