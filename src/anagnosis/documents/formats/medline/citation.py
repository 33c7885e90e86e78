"""A citation of MEDLINE or PubMed XML as a document.

Sections: "title"; "abstract", one for each AbstractText, its Label as title and its NlmCategory as category; "other
abstract", one for each AbstractText of an OtherAbstract, with type and language as category ("Publisher ger").
`raised.py` has the rule for raised text and MathML. Facts, absent if unknown:

    version, date (ISO, as exact as known), year, journal, language, doi, pmcid, types, mesh, vernacular_title,
    title_form ("bracketed": translated by NLM, [in brackets]), and the paper's states (documents/states.py)

Several values are joined by "; ". Relations: ("mesh", (descriptor's UI, its name, "major" or "", then "UI name" of each
qualifier, "*" in front where major)). `documents/bibliography.py` defines the facts on authors, chemicals, references
and the place in the journal.

NLM's pages "MEDLINE/PubMed XML element descriptions" and "Errata, retractions, and other linked citations" define the
elements.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from anagnosis.documents import bibliography
from anagnosis.documents.bibliography import JOINT
from anagnosis.documents.dates import publication_words, written_date
from anagnosis.documents.document import Document, Relation, Section
from anagnosis.documents.identifiers import PMID_IN_TEXT, bare_doi
from anagnosis.documents.raised import mark_raised, resolved
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.states import OF_LINK, STATES, states
from anagnosis.documents.text import tidied

if TYPE_CHECKING:
    from lxml.etree import _Element

FACTS = (
    "version", "date", "year", "journal", "language", "doi", "pmcid", "types", "mesh", "vernacular_title",
    "title_form", *STATES, "deleted",
)  # fmt: skip

_PARTS = (
    "PMID", "PubDate", "Title", "ArticleTitle", "Abstract", "Language", "PublicationType", "VernacularTitle",
    "CommentsCorrections", "MeshHeadingList", "OtherID", "OtherAbstract", "ArticleId", "ReferenceList",
)  # fmt: skip
_READ = (
    "ArticleId", "AuthorList", "Chemical", "CommentsCorrections", "ELocationID", "ISSN", "ISSNLinking", "Issue",
    "Keyword", "OtherID", "Pagination", "Volume",
)  # fmt: skip
_NAMES = frozenset(("LastName", "ForeName", "FirstName", "Initials", "Suffix", "CollectiveName"))
_CITES = "Cites"
_ALL = frozenset((*_PARTS, *_READ))
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
    return _document(_parts_of(record, _PARTS), record, repairs)


def book_as_citation(record: _Element) -> bool:
    """Rename the parts of a book or chapter to those of a citation; False, unchanged, for one without an abstract.

    A chapter's journal is its book, and its date that of the contribution. It has the book's authors only without any
    itself, and never the book's DOI. Source: NLM, "PubMed DTD, BookDocument".
    """
    if next(record.iter("Abstract"), None) is None:
        return False
    inside = [(book, part) for book in record.iter("Book") for part in book]
    of_book = [part for _, part in inside if part.tag == "AuthorList"]
    has_authors = any(each not in of_book for each in record.iter("AuthorList"))
    is_chapter = next(record.iter("ArticleTitle"), None) is not None
    contributed = next(record.iter("ContributionDate"), None)
    for book, part in inside:
        is_unread = {
            "PubDate": contributed is not None,
            "ELocationID": is_chapter,
            "AuthorList": has_authors or part.get("Type") == "editors",
        }
        if is_unread.get(str(part.tag)):
            book.remove(part)
        elif part.tag == "BookTitle":
            part.tag = "Title" if is_chapter else "ArticleTitle"
    if contributed is not None:
        contributed.tag = "PubDate"
    return True


def _parts_of(record: _Element, names: Iterable[str]) -> defaultdict[str, list[_Element]]:
    """The elements of these names. One pass is far faster than a search for each."""
    parts: defaultdict[str, list[_Element]] = defaultdict(list)
    for part in record.iter(*names):
        parts[part.tag].append(part)
    return parts


def _document(parts: defaultdict[str, list[_Element]], record: _Element, repairs: Repairs) -> Document | None:
    if parts["CommentsCorrections"] or parts["ReferenceList"]:
        # The identifiers of other papers, which this one cites or links to.
        for tag in ("PMID", "ArticleId"):
            parts[tag] = [
                each for each in parts[tag] if _CITED.isdisjoint(outer.tag for outer in each.iterancestors())
            ]
    ids = {each.get("IdType", "pubmed"): each for each in reversed(parts["ArticleId"])}
    pmid = parts["PMID"][0] if parts["PMID"] else None
    ident = text_of(pmid)
    if not ident:
        ident = text_of(ids.get("pubmed"))
        if not ident:
            return None
        repairs.count("pmid_from_article_ids")
    title = text_of(next(iter(parts["ArticleTitle"]), None))
    date = _date(parts["PubDate"], repairs)
    headings = tuple(_headings(parts["MeshHeadingList"]))
    types = _joined(parts["PublicationType"])
    dois = (each for each in record.iter("ELocationID") if each.get("EIdType") == "doi")
    locations = (each for each in dois if each.get("ValidYN") != "N")
    others = map(text_of, parts["OtherID"])
    facts = {
        "version": "" if pmid is None else pmid.get("Version", ""),
        "date": date,
        "year": date[:4],
        "journal": _first(parts["Title"]) or text_of(next(record.iter("ISOAbbreviation"), None)),
        "language": _joined(parts["Language"]),
        "doi": bare_doi(text_of(ids.get("doi")) or text_of(next(locations, None))),
        "pmcid": _VERSION.sub("", text_of(ids.get("pmc"))) or next(filter(PMCID.fullmatch, others), ""),
        "types": types,
        "mesh": JOINT.join([heading.arguments[1] for heading in headings]),
        "vernacular_title": _first(parts["VernacularTitle"]),
        "title_form": title_form(title),
        **states(title, types, _links(parts["CommentsCorrections"])),
    }
    sections = [Section("title", title)]
    for abstract in parts["Abstract"]:
        sections.extend(_abstract(abstract, repairs))
    for abstract in parts["OtherAbstract"]:
        kind = f"{abstract.get('Type', '')} {abstract.get('Language', '')}".strip()
        sections.extend(
            Section("other abstract", part.text, part.title, kind) for part in _abstract(abstract, repairs)
        )
    return Document(
        ident, tuple(sections), (), headings, {name: fact for name, fact in facts.items() if fact}
    )


def title_form(title: str) -> str:
    """ "bracketed" for a title in brackets, which NLM translated: "[Zinc against colds]."; else ""."""
    return "bracketed" if title.startswith("[") and title.rstrip(".?! ").endswith("]") else ""


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


def _headings(lists: list[_Element]) -> Iterator[Relation]:
    headings: list[list[str]] = []
    for name in (name for each in lists for name in each.iter("DescriptorName", "QualifierName")):
        is_major = name.get("MajorTopicYN") == "Y"
        if name.tag == "DescriptorName":
            headings.append([name.get("UI", ""), text_of(name), "major" if is_major else ""])
        elif headings:
            headings[-1].append("*" * is_major + f"{name.get('UI', '')} {text_of(name)}".strip())
    return (Relation("mesh", tuple(arguments)) for arguments in headings)


def _links(links: list[_Element]) -> Iterator[tuple[str, str]]:
    """(state, the other paper by PMID or else by citation) of each link."""
    for kind, link in (each for outer in links for each in _each_link(outer)):
        if kind in OF_LINK:
            yield OF_LINK[kind], text_of(link.find("PMID")) or text_of(link.find("RefSource"))


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

        mark_raised(element)
        text = tostring(element, method="text", encoding="unicode", with_tail=False)
        return tidied(resolved(text))
    return tidied(element.text or "")


def document_with_bibliography(record: _Element, repairs: Repairs) -> Document | None:
    """The document of `document`, with the facts of `documents/bibliography.py` and relations "chemical".

    Removes the lists of authors and references from the record. Counted: the names of `document` and
    `bibliography.add_facts`.
    """
    lists = list(record.iter("AuthorList", "ReferenceList"))
    for each in lists:
        parent = each.getparent()
        if parent is not None:
            parent.remove(each)
    authors = [each for each in lists if each.tag == "AuthorList"]
    cited = [each for each in lists if each.tag == "ReferenceList"]
    parts = _parts_of(record, _ALL)
    basic = _document(parts, record, repairs)
    if basic is None:
        return None
    links = [each for outer in parts["CommentsCorrections"] for each in _each_link(outer)]
    chemicals = tuple(_chemical(each) for each in parts["Chemical"])
    people, groups = _authors(authors)
    values = {
        "authors": people,
        "corporate_authors": groups,
        "issn": _issns(parts),
        "keywords": map(text_of, parts["Keyword"]),
    }
    references = bibliography.references(_cited_by(links, cited), repairs)
    place = {name.lower(): next(map(text_of, parts[name]), "") for name in ("Volume", "Issue")}
    place["pages"] = next(map(_pages, parts["Pagination"]), "")
    return bibliography.add_facts(
        basic, values, repairs, chemicals=chemicals, references=references, journal_place=place
    )


def _each_link(element: _Element) -> Iterator[tuple[str, _Element]]:
    """(kind, link) of each paper that a <CommentsCorrections> links to; until 2008 one element had all links."""
    for each in (element,) if "RefType" in element.attrib else element:
        yield each.get("RefType", str(each.tag)), each


def _authors(lists: list[_Element]) -> tuple[list[str], list[str]]:
    """(people, groups) in the record's order. An author whose name was corrected later is left out."""
    people, groups = list[str](), list[str]()
    for author in (author for each in lists for author in each.iterchildren("Author")):
        if author.get("ValidYN") == "N":
            continue
        names = {part.tag: text_of(part) for part in author if part.tag in _NAMES}
        if group := names.get("CollectiveName"):
            groups.append(group)
        else:
            fore = names.get("ForeName") or names.get("FirstName") or names.get("Initials", "")
            people.append(bibliography.person(names.get("LastName", ""), fore, names.get("Suffix", "")))
    return people, groups


def _pages(pagination: _Element) -> str:
    """The pages as printed; files of other programs have only the first and the last one."""
    first, last = (text_of(pagination.find(name)) for name in ("StartPage", "EndPage"))
    return text_of(pagination.find("MedlinePgn")) or bibliography.page_range(first, last)


def _issns(parts: dict[str, list[_Element]]) -> Iterator[str]:
    for element in (*parts["ISSN"], *parts["ISSNLinking"]):
        if issn := text_of(element):
            kind = element.get("IssnType", "") if element.tag == "ISSN" else "Linking"
            yield bibliography.issn(issn, kind)


def _chemical(element: _Element) -> Relation:
    """The relation ("chemical", (UI, name, registry number))."""
    name = element.find("NameOfSubstance")
    ui = "" if name is None else name.get("UI", "")
    return Relation(bibliography.CHEMICAL, (ui, text_of(name), text_of(element.find("RegistryNumber"))))


def _cited_by(links: list[tuple[str, _Element]], lists: list[_Element]) -> Iterator[list[tuple[str, str]]]:
    """The identifiers of each cited paper; until 2018 each was a separate link."""
    for kind, link in links:
        if kind == _CITES:
            yield [("pubmed", text_of(pmid)) for pmid in link.iterchildren("PMID")]
    for reference in (each for references in lists for each in references.iterchildren("Reference")):
        identifiers = [(each.get("IdType", ""), each.text or "") for each in reference.iter("ArticleId")]
        if not identifiers:
            in_text = PMID_IN_TEXT.findall(text_of(reference.find("Citation")))
            identifiers = [("pubmed", each) for each in in_text]
        yield identifiers
