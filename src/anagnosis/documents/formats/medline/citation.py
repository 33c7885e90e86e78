"""A citation of MEDLINE or PubMed XML as a document.

Sections: "title"; "abstract", one for each AbstractText, its Label as title and its NlmCategory as category; "other
abstract", one for each AbstractText of an OtherAbstract, with type and language as category ("Publisher ger"). We keep
the characters of inline markup and MathML. Facts, absent if unknown:

    version, date (ISO, as exact as known), year, journal, language, doi, pmcid, types, mesh, vernacular_title,
    title_form ("bracketed": translated by NLM, [in brackets]), retracted, expression_of_concern, erratum (each with
    the notices' PMIDs), notice_of (this record is such a notice, of these papers)

Several values are joined by "; ". Relations: ("mesh", (descriptor's UI, its name, "major" or "", then "UI name" of each
qualifier, "*" in front where major)).

NLM's pages "MEDLINE/PubMed XML element descriptions" and "Errata, retractions, and other linked citations" define the
elements. NLM has treated partial retractions as errata since 2016, and so do we.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from anagnosis.documents.bibliography import JOINT, UNNAMED
from anagnosis.documents.dates import publication_words, written_date
from anagnosis.documents.document import Document, Relation, Section
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.text import tidied

if TYPE_CHECKING:
    from lxml.etree import _Element

FACTS = (
    "version", "date", "year", "journal", "language", "doi", "pmcid", "types", "mesh", "vernacular_title",
    "title_form", "retracted", "expression_of_concern", "erratum", "notice_of", "deleted",
)  # fmt: skip

LINKS = {
    "RetractionIn": "retracted",
    "RetractedandRepublishedIn": "retracted",
    "ExpressionOfConcernIn": "expression_of_concern",
    "ErratumIn": "erratum",
    "PartialRetractionIn": "erratum",
    "RetractionOf": "notice_of",
    "ExpressionOfConcernFor": "notice_of",
    "ErratumFor": "notice_of",
    "PartialRetractionOf": "notice_of",
}
_PARTS = (
    "PMID", "PubDate", "Title", "ArticleTitle", "Abstract", "Language", "PublicationType", "VernacularTitle",
    "CommentsCorrections", "MeshHeadingList", "OtherID", "OtherAbstract", "ArticleId", "ReferenceList",
)  # fmt: skip
_CITED = frozenset(("CommentsCorrections", "ReferenceList"))
# Cached, since many papers share a month.
_written = lru_cache(maxsize=1 << 12)(written_date)
PMCID = re.compile(r"PMC\d+")
_VERSION = re.compile(r"(?<=\d)\.\d+\Z")  # of a PMCID: "PMC6134338.4" is the same paper


def document(record: _Element, repairs: Repairs) -> Document | None:
    """The document of a <PubmedArticle> or a bare <MedlineCitation>; None if it has no PMID.

    Counted: pmid_from_article_ids, citation_without_date, publication_day_impossible, abstract_text_empty (neither
    text nor label: left out).
    """
    parts: defaultdict[str, list[_Element]] = defaultdict(list)
    # One pass is far faster than a search for each.
    for part in record.iter(*_PARTS):
        parts[part.tag].append(part)
    if parts["CommentsCorrections"] or parts["ReferenceList"]:
        _leave_out_cited(parts)
    ids = {each.get("IdType", "pubmed"): each for each in reversed(parts["ArticleId"])}
    pmid = parts["PMID"][0] if parts["PMID"] else None
    ident = text_of(pmid)
    if not ident:
        ident = text_of(ids.get("pubmed"))
        if not ident:
            return None
        repairs.count("pmid_from_article_ids")
    title = _first(parts["ArticleTitle"])
    date = _date(parts["PubDate"], repairs)
    headings = tuple(_headings(parts["MeshHeadingList"]))
    facts = {
        "version": "" if pmid is None else pmid.get("Version", ""),
        "date": date,
        "year": date[:4],
        "journal": _first(parts["Title"]) or text_of(next(record.iter("ISOAbbreviation"), None)),
        "language": _joined(parts["Language"]),
        "doi": text_of(ids.get("doi")) or _location(record.iter("ELocationID")),
        "pmcid": _VERSION.sub("", text_of(ids.get("pmc"))) or _other_pmcid(parts["OtherID"]),
        "types": _joined(parts["PublicationType"]),
        "mesh": JOINT.join([heading.arguments[1] for heading in headings]),
        "vernacular_title": _first(parts["VernacularTitle"]),
        "title_form": title_form(title),
    }
    if parts["CommentsCorrections"]:
        facts.update(_links(parts["CommentsCorrections"]))
    sections = [Section("title", title)]
    for abstract in parts["Abstract"]:
        sections.extend(_abstract(abstract, repairs))
    for abstract in parts["OtherAbstract"]:
        sections.extend(_other_abstract(abstract, repairs))
    return Document(
        ident, tuple(sections), (), headings, {name: fact for name, fact in facts.items() if fact}
    )


def title_form(title: str) -> str:
    """ "bracketed" for a title in brackets, which NLM translated: "[Zinc against colds]."; else ""."""
    return "bracketed" if title.startswith("[") and title.rstrip(".?! ").endswith("]") else ""


def _leave_out_cited(parts: dict[str, list[_Element]]) -> None:
    """Remove the identifiers of other papers, which this one cites or links to."""
    for tag in ("PMID", "ArticleId"):
        parts[tag] = [each for each in parts[tag] if not _CITED.intersection(_around(each))]


def _around(element: _Element) -> Iterator[str]:
    return (str(outer.tag) for outer in element.iterancestors())


def _date(published: list[_Element], repairs: Repairs) -> str:
    date, exists = _written(publication_words(published[0] if published else None))
    if not exists:
        repairs.count("publication_day_impossible")
    if not date:
        repairs.count("citation_without_date")
    return date


def _abstract(abstract: _Element, repairs: Repairs) -> Iterator[Section]:
    for part in abstract.iterchildren("AbstractText"):
        text, label = text_of(part), tidied(part.get("Label", ""))
        if text or label:
            yield Section("abstract", text, label, part.get("NlmCategory", ""))
        else:
            repairs.count("abstract_text_empty")


def _other_abstract(abstract: _Element, repairs: Repairs) -> Iterator[Section]:
    kind = f"{abstract.get('Type', '')} {abstract.get('Language', '')}".strip()
    for section in _abstract(abstract, repairs):
        yield Section("other abstract", section.text, section.title, kind)


def _headings(lists: list[_Element]) -> Iterator[Relation]:
    headings: list[list[str]] = []
    for name in (name for each in lists for name in each.iter("DescriptorName", "QualifierName")):
        is_major = name.get("MajorTopicYN") == "Y"
        if name.tag == "DescriptorName":
            headings.append([name.get("UI", ""), text_of(name), "major" if is_major else ""])
        elif headings:
            headings[-1].append("*" * is_major + f"{name.get('UI', '')} {text_of(name)}".strip())
    return (Relation("mesh", tuple(arguments)) for arguments in headings)


def _links(links: list[_Element]) -> dict[str, str]:
    """The facts that link a paper to its notices, or a notice to its papers, by PMID or else by citation."""
    targets_of: dict[str, dict[str, None]] = {
        "retracted": {}, "expression_of_concern": {}, "erratum": {}, "notice_of": {}
    }  # fmt: skip
    for link in links:
        # Until 2008 one element had all links, each kind as a separate child.
        for target_link in (link,) if "RefType" in link.attrib else link:
            fact = LINKS.get(target_link.get("RefType", str(target_link.tag)))
            if fact is not None:
                target = (
                    text_of(target_link.find("PMID")) or text_of(target_link.find("RefSource")) or UNNAMED
                )
                targets_of[fact][target] = None
    return {fact: JOINT.join(targets) for fact, targets in targets_of.items()}


def _location(locations: Iterable[_Element]) -> str:
    dois = (each for each in locations if each.get("EIdType") == "doi" and each.get("ValidYN") != "N")
    return text_of(next(dois, None))


def _other_pmcid(identifiers: list[_Element]) -> str:
    return next((ident for ident in map(text_of, identifiers) if PMCID.fullmatch(ident)), "")


def _first(elements: list[_Element]) -> str:
    return text_of(elements[0]) if elements else ""


def _joined(elements: list[_Element]) -> str:
    return JOINT.join(filter(None, map(text_of, elements)))


def text_of(element: _Element | None) -> str:
    """All characters of an element without markup, white space tidied."""
    if element is None:
        return ""
    if len(element):
        from lxml.etree import tostring

        return tidied(tostring(element, method="text", encoding="unicode", with_tail=False))
    return tidied(element.text or "")
