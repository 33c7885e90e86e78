"""Facts on authors, chemicals and the place in the journal in MEDLINE text, and counts of what is left out.

`documents/bibliography.py` defines the facts and their spelling. The format has no references and no MeSH identifiers.
Source: PubMed's help, "PubMed format field descriptions".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from anagnosis.documents import bibliography
from anagnosis.documents.document import Document, Relation
from anagnosis.documents.formats.nbib import record as nbib_record
from anagnosis.documents.formats.nbib.record import LINKS, Field, is_doi
from anagnosis.documents.repairs import Repairs

LEFT_OUT = bibliography.left_out("nbib")
# Tags that this file or `record.py` reads, that repeat others (SO), or spell a person again (FIR of IR, ED of FED).
READ = frozenset((
    "AB", "AID", "AU", "BTI", "CN", "DP", "ED", "FAU", "FIR", "FPS", "IP", "IS", "JT", "LA", "LID", "MH", "OAB",
    "OABL", "OT", "PG", "PMC", "PMID", "PT", "RN", "SO", "TA", "TI", "TT", "VI", "VR", *LINKS,
))  # fmt: skip
PLACE = {"VI": "volume", "IP": "issue", "PG": "pages"}
"""Tag → fact."""
_OTHER = "other_field_left_out"
_REGISTERED = re.compile(r"(EC \S+|\S+) \((.+)\)")


def document(fields: list[Field], repairs: Repairs, where: str) -> Document | None:
    """The document of `record.document`, with the facts of `bibliography` and relations "chemical".

    Counted: the names of `record.document`, and LEFT_OUT.
    """
    basic = nbib_record.document(fields, repairs, where)
    if basic is None:
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
    of_place = {name: next(iter(filter(None, values.get(tag, []))), "") for tag, name in PLACE.items()}
    return bibliography.add_facts(basic, of_facts, repairs, chemicals=chemicals, journal_place=of_place)


def _count_left_out(fields: list[Field], repairs: Repairs) -> None:
    counts: Counter[str] = Counter()
    for tag, value in fields:
        if not value:
            continue
        if tag not in READ:
            counts[LEFT_OUT.get(tag, _OTHER)] += 1
        elif tag in ("AID", "LID"):
            counts["publisher_identifier_left_out"] += not is_doi(value)
    for name, count in counts.items():
        repairs.count(name, count)


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
