"""Documents written as MEDLINE text, with counts of what the format cannot express."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import BinaryIO

from anagnosis.documents import bibliography
from anagnosis.documents.bibliography import JOINT, split_values
from anagnosis.documents.document import Document, Relation, Section, count_losses
from anagnosis.documents.formats.nbib.record import Field, document_with_bibliography
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.text import join_with_labels, tidied
from anagnosis.errors import InputError

_WIDTH = 88
_MARGIN = " " * 6
_LINKS = {"retracted": "RIN", "expression_of_concern": "ECI", "erratum": "EIN"}
# Publication type of a notice → the tag of its link.
_NOTICES = {"Retraction of Publication": "ROF", "Retraction Notice": "ROF", "Expression of Concern": "ECF"}
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def write(documents: Iterable[Document], stream: BinaryIO) -> dict[str, int]:
    """Write documents as MEDLINE text; returns counts of what the format cannot express, named as in `count_losses`.

    Counted too: deleted_citation, which the format cannot express and we leave out. Raises InputError for an id that
    the format cannot express.
    """
    losses: Counter[str] = Counter()
    has_written = False
    for document in documents:
        if not document.sections and document.facts.get("deleted") == "yes":
            losses["deleted_citation"] += 1
            continue
        if not document.id or tidied(document.id) != document.id or "\0" in document.id:
            raise InputError(
                "MEDLINE text cannot hold this document id", repr(document.id), "give the document a plain id"
            )
        fields = [Field(tag, tidied(value.replace("\0", " "))) for tag, value in _fields(document)]
        read_back = document_with_bibliography(fields, Repairs(), "")
        count_losses(document, read_back or Document(document.id, ()), losses)
        stream.write(("\n" * has_written + "".join(map(_lines, fields))).encode())
        has_written = True
    return dict(losses)


def _fields(document: Document) -> Iterator[tuple[str, str]]:
    """The (tag, value) of each field, in the order of PubMed's export."""
    facts, sections = document.facts, document.sections
    titled = bool(sections) and sections[0].label == "title" and not sections[0].title
    rest = sections[1:] if titled else sections
    others = [section for section in rest if section.label == "other abstract"]
    yield "PMID", document.id
    yield from (("IS", issn) for issn in split_values(facts.get("issn", "")))
    yield from _present("VR", facts.get("version", ""))
    yield from _present("VI", facts.get("volume", ""))
    yield from _present("IP", facts.get("issue", ""))
    yield from _present("DP", _date(facts.get("date") or facts.get("year") or ""))
    yield from _present("TI", sections[0].text if titled else "")
    yield from _present("PG", facts.get("pages", ""))
    yield from (("AB", text) for text in _running(s for s in rest if s not in others))
    for category, group in groupby(others, lambda section: section.category):
        kind, _, language = category.partition(" ")
        for text in _running(group):
            yield "OAB", f"{kind}: " * bool(kind) + text
            yield from _present("OABL", language)
    for tag, fact in (("FAU", "authors"), ("CN", "corporate_authors"), ("LA", "language"), ("PT", "types")):
        yield from ((tag, value) for value in split_values(facts.get(fact, "")))
    yield from _present("TT", facts.get("vernacular_title", ""))
    yield from _present("JT", facts.get("journal", ""))
    yield from (("RN", f"{number or '0'} ({name})") for _, name, number in bibliography.chemicals(document))
    yield from _links(facts)
    yield from (("MH", _heading(relation)) for relation in document.relations if relation.type == "mesh")
    yield from (("OT", keyword) for keyword in split_values(facts.get("keywords", "")))
    yield from _present("PMC", facts.get("pmcid", ""))
    yield from (("AID", f"{doi} [doi]") for doi in filter(None, [facts.get("doi")]))


def _present(tag: str, value: str) -> Iterator[tuple[str, str]]:
    if value:
        yield tag, value


def _running(sections: Iterable[Section]) -> Iterator[str]:
    """The running text of each field: consecutive sections with labels share one, others have one each."""
    for labelled, group in groupby(sections, lambda section: bool(section.title)):
        parts = [(section.title, section.text) for section in group]
        yield from map(join_with_labels, [parts] if labelled else [[part] for part in parts])


def _date(date: str) -> str:
    """A date as MEDLINE writes it: "2019 Mar 5" for "2019-03-05"."""
    year, *rest = date.split("-")
    numbers = [int(part) for part in rest if part.isdecimal()]
    if len(numbers) != len(rest) or not numbers or not 1 <= numbers[0] <= 12:
        return date
    return " ".join([year, _MONTHS[numbers[0] - 1], *map(str, numbers[1:])])


def _links(facts: dict[str, str]) -> Iterator[tuple[str, str]]:
    types = facts.get("types", "").split(JOINT)
    notice = next((_NOTICES[kind] for kind in types if kind in _NOTICES), "EFR")
    for fact, tag in (*_LINKS.items(), ("notice_of", notice)):
        for target in split_values(facts.get(fact, "")):
            yield tag, f"PMID: {target}" if target.isdecimal() else target


def _heading(relation: Relation) -> str:
    """A MeSH heading as "Stroke/*drug therapy"; the format has no identifiers."""
    _, name, major, *qualifiers = (*relation.arguments, "", "", "")[: max(3, len(relation.arguments))]
    return "/".join([f"*{name}" if major else name, *map(_without_ui, qualifiers)])


def _without_ui(qualifier: str) -> str:
    star = "*" if qualifier.startswith("*") else ""
    ident, blank, name = qualifier.removeprefix("*").partition(" ")
    return star + (name if blank and ident[:1].isupper() and ident[1:].isdecimal() else ident + blank + name)


def _lines(field: Field) -> str:
    """The lines of a field with its tag, broken at blanks like PubMed's."""
    lines = [f"{field.tag:4}- "]
    for word in field.value.split(" "):
        if len(lines[-1]) + len(word) > _WIDTH and lines[-1].strip():
            lines.append(_MARGIN)
        lines[-1] += word + " "
    return "\n".join(line.rstrip(" ") for line in lines) + "\n"
