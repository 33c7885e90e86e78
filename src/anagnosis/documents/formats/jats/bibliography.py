"""Facts on authors, subjects, references and the place in the journal in a JATS article, and what is left out.

`documents/bibliography.py` defines the facts and their spelling. Source: NISO Z39.96 (JATS), Archiving tag set 1.3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from anagnosis.documents import bibliography
from anagnosis.documents.document import Document
from anagnosis.documents.formats.jats import front_matter as jats_front
from anagnosis.documents.formats.jats.prose import attribute, local, text
from anagnosis.documents.identifiers import PMID_IN_TEXT
from anagnosis.documents.repairs import Repairs

if TYPE_CHECKING:
    from lxml.etree import _Element

LEFT_OUT = bibliography.left_out("jats")
# Elements of the article's place in its journal, which count as left out elsewhere, as in a product.
_OF_PLACE = frozenset(("elocation-id", "fpage", "issue", "volume"))
_MEDIA = {
    "electronic": "Electronic",
    "epub": "Electronic",
    "issn-l": "Linking",
    "linking": "Linking",
    "ppub": "Print",
    "print": "Print",
}
_AUTHORS = frozenset(("", "author"))
_READ_IDENTIFIERS = frozenset(("pmid", "pmc", "pmcid", "pmcid-ver", "doi"))
# Kinds of links to cited papers.
_LINKED = frozenset(("doi", "pmid", "pmcid"))
_CITATIONS = frozenset(
    ("element-citation", "mixed-citation", "nlm-citation", "citation", "citation-alternatives")
)
_RESOLVER = "doi.org/"


def document(article: _Element, repairs: Repairs) -> Document | None:
    """The document of `front_matter.document`, with the facts of `bibliography` from the front matter.

    Counted: the names of `front_matter.document`, and LEFT_OUT.
    """
    basic = jats_front.document(article, repairs)
    front = article.find("front")
    meta = None if front is None else front.find("article-meta")
    if basic is None or front is None or meta is None:
        return basic
    _count_left_out(front, meta, basic.facts, repairs)
    people, groups = _authors(meta, repairs)
    values = {
        "authors": people,
        "corporate_authors": groups,
        "issn": _issns(front),
        "keywords": map(text, jats_front.keywords(meta, basic.facts.get("language", ""))),
        # The outer ones first, each once.
        "subjects": dict.fromkeys(
            text(each)
            for part in meta.iterfind("article-categories")
            for each in part.iter("subject", "compound-subject")
        ),
    }
    place = {name: text(meta.find(name)) for name in ("volume", "issue")} | {"pages": _pages(meta)}
    return bibliography.add_facts(basic, values, repairs, journal_place=place)


def references(article: _Element, repairs: Repairs) -> dict[str, str]:
    """The fact "references" from the part behind the front matter; {} without references."""
    # An entry of a reference list may cite several papers; without separate citations it is one itself.
    entries = article.iter("{*}ref")
    cited = (
        _identifiers(each)
        for entry in entries
        for each in [child for child in entry if local(child) in _CITATIONS] or [entry]
    )
    fact = bibliography.references(cited, repairs)
    return {"references": fact} if fact else {}


def _count_left_out(front: _Element, meta: _Element, facts: Mapping[str, str], repairs: Repairs) -> None:
    # In abstracts `prose.py` counts what is left out.
    abstracts = ("abstract", "trans-abstract")
    parts = (each for part in front for each in (part if local(part) == "article-meta" else (part,)))
    read = (each for part in parts if local(part) not in abstracts for each in part.iter())
    counts = Counter(filter(None, map(_left_out, read)))
    others = (each.get("pub-id-type", "") not in _READ_IDENTIFIERS for each in meta.iterfind("article-id"))
    counts["publisher_identifier_left_out"] += sum(others)
    # A date without a month may name a season, which the fact omits.
    season = len(facts.get("date", "")) == len("2021") and meta.find("pub-date/season") is not None
    counts["date_left_out"] += max(0, len(meta.findall("pub-date")) - 1) + season
    kept = len(jats_front.keywords(meta, facts.get("language", "")))
    counts["keyword_left_out"] += sum(1 for _ in meta.iter("kwd", "compound-kwd")) - kept
    counts["pages_left_out"] += sum(text(each) != _pages(meta) for each in meta.iterfind("elocation-id"))
    counts["linked_paper_left_out"] += sum(
        jats_front.state_of_link(each) is None for each in meta.iterfind("related-article")
    )
    for name, count in counts.items():
        repairs.count(name, count)


def _left_out(element: _Element) -> str:
    """The name that an element of the front matter is counted under; "" if we read it or count its parent."""
    name, parent = local(element), element.getparent()
    if name in _OF_PLACE and parent is not None and local(parent) == "article-meta":
        return ""
    outer = local(parent) if parent is not None else ""
    return LEFT_OUT.get(name) or LEFT_OUT.get(f"{outer}/{name}", "")


def _authors(meta: _Element, repairs: Repairs) -> tuple[list[str], list[str]]:
    """(people, groups) in the article's order. Counted: editor_left_out (any other role), investigator_left_out."""
    people, groups = list[str](), list[str]()
    for contributor in meta.iterfind("contrib-group/contrib"):
        if contributor.get("contrib-type", "") not in _AUTHORS:
            repairs.count("editor_left_out")
            continue
        group = contributor.find("collab")
        if group is None:
            group = contributor.find("collab-alternatives/collab")
        if group is not None:
            groups.append(text(group))
            # Members of a group do not count as authors.
            repairs.count("investigator_left_out", sum(1 for _ in group.iter("contrib")))
        if name := _person(contributor):
            people.append(name)
    return people, groups


def _person(contributor: _Element) -> str:
    name = next(contributor.iterchildren("name", "string-name", "name-alternatives"), None)
    if name is not None and local(name) == "name-alternatives":
        name = next(name.iterchildren("name", "string-name"), None)
    if name is None:
        return ""
    parts = [text(name.find(part)) for part in ("surname", "given-names", "suffix")]
    return bibliography.person(*parts) if any(parts) else text(name)


def _issns(front: _Element) -> Iterator[str]:
    for each in (*front.iterfind("journal-meta/issn"), *front.iterfind("journal-meta/issn-l")):
        kind = each.get("pub-type") or each.get("publication-format") or ""
        if number := text(each):
            medium = "Linking" if local(each) == "issn-l" else _MEDIA.get(kind.lower(), "")
            yield bibliography.issn(number, medium)


def _pages(meta: _Element) -> str:
    """The pages, else the number of an electronic article, which some journals leave to the DOI."""
    number = text(meta.find("elocation-id"))
    first, last = (text(meta.find(name)) for name in ("fpage", "lpage"))
    return (
        text(meta.find("page-range"))
        or bibliography.page_range(first, last)
        or ("" if number.startswith("10.") else number)
    )


def _identifiers(citation: _Element) -> list[tuple[str, str]]:
    identifiers: list[tuple[str, str]] = []
    for each in citation.iter("{*}pub-id", "{*}ext-link", "{*}uri"):
        if local(each) == "pub-id":
            identifiers.append((each.get("pub-id-type", ""), text(each)))
            continue
        kind, address = each.get("ext-link-type", ""), attribute(each, "href")
        if kind in _LINKED or _RESOLVER in address:
            identifiers.append((kind if kind in _LINKED else "doi", address))
    return identifiers or [("pmid", each) for each in PMID_IN_TEXT.findall(text(citation))]
