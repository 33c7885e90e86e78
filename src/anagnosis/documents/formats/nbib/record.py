"""A record of MEDLINE text as a document, with the sections and facts of the same paper in MEDLINE XML.

The text lacks classes of labels, identifiers of MeSH headings, references, and versions (except in a VR field).
`documents/bibliography.py` defines the facts on authors, chemicals and the place in the journal. Source: PubMed's help,
"PubMed format field descriptions".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from anagnosis.documents import bibliography
from anagnosis.documents.bibliography import JOINT
from anagnosis.documents.dates import written_date
from anagnosis.documents.document import Document, Relation, Section
from anagnosis.documents.formats.medline.citation import PMCID, title_form
from anagnosis.documents.identifiers import bare_doi
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.states import OF_LINK, states
from anagnosis.documents.text import split_at_labels

TAGS = frozenset((
    "AB", "AD", "AID", "AU", "AUID", "BTI", "CDAT", "CDIU", "CI", "CIN", "CN", "COIS", "CON", "CP", "CRDT", "CTDT",
    "CTI", "DA", "DCOM", "DDIN", "DEP", "DP", "DRDT", "DRIN", "ED", "EDAT", "EN", "FAU", "FED", "FIR", "FPS", "GN",
    "GR", "GS", "IP", "IR", "IRAD", "IS", "ISBN", "JID", "JT", "LA", "LID", "LR", "MH", "MHDA", "MID", "NM", "OAB",
    "OABL", "OCI", "OID", "ORI", "OT", "OTO", "OWN", "PB", "PG", "PHST", "PL", "PMC", "PMCR", "PMID", "PS", "PST",
    "PT", "PUBM", "RF", "RN", "RPF", "RPI", "SB", "SFM", "SI", "SO", "SPIN", "STAT", "TA", "TI", "TT", "UOF", "VI",
    "VR", "VTI", *filter(str.isupper, OF_LINK),
))  # fmt: skip
"""Tags of records; RIS, which looks alike, begins with TY."""
_PLACE = {"VI": "volume", "IP": "issue", "PG": "pages"}
_REGISTERED = re.compile(r"(EC \S+|\S+) \((.+)\)")
_DOI = re.compile(r"(?:doi: ?)?(10\.\d{4,9}/\S+?)(?: \[doi\])?")
_PMID_IN_LINK = re.compile(r"\bPMID: ?(\d+)")


class Field(NamedTuple):
    """tag: "TI". value: its lines joined, "" for an empty field."""

    tag: str
    value: str


def document(fields: list[Field], repairs: Repairs, where: str) -> Document | None:
    """The document of a record; None for one without PMID, which is refused, and a book without abstract, counted.

    Counted: book_left_out, title_in_several_fields (joined), second_abstract (a separate section), pmcid_unreadable,
    citation_without_date, publication_day_impossible.
    """
    values: dict[str, list[str]] = {}
    for tag, value in fields:
        if value:
            values.setdefault(tag, []).append(value)
    ident = next(iter(values.get("PMID", ())), "")
    if not ident:
        repairs.refuse(where, "a record without PMID")
        return None
    if "BTI" in values and "AB" not in values:
        repairs.count("book_left_out")
        repairs.note(where, f"PMID {ident} is a book without an abstract, left out")
        return None
    title = " ".join(values.get("TI") or values.get("BTI", ()))
    repairs.count("title_in_several_fields", int(len(values.get("TI", ())) > 1))
    repairs.count("second_abstract", max(0, len(values.get("AB", ())) - 1))
    headings = tuple(map(_heading, values.get("MH", ())))
    types = JOINT.join(values.get("PT", ()))
    dois = (_DOI.fullmatch(value) for tag in ("AID", "LID") for value in values.get(tag, ()))
    pmcids = values.get("PMC", [])
    repairs.count("pmcid_unreadable", sum(not PMCID.fullmatch(each) for each in pmcids))
    facts = {
        "version": _first(values, "VR"),
        **_dates(_first(values, "DP"), repairs),
        "journal": _first(values, "JT", "TA", *(("BTI",) if "TI" in values else ())),
        "language": JOINT.join(values.get("LA", ())),
        "doi": next((bare_doi(doi[1]) for doi in dois if doi), ""),
        "pmcid": next((each for each in pmcids if PMCID.fullmatch(each)), ""),
        "types": types,
        "mesh": JOINT.join(heading.arguments[1] for heading in headings),
        "vernacular_title": _first(values, "TT"),
        "title_form": title_form(title),
        **states(title, types, _links(fields)),
    }
    parts = (part for text in values.get("AB", ()) for part in split_at_labels(text))
    abstracts = (Section("abstract", text, label) for label, text in parts)
    sections = (Section("title", title), *abstracts, *_others(fields))
    return Document(ident, sections, (), headings, {name: fact for name, fact in facts.items() if fact})


def document_with_bibliography(fields: list[Field], repairs: Repairs, where: str) -> Document | None:
    """The document of `document`, with the facts of `bibliography.py` and relations "chemical".

    Counted: the names of `document`, and of bibliography.COUNTED.
    """
    basic = document(fields, repairs, where)
    if basic is None:
        return None
    values: dict[str, list[str]] = {}
    for tag, value in fields:
        values.setdefault(tag, []).append(value)
    chemicals = tuple(_chemical(value) for value in values.get("RN", []) if value)
    of_facts = {
        "authors": _authors(fields),
        "corporate_authors": values.get("CN", []),
        "issn": values.get("IS", []),
        "keywords": (each.removeprefix("*") for each in values.get("OT", [])),
    }
    of_place = {name: next(iter(filter(None, values.get(tag, []))), "") for tag, name in _PLACE.items()}
    return bibliography.add_facts(basic, of_facts, repairs, chemicals=chemicals, journal_place=of_place)


def _others(fields: list[Field]) -> Iterator[Section]:
    """The sections of other abstracts, "Publisher: text"; the next field gives the language of each."""
    for (tag, value), after in zip(fields, [*fields[1:], Field("", "")], strict=True):
        if tag == "OAB" and value:
            kind, colon, text = value.partition(": ")
            if not colon or " " in kind:
                kind, text = "", value
            category = f"{kind} {after.value if after.tag == 'OABL' else ''}".strip()
            for label, part in split_at_labels(text):
                yield Section("other abstract", part, label, category)


def _heading(value: str) -> Relation:
    """The relation for "Stroke/*drug therapy"; an asterisk marks a main topic of the paper."""
    descriptor, *qualifiers = value.split("/")
    name = descriptor.removeprefix("*")
    return Relation("mesh", ("", name, "major" if name != descriptor else "", *qualifiers))


def _dates(words: str, repairs: Repairs) -> dict[str, str]:
    date, exists = written_date(words)
    repairs.count("publication_day_impossible", int(not exists))
    repairs.count("citation_without_date", int(not date))
    return {"date": date, "year": date[:4]}


def _links(fields: Iterable[Field]) -> Iterator[tuple[str, str]]:
    """(state, the other paper by PMID or else by citation) of each link."""
    for tag, value in fields:
        if value and tag in OF_LINK:
            pmid = _PMID_IN_LINK.search(value)
            yield OF_LINK[tag], pmid[1] if pmid else value


def _first(values: dict[str, list[str]], *tags: str) -> str:
    return next((values[tag][0] for tag in tags if tag in values), "")


def _authors(fields: list[Field]) -> Iterator[str]:
    """The authors by their full names; by initials only without a full name in front."""
    has_full_name = False
    for tag, value in fields:
        if tag == "FAU":
            has_full_name = bool(value)
            yield value
        elif tag == "AU":
            if not has_full_name:
                yield bibliography.person_with_initials(value)
            has_full_name = False


def _chemical(value: str) -> Relation:
    """The relation for "R16CO5Y76E (Aspirin)"; "0" means that there is no registry number."""
    match = _REGISTERED.fullmatch(value)
    number, name = (match[1], match[2]) if match else ("", value)
    return Relation(bibliography.CHEMICAL, ("", name, number))
