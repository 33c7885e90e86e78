"""Facts on authors, subjects, references and the place in the journal in a JATS article.

`documents/bibliography.py` defines the facts and their spelling. Source: NISO Z39.96 (JATS), Archiving tag set 1.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from anagnosis.documents import bibliography
from anagnosis.documents.document import Document
from anagnosis.documents.formats.jats import front_matter as jats_front
from anagnosis.documents.formats.jats.prose import attribute, local, text
from anagnosis.documents.identifiers import PMID_IN_TEXT
from anagnosis.documents.repairs import Repairs

if TYPE_CHECKING:
    from lxml.etree import _Element

_MEDIA = {
    "electronic": "Electronic",
    "epub": "Electronic",
    "issn-l": "Linking",
    "linking": "Linking",
    "ppub": "Print",
    "print": "Print",
}
_AUTHORS = frozenset(("", "author"))
# Kinds of links to cited papers.
_LINKED = frozenset(("doi", "pmid", "pmcid"))
_CITATIONS = frozenset(
    ("element-citation", "mixed-citation", "nlm-citation", "citation", "citation-alternatives")
)
_RESOLVER = "doi.org/"


def document(article: _Element, repairs: Repairs) -> Document | None:
    """The document of `front_matter.document`, with the facts of `bibliography` from the front matter.

    Counted: the names of `front_matter.document` and `bibliography.add_facts`.
    """
    basic = jats_front.document(article, repairs)
    front = article.find("front")
    meta = None if front is None else front.find("article-meta")
    if basic is None or front is None or meta is None:
        return basic
    people, groups = _authors(meta)
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


def _authors(meta: _Element) -> tuple[list[str], list[str]]:
    """(people, groups) in the article's order; the members of a group are no authors."""
    people, groups = list[str](), list[str]()
    for contributor in meta.iterfind("contrib-group/contrib"):
        if contributor.get("contrib-type", "") not in _AUTHORS:
            continue
        group = contributor.find("collab")
        if group is None:
            group = contributor.find("collab-alternatives/collab")
        if group is not None:
            groups.append(text(group))
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
