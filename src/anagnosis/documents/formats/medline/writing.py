"""Documents written as PubMed XML, with counts of what the format cannot express.

We write what `citation.py` reads, in the order of NLM's DTD. Documents lack other elements that the DTD requires
(initials, history, …), so the file names no DTD.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import BinaryIO
from xml.sax.saxutils import escape, quoteattr

from anagnosis.documents import bibliography
from anagnosis.documents.bibliography import JOINT, split_values
from anagnosis.documents.dates import ISO_DATE
from anagnosis.documents.document import Document, Relation, Section, count_losses, title_and_rest
from anagnosis.documents.formats.medline.citation import document_with_bibliography
from anagnosis.documents.io.xml_stream import NOT_XML
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.states import written_links
from anagnosis.documents.text import tidied
from anagnosis.errors import InputError

_BEGIN = b'<?xml version="1.0" encoding="utf-8"?>\n<PubmedArticleSet>\n'
_END = b"</PubmedArticleSet>\n"
_QUALIFIER = re.compile(r"(\*?)(?:([A-Z]\d+) )?(.*)", re.DOTALL)
_LINKING = "Linking"


def write(documents: Iterable[Document], stream: BinaryIO) -> dict[str, int]:
    """Write documents as PubMed XML; returns counts of what the format cannot express, named as in `count_losses`.

    Characters that XML does not allow become blanks. Raises InputError for an id that the format cannot express.
    """
    losses: Counter[str] = Counter()
    stream.write(_BEGIN)
    for deleted, group in groupby(documents, _is_deleted):
        if deleted:
            stream.write("".join(_deleted(group, losses)).encode())
        else:
            stream.writelines(_written(document, losses).encode() for document in group)
    stream.write(_END)
    return dict(losses)


def _is_deleted(document: Document) -> bool:
    return not document.sections and document.facts.get("deleted") == "yes"


def _deleted(documents: Iterable[Document], losses: Counter[str]) -> Iterator[str]:
    yield "  <DeleteCitation>\n"
    for document in documents:
        count_losses(document, Document(document.id, (), facts={"deleted": "yes"}), losses)
        yield f"    <PMID>{_checked(document.id)}</PMID>\n"
    yield "  </DeleteCitation>\n"


def _written(document: Document, losses: Counter[str]) -> str:
    import lxml.etree as etree

    text = "\n".join(f"  {line}" for line in _article(document)) + "\n"
    read_back = document_with_bibliography(etree.fromstring(text), Repairs())
    count_losses(document, read_back or Document(document.id, ()), losses)
    return text


def _article(document: Document) -> Iterator[str]:
    """The lines of a <PubmedArticle>. Text stays on its element's line, so that it gets no further blanks."""
    facts = document.facts
    title, abstract, others = title_and_rest(document)
    yield "<PubmedArticle>"
    yield "  <MedlineCitation>"
    yield "    " + _element("PMID", _checked(document.id), Version=facts.get("version", ""))
    yield "    <Article>"
    yield from _indented(6, _journal(facts))
    yield "      " + _element("ArticleTitle", _escaped(title))
    yield from _indented(6, _listed("Pagination", _each("MedlinePgn", facts.get("pages", ""), joint=None)))
    yield from _indented(6, _listed("Abstract", (_text(part, part.category) for part in abstract)))
    yield from _indented(6, _listed("AuthorList", _authors(facts)))
    yield from _indented(6, _each("Language", facts.get("language", "")))
    yield from _indented(6, _listed("PublicationTypeList", _each("PublicationType", facts.get("types", ""))))
    yield from _indented(6, _each("VernacularTitle", facts.get("vernacular_title", ""), joint=None))
    yield "    </Article>"
    linking = (_element("ISSNLinking", _escaped(issn)) for issn, kind in _issns(facts) if kind == _LINKING)
    yield from _indented(4, _listed("MedlineJournalInfo", linking))
    yield from _indented(4, _listed("ChemicalList", _chemicals(document)))
    yield from _indented(4, _listed("CommentsCorrectionsList", _links(facts)))
    yield from _indented(4, _listed("MeshHeadingList", _headings(document.relations)))
    for category, parts in groupby(others, lambda section: section.category):
        kind, _, language = category.partition(" ")
        yield from _indented(4, _listed("OtherAbstract", map(_text, parts), Type=kind, Language=language))
    yield from _indented(4, _listed("KeywordList", _each("Keyword", facts.get("keywords", ""))))
    yield "  </MedlineCitation>"
    ids = [
        _element("ArticleId", _escaped(facts[name]), IdType=kind)
        for name, kind in (("doi", "doi"), ("pmcid", "pmc"))
        if facts.get(name)
    ]
    data = (*_listed("ArticleIdList", ids), *_listed("ReferenceList", _references(facts)))
    yield from _indented(2, _listed("PubmedData", data))
    yield "</PubmedArticle>"


def _journal(facts: dict[str, str]) -> Iterator[str]:
    journal = list(_each("Title", facts.get("journal", ""), joint=None))
    date = facts.get("date") or facts.get("year") or ""
    issns = [
        "  " + _element("ISSN", _escaped(number), IssnType=medium)
        for number, medium in _issns(facts)
        if medium != _LINKING
    ]
    numbers = "".join(
        line
        for tag, fact in (("Volume", "volume"), ("Issue", "issue"))
        for line in _each(tag, facts.get(fact, ""), joint=None)
    )
    if date or journal or issns or numbers:
        yield "<Journal>"
        yield from issns
        yield f"  <JournalIssue>{numbers}<PubDate>{_date(date)}</PubDate></JournalIssue>"
        yield from _indented(2, journal)
        yield "</Journal>"


def _issns(facts: dict[str, str]) -> Iterator[tuple[str, str]]:
    return map(bibliography.issn_parts, split_values(facts.get("issn", "")))


def _authors(facts: dict[str, str]) -> Iterator[str]:
    for author in split_values(facts.get("authors", "")):
        names = zip(("LastName", "ForeName", "Suffix"), bibliography.name_parts(author), strict=True)
        yield f"<Author>{''.join(_element(tag, _escaped(name)) for tag, name in names if name)}</Author>"
    for group in split_values(facts.get("corporate_authors", "")):
        yield f"<Author>{_element('CollectiveName', _escaped(bibliography.printed_name(group)))}</Author>"


def _chemicals(document: Document) -> Iterator[str]:
    for ui, name, number in bibliography.chemicals(document):
        registry = _element("RegistryNumber", _escaped(number)) if number else ""
        yield f"<Chemical>{registry}{_element('NameOfSubstance', _escaped(name), UI=ui)}</Chemical>"


def _references(facts: dict[str, str]) -> Iterator[str]:
    for identifier in split_values(facts.get("references", "")):
        kind = bibliography.kind_of_reference(identifier)
        listed = _element("ArticleId", _escaped(identifier), IdType=kind)
        yield f"<Reference><ArticleIdList>{listed}</ArticleIdList></Reference>"


def _date(date: str) -> str:
    parts = ISO_DATE.fullmatch(date)
    if parts is None:
        return _element("MedlineDate", _escaped(date)) if date else ""
    named = zip(("Year", "Month", "Day"), parts.groups(), strict=True)
    return "".join(_element(name, part) for name, part in named if part)


def _text(section: Section, category: str = "") -> str:
    text = _escaped(tidied(section.text))
    return _element("AbstractText", text, Label=section.title, NlmCategory=category)


def _links(facts: dict[str, str]) -> Iterator[str]:
    """The links that give the paper's states, by PMID or else by citation."""
    for (kind, _), other in written_links(facts):
        source = "PMID" if other.isdecimal() else "RefSource"
        yield f'<CommentsCorrections RefType="{kind}">{_element(source, _escaped(other))}</CommentsCorrections>'


def _headings(relations: Iterable[Relation]) -> Iterator[str]:
    for relation in relations:
        if relation.type != "mesh" or len(relation.arguments) < 3:
            continue
        ident, name, major, *qualifiers = relation.arguments
        yield "<MeshHeading>"
        yield "  " + _element("DescriptorName", _escaped(name), UI=ident, MajorTopicYN="Y" if major else "N")
        for qualifier in qualifiers:
            star, ui, text = _QUALIFIER.fullmatch(qualifier).groups("")  # pyright: ignore[reportOptionalMemberAccess]  (it matches any string)
            yield "  " + _element("QualifierName", _escaped(text), UI=ui, MajorTopicYN="Y" if star else "N")
        yield "</MeshHeading>"


def _each(tag: str, fact: str, joint: str | None = JOINT) -> Iterator[str]:
    """An element for each value of a fact."""
    values = split_values(fact) if joint else [fact]
    return (_element(tag, _escaped(value)) for value in values if value)


def _listed(tag: str, lines: Iterable[str], **attributes: str) -> Iterator[str]:
    """The lines inside an element; nothing if there are no lines."""
    inside = list(lines)
    if inside:
        yield f"<{tag}{_attributes(attributes)}>"
        yield from _indented(2, inside)
        yield f"</{tag}>"


def _indented(blanks: int, lines: Iterable[str]) -> Iterator[str]:
    return (" " * blanks + line for line in lines)


def _element(tag: str, escaped: str, **attributes: str) -> str:
    return f"<{tag}{_attributes(attributes)}>{escaped}</{tag}>"


def _attributes(attributes: dict[str, str]) -> str:
    return "".join(f" {name}={quoteattr(_plain(value))}" for name, value in attributes.items() if value)


def _escaped(text: str) -> str:
    return escape(_plain(text))


def _plain(text: str) -> str:
    return NOT_XML.sub(" ", text)


def _checked(ident: str) -> str:
    if not ident or tidied(ident) != ident or NOT_XML.search(ident):
        raise InputError(
            "MEDLINE XML cannot hold this document id", repr(ident), "give the document a plain id"
        )
    return escape(ident)
