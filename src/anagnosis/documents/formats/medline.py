"""MEDLINE and PubMed XML: citation sets of any year of their DTD, and the output of efetch.

    <PubmedArticleSet><PubmedArticle><MedlineCitation><PMID Version="1">27000083</PMID><Article>
      <ArticleTitle>Does aspirin prevent stroke?</ArticleTitle>
      <Abstract><AbstractText Label="METHODS" NlmCategory="METHODS">We asked …</AbstractText></Abstract>
    </Article></MedlineCitation></PubmedArticle><DeleteCitation><PMID Version="1">1</PMID></DeleteCitation>…

A PMID that NLM deleted is a document without sections and with the fact deleted = "yes". Books and their chapters are
counted and left out.

Sections: "title"; "abstract", one for each AbstractText, its Label as title and its NlmCategory as category; "other
abstract", one for each AbstractText of an OtherAbstract, with type and language as category ("Publisher ger").
`raised.py` has the rule for raised text and MathML. Facts, absent if unknown: FACTS, and those of
`documents/bibliography.py`. Several values are joined by "; ". NLM's pages "MEDLINE/PubMed XML element
descriptions" and "Errata, retractions, and other linked citations" define the elements.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, BinaryIO

from anagnosis.documents import bibliography
from anagnosis.documents.bibliography import JOINT, join_values, page_range
from anagnosis.documents.dates import publication_words, written_date
from anagnosis.documents.document import Document, Section
from anagnosis.documents.identifiers import bare_doi
from anagnosis.documents.io.malformed import until_malformed
from anagnosis.documents.io.xml_stream import elements, root_of
from anagnosis.documents.raised import mark_raised, resolved
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.states import OF_LINK, STATES, states
from anagnosis.documents.text import tidied

if TYPE_CHECKING:
    from lxml.etree import _Element

SUFFIXES = (".xml", ".XML", ".medline")
_BOOKS = ("PubmedBookArticle", "BookDocument")
_DELETED = ("DeleteCitation", "DeleteDocument")
_RECORDS = ("PubmedArticle", "PubMedArticle", "MedlineCitation", *_BOOKS, *_DELETED)
_ROOTS = (*(f"{name}Set" for name in _RECORDS), *_RECORDS)
FACTS = (
    "version", "date", "year", "journal", "language", "doi", "pmcid", "types", "mesh", *STATES, "deleted",
)  # fmt: skip

# Elements whose parts are the paper's own; lists of authors and of other papers, with names and identifiers of theirs,
# are none.
_OUTER = frozenset((
    "MedlineCitation", "Article", "Journal", "JournalIssue", "MedlineJournalInfo", "PublicationTypeList",
    "KeywordList", "CommentsCorrectionsList", "PubmedData", "ArticleIdList", "NCBIArticle",
))  # fmt: skip
_NAMES = ("LastName", "ForeName", "FirstName", "Suffix", "CollectiveName")
_Parts = defaultdict[str, list["_Element"]]
# Cached, since many papers share a month.
_written = lru_cache(maxsize=1 << 12)(written_date)
PMCID = re.compile(r"PMC\d+")
_VERSION = re.compile(r"(?<=\d)\.\d+\Z")  # of a PMCID: "PMC6134338.4" is the same paper


def sniff(head: bytes) -> bool:
    """Whether a file that starts with these decompressed bytes is MEDLINE or PubMed XML."""
    return root_of(head) in _ROOTS


def read(stream: BinaryIO, repairs: Repairs, name: str = "") -> Iterator[Document]:
    """Every document of a stream, in order, in memory bounded by a citation.

    repairs: gets book_left_out, deleted_citation_without_pmid, the names of `document` and `elements`, and by
    "name:line" the refused records. Errors: as of `until_malformed` and `elements`.
    """
    return until_malformed(_documents(stream, repairs, name), repairs)


def _documents(stream: BinaryIO, repairs: Repairs, name: str) -> Iterator[Document]:
    for where, record in elements(stream, _RECORDS, name, repairs, _ROOTS):
        if record.tag in _DELETED:
            for deleted in record:
                ident = (deleted.text or "").strip() if deleted.tag == "PMID" else ""
                repairs.count("deleted_citation_without_pmid", not ident)
                if ident:
                    yield Document(ident, (), facts={"deleted": "yes"})
        elif record.tag in _BOOKS:
            repairs.count("book_left_out")
            pmid = text_of(next(record.iter("PMID"), None))
            repairs.note(where, f"PMID {pmid} is a book, left out")
        elif (found := document(record, repairs)) is not None:
            yield found
        else:
            repairs.refuse(where, "a citation without PMID")


def _parts_of(record: _Element, parts: _Parts) -> _Parts:
    """The parts of a record by their names."""
    for part in record:
        tag = part.tag
        if tag in _OUTER:
            _parts_of(part, parts)
        else:
            parts[tag].append(part)
    return parts


def document(record: _Element, repairs: Repairs) -> Document | None:
    """The document of a <PubmedArticle> or a bare <MedlineCitation>; None if it has no PMID.

    Counted: pmid_from_article_ids, citation_without_date, publication_day_impossible, abstract_text_empty (neither
    text nor label: left out), and the names of bibliography.COUNTED.
    """
    parts = _parts_of(record, defaultdict(list))
    ids = {each.get("IdType", "pubmed"): each for each in reversed(parts["ArticleId"])}
    stated = _first(parts["PMID"])
    ident = stated or text_of(ids.get("pubmed"))
    if not ident:
        return None
    repairs.count("pmid_from_article_ids", not stated)
    title = _first(parts["ArticleTitle"])
    date, exists = _written(publication_words(next(iter(parts["PubDate"]), None)))
    repairs.count("publication_day_impossible", not exists)
    repairs.count("citation_without_date", not date)
    headings = (name for each in parts["MeshHeadingList"] for name in each.iter("DescriptorName"))
    types = _joined(parts["PublicationType"])
    locations = (
        each for each in parts["ELocationID"] if each.get("EIdType") == "doi" and each.get("ValidYN") != "N"
    )
    facts = {
        "version": parts["PMID"][0].get("Version", "") if parts["PMID"] else "",
        "date": date,
        "year": date[:4],
        "journal": _first(parts["Title"]) or _first(parts["ISOAbbreviation"]),
        "language": _joined(parts["Language"]),
        "doi": bare_doi(text_of(ids.get("doi")) or text_of(next(locations, None))),
        "pmcid": _VERSION.sub("", text_of(ids.get("pmc")))
        or next(filter(PMCID.fullmatch, map(text_of, parts["OtherID"])), ""),
        "types": types,
        "mesh": JOINT.join(map(text_of, headings)),
        **states(title, types, _links(parts["CommentsCorrections"])),
        **_bibliography(parts, repairs),
    }
    sections = (Section("title", title), *_abstract(parts, repairs))
    return Document(ident, sections, facts={name: fact for name, fact in facts.items() if fact})


def _bibliography(parts: _Parts, repairs: Repairs) -> dict[str, str]:
    people, groups = _authors(parts["AuthorList"])
    pages = next(map(_pages, parts["Pagination"]), "")
    place = {"volume": _first(parts["Volume"]), "issue": _first(parts["Issue"]), "pages": pages}
    return {
        "authors": join_values(people, repairs, "author"),
        "corporate_authors": join_values(groups, repairs, "corporate_author"),
        "keywords": join_values(map(text_of, parts["Keyword"]), repairs, "keyword"),
        **bibliography.place(place, repairs),
    }


def _abstract(parts: _Parts, repairs: Repairs) -> Iterator[Section]:
    for abstract in (*parts["Abstract"], *parts["OtherAbstract"]):
        is_own = abstract.tag == "Abstract"
        kind = f"{abstract.get('Type', '')} {abstract.get('Language', '')}".strip()
        for part in abstract.iterchildren("AbstractText"):
            text, label = text_of(part), tidied(part.get("Label", ""))
            if text or label:
                category = part.get("NlmCategory", "") if is_own else kind
                yield Section("abstract" if is_own else "other abstract", text, label, category)
            else:
                repairs.count("abstract_text_empty")


def _links(links: list[_Element]) -> Iterator[tuple[str, str]]:
    """(state, the other paper by PMID or else by citation) of each link; until 2008 one element had all links."""
    for outer in links:
        for link in (outer,) if "RefType" in outer.attrib else outer:
            if (kind := link.get("RefType", str(link.tag))) in OF_LINK:
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


def _authors(lists: list[_Element]) -> tuple[list[str], list[str]]:
    """(people, groups) in the record's order. An author whose name was corrected later is left out."""
    people, groups = list[str](), list[str]()
    authors: list[tuple[_Element, dict[str, str]]] = []
    # One pass is far faster than one an author.
    for part in (part for each in lists for part in each.iter("Author", *_NAMES)):
        if part.tag == "Author":
            authors.append((part, {}))
        elif authors:
            authors[-1][1][str(part.tag)] = text_of(part)
    for author, names in authors:
        if author.get("ValidYN") == "N":
            continue
        if group := names.get("CollectiveName"):
            groups.append(group)
        else:
            fore = names.get("ForeName") or names.get("FirstName") or text_of(author.find("Initials"))
            people.append(bibliography.person(names.get("LastName", ""), fore, names.get("Suffix", "")))
    return people, groups


def _pages(pagination: _Element) -> str:
    """The pages as printed; files of other programs have only the first and the last one."""
    texts = {part.tag: text_of(part) for part in pagination}
    return texts.get("MedlinePgn") or page_range(texts.get("StartPage", ""), texts.get("EndPage", ""))
