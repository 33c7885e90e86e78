"""A passage with facts about its paper, and what is stored once for all passages of a paper.

Both are in the form that engines store and answers show.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal
from urllib.parse import quote

import msgspec
from msgspec import Meta

from anagnosis.documents.identifiers import ON_FIRST_PAGE, is_pmcid, is_pmid
from anagnosis.documents.states import STATES, UNNAMED
from anagnosis.io.tables import WithTable
from anagnosis.searching.filters import TYPE
from anagnosis.wording import counted

_LINKS = {
    "pmid": ("PubMed", "https://pubmed.ncbi.nlm.nih.gov/{}/"),
    "pmcid": ("PMC", "https://www.ncbi.nlm.nih.gov/pmc/articles/{}/"),
    "doi": ("DOI", "https://doi.org/{}"),
}
_KEPT = "/:;()._-"  # characters of a DOI that addresses may contain


class Link(msgspec.Struct, frozen=True):
    """Where a paper can be read."""

    name: str
    address: str


class Notice(msgspec.Struct, frozen=True):
    """A state of a paper, to be shown before its text. about: the other paper's identifier, "" if unknown."""

    kind: str
    says: str
    about: str


class Passage(msgspec.Struct, frozen=True, gc=False):
    """A verbatim piece of one section of a paper.

    number: from 0 within the document. section: one of passages.SECTIONS. heading: as printed. title: the
    document's. text: as it stands in the section. facts: of the document, those of passages.SHOWN_FACTS that it has.
    full_text: whether the section stands outside of title and abstract. source: the record that has this passage, "" if
    that is the paper's fullest one. pages: of its file on which it stands, in its order. page_map: where on them
    (documents/page_map.py), "" if unknown.
    """

    document: str
    number: int
    section: str
    heading: str
    title: str
    text: str
    facts: dict[str, str] = {}
    full_text: bool = False
    source: str = ""
    pages: tuple[int, ...] = ()
    page_map: str = ""

    @property
    def id(self) -> str:
        """The passage's id within a collection."""
        return f"{self.document}#{self.number}"

    @property
    def paper(self) -> str:
        """The title, or the document's id without a title."""
        return self.title or self.document

    @property
    def date(self) -> str:
        """The ISO date of publication, as exact as known, "" if unknown."""
        return self.facts.get("date") or self.facts.get("year", "")

    @property
    def journal(self) -> str:
        return self.facts.get("journal", "")

    @property
    def types(self) -> list[str]:
        """Types of publication, as printed."""
        return TYPE.printed(self.facts)

    @property
    def notices(self) -> list[Notice]:
        """The notices to show before the text."""
        return [
            Notice(kind, state.says, "" if about == UNNAMED else about)
            for kind, state in STATES.items()
            if (about := self.facts.get(kind))
        ]

    @property
    def counted(self) -> bool:
        """Whether its paper counts in an answer: retracted papers and notices about other papers do not."""
        return all(STATES[one.kind].counted for one in self.notices)

    @property
    def identifiers(self) -> dict[str, str]:
        """The paper's "pmid", "pmcid" and "doi", as far as known."""
        facts = self.facts
        known = {
            "pmid": facts.get("pmid") or (self.document if is_pmid(self.document, facts) else ""),
            "pmcid": facts.get("pmcid") or (self.document if is_pmcid(self.document) else ""),
            "doi": facts.get("doi", ""),
        }
        return {kind: ident for kind, ident in known.items() if ident}

    @property
    def on_first_page(self) -> dict[str, str]:
        """Of a paper without identifiers the "doi" and "pmid" on its file's first page, which may be another's."""
        if self.identifiers:
            return {}
        return {kind: self.facts[fact] for fact, kind in ON_FIRST_PAGE.items() if self.facts.get(fact)}

    @property
    def links(self) -> list[Link]:
        """Links to the paper, with escaped addresses."""
        return [
            Link(_LINKS[kind][0], _LINKS[kind][1].format(quote(ident, safe=_KEPT)))
            for kind, ident in self.identifiers.items()
        ]


class Paper(msgspec.Struct, frozen=True, gc=False):
    """A paper of an index, without its text.

    authors: "Family, Given", in the paper's order, "Family," without given name; a group has no comma. keywords, mesh:
    as printed. aliases: all ids by which it can be retrieved, as `papers.alias` normalises them. volume, issue, pages:
    as printed, for citations. sources: its records, "medline:31", the fullest first; () for a paper of one record.
    joins_none: the identifiers that it shares with several papers, of which it joins none.
    """

    authors: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    mesh: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    volume: str = ""
    issue: str = ""
    pages: str = ""
    sources: tuple[str, ...] = ()
    joins_none: tuple[str, ...] = ()


NO_FACTS = Paper()


class Unjoined(msgspec.Struct, frozen=True):
    """A paper that might be part of one of several others, and is part of none. shared: their identifiers."""

    document: str
    shared: Sequence[str]


class ListedPaper(msgspec.Struct, frozen=True, gc=False):
    """A paper of an index in a list. sources: the formats and libraries of its records. files: those with its pages."""

    document: str
    title: str
    year: str
    sources: Sequence[str]
    files: Sequence[str]


class IndexPapers(WithTable, msgspec.Struct, frozen=True, kw_only=True):
    """What an index holds.

    joined: number of papers of several records. joins_none: papers whose identifiers belong to several other papers, in
    the order of their ids. papers: the latest first, undated ones last; at most paper_names.LISTED.
    """

    record: Literal["indexpapers"] = "indexpapers"
    documents: int
    passages: int
    joined: int
    joins_none: Sequence[Unjoined]
    papers: Sequence[ListedPaper] = ()

    _COLUMNS: ClassVar[Mapping[str, str]] = dict.fromkeys(
        ("document", "title", "year", "source", "file"), "string"
    )

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        """A row for each paper; several sources and files are joined by "; "."""
        for one in self.papers:
            yield one.document, one.title, one.year, "; ".join(one.sources), "; ".join(one.files)

    def __repr__(self) -> str:
        return f"<IndexPapers: {counted(self.documents, 'document')}, {counted(self.passages, 'passage')}>"


Share = Annotated[float, Meta(ge=0, le=1)]
Strength = Annotated[int, Meta(ge=0, le=3, description="how well it fits: 0 (not at all) to 3 (strongly)")]
Count = Annotated[int, Meta(ge=0)]
Rank = Annotated[int, Meta(ge=0, description="of the passage among the hits, from 1")]


class Evidence(msgspec.Struct, frozen=True):
    """A quoted sentence: characters [begin, end) of the passage's text.

    citation: the sentence with its paper, as text to paste; "" where nobody pastes it.
    pages: of the paper's file, on which it stands; () if unknown. file: its path with the page, only where it is for
    somebody at this machine; else "".
    """

    text: str
    begin: int
    end: int
    score: float
    strength: Strength
    rank: Rank
    passage: Passage
    citation: str = ""
    pages: tuple[int, ...] = ()
    file: str = ""
