"""What a record of MEDLINE text says of its authors and chemicals, and what of it is left out.

The facts and their spelling are those of `bibliography.py`; references and identifiers of MeSH are not in this format.
Source: PubMed's help, "PubMed format field descriptions".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from anagnosis.documents import bibliography
from anagnosis.documents.document import Document, Relation
from anagnosis.documents.formats.nbib import record as nbib_record
from anagnosis.documents.formats.nbib.record import LINKS, Field, is_held_identifier
from anagnosis.documents.repairs import Repairs

# What each tag is counted as, since no document holds it.
LEFT_OUT = {
    "AD": "affiliation",
    "AUID": "author_identifier",
    "CI": "rights",
    "CIN": "linked_paper",
    "COIS": "conflict_of_interest",
    "CON": "linked_paper",
    "CRDT": "date",
    "CRF": "linked_paper",
    "CRI": "linked_paper",
    "DA": "date",
    "DCOM": "date",
    "DDIN": "linked_paper",
    "DEP": "date",
    "DRIN": "linked_paper",
    "EDAT": "date",
    "FED": "editor",
    "GN": "general_note",
    "GR": "grant",
    "GS": "gene_symbol",
    "IP": "issue",
    "IR": "investigator",
    "IRAD": "affiliation",
    "JID": "administrative_field",
    "LR": "date",
    "MHDA": "date",
    "MID": "publisher_identifier",
    "NM": "supplementary_concept",
    "OCI": "administrative_field",
    "OID": "publisher_identifier",
    "ORI": "linked_paper",
    "OTO": "administrative_field",
    "OWN": "administrative_field",
    "PG": "pages",
    "PHST": "date",
    "PL": "administrative_field",
    "PMCR": "date",
    "PS": "person_as_subject",
    "PST": "administrative_field",
    "PUBM": "administrative_field",
    "RF": "administrative_field",
    "RPF": "linked_paper",
    "RPI": "linked_paper",
    "RRF": "linked_paper",
    "SB": "administrative_field",
    "SFM": "space_flight_mission",
    "SI": "accession_number",
    "SPIN": "linked_paper",
    "STAT": "administrative_field",
    "UIN": "linked_paper",
    "UOF": "linked_paper",
    "VI": "volume",
}
# Read here or in `nbib_record`, or made of fields that are (SO), or a person's other spelling (FIR of IR, ED of FED).
READ = frozenset((
    "AB", "AID", "AU", "BTI", "CN", "DP", "ED", "FAU", "FIR", "FPS", "IS", "JT", "LA", "LID", "MH", "OAB", "OABL", "OT",
    "PMC", "PMID", "PT", "RN", "SO", "TA", "TI", "TT", "VR", *LINKS,
))  # fmt: skip
_OTHER = "other_field"
_REGISTERED = re.compile(r"(EC \S+|\S+) \((.+)\)")


def document(fields: list[Field], repairs: Repairs, where: str) -> Document | None:
    """The document of `nbib_record.document`, with the facts of `bibliography` and relations "chemical".

    Counted: what `nbib_record.document` counts, and what is left out.
    """
    found = nbib_record.document(fields, repairs, where)
    if found is None:
        return None
    _count_left_out(fields, repairs)
    values: dict[str, list[str]] = {}
    for tag, value in fields:
        values.setdefault(tag, []).append(value)
    keywords = values.get("OT", [])
    repairs.count("emphasis_of_keyword_left_out", sum(each.startswith("*") for each in keywords))
    chemicals = tuple(_chemical(value) for value in values.get("RN", []) if value)
    of_facts = {
        "authors": _authors(fields),
        "corporate_authors": values.get("CN", []),
        "issn": values.get("IS", []),
        "keywords": (each.removeprefix("*") for each in keywords),
    }
    return bibliography.with_facts(found, of_facts, repairs, chemicals=chemicals)


def _count_left_out(fields: list[Field], repairs: Repairs) -> None:
    counts: Counter[str] = Counter()
    for tag, value in fields:
        if not value:
            continue
        if tag not in READ:
            counts[LEFT_OUT.get(tag, _OTHER)] += 1
        elif tag in ("AID", "LID"):
            counts["publisher_identifier"] += not is_held_identifier(value)
    for thing, count in counts.items():
        repairs.count(f"{thing}_left_out", count)


def _authors(fields: list[Field]) -> Iterator[str]:
    """Each by the full name; by initials only where there is none in front."""
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
    """ "R16CO5Y76E (Aspirin)"; "0" stands where there is no registry number."""
    found = _REGISTERED.fullmatch(value)
    number, name = (found[1], found[2]) if found else ("", value)
    return Relation(bibliography.CHEMICAL, ("", name, number))
