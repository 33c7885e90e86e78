"""Facts on authors, chemicals, references and the place in the journal in MEDLINE XML, and counts of what is left out.

`documents/bibliography.py` defines the facts and their spelling.
Source: NLM, "MEDLINE/PubMed XML element descriptions".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from anagnosis.documents import bibliography
from anagnosis.documents.document import Document, Relation
from anagnosis.documents.formats.medline import citation as medline_citation
from anagnosis.documents.formats.medline.citation import LINKS, PMCID, text_of
from anagnosis.documents.repairs import Repairs

if TYPE_CHECKING:
    from lxml.etree import _Element

LEFT_OUT = bibliography.left_out("medline")
_READ = (
    "ArticleId", "AuthorList", "Chemical", "CommentsCorrections", "ELocationID", "ISSN", "ISSNLinking", "Issue",
    "Keyword", "OtherID", "Pagination", "Volume",
)  # fmt: skip
_NAMES = frozenset(("LastName", "ForeName", "FirstName", "Initials", "Suffix", "CollectiveName"))
_CITES = "Cites"
_READ_IDENTIFIERS = frozenset(("pubmed", "doi", "pmc"))


def document(record: _Element, repairs: Repairs) -> Document | None:
    """The document of `citation.document`, with the facts of `bibliography` and relations "chemical".

    Removes the lists of authors and references from the record. Counted: the names of `citation.document`, and
    LEFT_OUT.
    """
    cited = [_taken_out(each) for each in record.iter("ReferenceList")]
    authors = [_taken_out(each) for each in record.iter("AuthorList")]
    basic = medline_citation.document(record, repairs)
    if basic is None:
        return None
    parts: dict[str, list[_Element]] = {name: [] for name in _READ}
    counts = repairs.counts
    for part in record.iter(*_READ, *LEFT_OUT):
        name = str(part.tag)
        if name in parts:
            parts[name].append(part)
        else:
            counts[LEFT_OUT[name]] += 1
    links = [each for outer in parts["CommentsCorrections"] for each in _links(outer)]
    _count_others(parts, links, repairs)
    chemicals = tuple(_chemical(each) for each in parts["Chemical"])
    people, groups = _authors(authors, repairs)
    values = {
        "authors": people,
        "corporate_authors": groups,
        "issn": _issns(parts),
        "keywords": map(text_of, parts["Keyword"]),
    }
    references = bibliography.references(_cited(links, cited), repairs)
    return bibliography.add_facts(
        basic, values, repairs, chemicals=chemicals, references=references, journal_place=_place(parts)
    )


def _taken_out(element: _Element) -> _Element:
    """The element, removed from its record."""
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)
    return element


def _links(element: _Element) -> Iterator[tuple[str, _Element]]:
    """(kind, link) of each paper that a <CommentsCorrections> links to; until 2008 one element had all links."""
    for each in (element,) if "RefType" in element.attrib else element:
        yield each.get("RefType", str(each.tag)), each


def _count_others(
    parts: dict[str, list[_Element]], links: list[tuple[str, _Element]], repairs: Repairs
) -> None:
    """Count what we leave out of elements that we read."""
    others = sum(each.get("IdType", "pubmed") not in _READ_IDENTIFIERS for each in parts["ArticleId"])
    others += sum(each.get("EIdType") != "doi" for each in parts["ELocationID"])
    others += sum(not PMCID.fullmatch(text_of(each)) for each in parts["OtherID"])
    repairs.count("publisher_identifier_left_out", others)
    repairs.count("linked_paper_left_out", sum(kind not in LINKS and kind != _CITES for kind, _ in links))
    repairs.count(
        "emphasis_of_keyword_left_out", sum(each.get("MajorTopicYN") == "Y" for each in parts["Keyword"])
    )


def _authors(lists: list[_Element], repairs: Repairs) -> tuple[list[str], list[str]]:
    """(people, groups) in the record's order. An author whose name was corrected later is left out, and counted."""
    people, groups = list[str](), list[str]()
    corrected = affiliations = identifiers = notes = 0
    for author in (author for each in lists for author in each.iterchildren("Author")):
        names: dict[str, str] = {}
        for part in author:
            tag = part.tag
            if tag in _NAMES:
                names[tag] = text_of(part)
            elif tag == "Identifier":
                identifiers += 1
            else:
                affiliations += 1
        notes += author.get("EqualContrib") == "Y"
        if author.get("ValidYN") == "N":
            corrected += 1
        elif group := names.get("CollectiveName"):
            groups.append(group)
        else:
            fore = names.get("ForeName") or names.get("FirstName") or names.get("Initials", "")
            people.append(bibliography.person(names.get("LastName", ""), fore, names.get("Suffix", "")))
    repairs.count("author_left_out", corrected)
    repairs.count("affiliation_left_out", affiliations)
    repairs.count("author_identifier_left_out", identifiers)
    repairs.count("author_note_left_out", notes)
    return people, groups


def _place(parts: dict[str, list[_Element]]) -> dict[str, str]:
    volume, issue = (next(map(text_of, parts[name]), "") for name in ("Volume", "Issue"))
    return {"volume": volume, "issue": issue, "pages": next(map(_pages, parts["Pagination"]), "")}


def _pages(pagination: _Element) -> str:
    """The pages as printed; files of other programs have only the first and the last one."""
    first, last = (text_of(pagination.find(name)) for name in ("StartPage", "EndPage"))
    return text_of(pagination.find("MedlinePgn")) or bibliography.page_range(first, last)


def _issns(parts: dict[str, list[_Element]]) -> Iterator[str]:
    for element in parts["ISSN"]:
        if issn := text_of(element):
            yield bibliography.issn(issn, element.get("IssnType", ""))
    for element in parts["ISSNLinking"]:
        if issn := text_of(element):
            yield bibliography.issn(issn, "Linking")


def _chemical(element: _Element) -> Relation:
    """The relation ("chemical", (UI, name, registry number))."""
    name = element.find("NameOfSubstance")
    ui = "" if name is None else name.get("UI", "")
    return Relation(bibliography.CHEMICAL, (ui, text_of(name), text_of(element.find("RegistryNumber"))))


def _cited(links: list[tuple[str, _Element]], lists: list[_Element]) -> Iterator[list[tuple[str, str]]]:
    """The identifiers of each cited paper; until 2018 each was a separate link."""
    for kind, link in links:
        if kind == _CITES:
            yield [("pubmed", text_of(pmid)) for pmid in link.iterchildren("PMID")]
    for reference in (each for references in lists for each in references.iterchildren("Reference")):
        yield [(each.get("IdType", ""), each.text or "") for each in reference.iter("ArticleId")]
