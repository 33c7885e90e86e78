"""The facts that say who wrote a paper and what it cites, spelled alike whatever format they come from.

    authors             people, "Hellinger, Frank R Jr": last name, fore name or initials, suffix
    corporate_authors   groups that sign as such
    issn                "1756-1833 (Electronic); 0959-8138 (Linking)", as in PubMed's field IS
    keywords            the authors' own
    chemicals           names of substances; their identifiers are relations ("chemical", (UI, name, registry number))
    references          one identifier for each paper cited that has any: PMID, else PMCID, else DOI

Several values are joined by "; ", at most MOST of them. What formats say beyond that is left out and counted, by the
names in COUNTED; datasets, whose rules ask for none of it, read documents without these facts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

import msgspec

from anagnosis.documents.document import Document, Relation
from anagnosis.documents.identifiers import bare_doi, plain_pmcid, plain_pmid
from anagnosis.documents.repairs import Repairs

JOINT = "; "
FACTS = ("authors", "corporate_authors", "issn", "keywords", "chemicals", "references")
# Fact of several values → what those beyond MOST are counted as.
_BEYOND = {
    "authors": "author",
    "corporate_authors": "corporate_author",
    "issn": "administrative_field",
    "keywords": "keyword",
    "chemicals": "chemical",
}
MOST = 10_000
"""Values of one fact; papers of 5,000 authors exist."""

COUNTED = {"reference_repeated"}.union(
    f"{thing}_left_out"
    for thing in (
        # Beyond MOST of one paper; an author that the journal corrected later; a reference without identifier.
        "author", "corporate_author", "keyword", "chemical", "reference",
        "accession_number", "administrative_field", "affiliation", "author_identifier", "author_note",
        "conference", "conflict_of_interest", "date", "editor", "emphasis_of_keyword", "gene_symbol", "general_note",
        "grant", "investigator", "issue", "linked_paper", "object", "other_field", "other_title", "pages",
        "person_as_subject", "product", "publisher_identifier", "rights", "space_flight_mission", "subject",
        "supplementary_concept", "volume",
    )
)  # fmt: skip

CHEMICAL = "chemical"
_PARTS_OF_CHEMICAL = 3
_ISSN = re.compile(r"(.+) \((Electronic|Print|Linking|Undetermined)\)")
_SUFFIXES = frozenset(("Jr", "Jr.", "Sr", "Sr.", "2nd", "3rd", "4th", "5th", "II", "III", "IV"))
# An author of a citation without full names: "Hellinger FR Jr".
_INITIALS = re.compile(r"(.+) ([A-Z](?:-?[A-Z]){0,5})((?: (?:Jr|Sr|2nd|3rd|4th|5th|II|III|IV))?)")


def person(last: str, fore: str, suffix: str = "") -> str:
    """ "Hellinger, Frank R Jr"; what is missing is left away."""
    return ", ".join(filter(None, (last, " ".join(filter(None, (fore, suffix))))))


def person_with_initials(name: str) -> str:
    """ "Hellinger, FR Jr" of "Hellinger FR Jr"; another name as it is."""
    found = _INITIALS.fullmatch(name)
    return person(found[1], found[2], found[3].strip()) if found else name


def name_parts(author: str) -> tuple[str, str, str]:
    """(last name, fore name, suffix) of an author as `person` spells one."""
    last, _, rest = author.partition(", ")
    fore, _, suffix = rest.rpartition(" ")
    return (last, fore, suffix) if fore and suffix in _SUFFIXES else (last, rest, "")


def issn(number: str, medium: str) -> str:
    """ "1756-1833 (Electronic)"; medium: "Electronic", "Print", "Linking", or "" where nobody says."""
    return f"{number} ({medium})" if medium else number


def issn_parts(spelled: str) -> tuple[str, str]:
    """(number, medium) of what `issn` spells."""
    found = _ISSN.fullmatch(spelled)
    return (found[1], found[2]) if found else (spelled, "")


def chemicals(document: Document) -> list[tuple[str, str, str]]:
    """(UI, name, registry number) of each substance, from the relations, or by name alone where there is none."""
    found = [
        (each.arguments[0], each.arguments[1], each.arguments[2])
        for each in document.relations
        if each.type == CHEMICAL and len(each.arguments) == _PARTS_OF_CHEMICAL
    ]
    return found or [("", name, "") for name in document.facts.get("chemicals", "").split(JOINT) if name]


def kind_of_reference(identifier: str) -> str:
    """ "pubmed", "pmc" or "doi", as PubMed calls them."""
    if identifier.isdecimal():
        return "pubmed"
    return "pmc" if plain_pmcid(identifier) else "doi"


def joined(values: Iterable[str], repairs: Repairs, thing: str) -> str:
    """A fact of so many values, without empty ones. Counted: "…_left_out" of the thing, those beyond MOST."""
    there = [value for value in values if value]
    if len(there) > MOST:
        repairs.count(f"{thing}_left_out", len(there) - MOST)
        del there[MOST:]
    return JOINT.join(there)


def with_facts(
    document: Document,
    values: Mapping[str, Iterable[str]],
    repairs: Repairs,
    *,
    chemicals: tuple[Relation, ...] = (),
    references: str = "",
) -> Document:
    """A document with what its record says of authors and references; a fact without a value is none.

    values: of facts of _BEYOND, by their names; the names of chemicals are taken from the relations. references: the
    fact. Counted: "…_left_out", values beyond MOST.
    """
    every = {**values, "chemicals": [each.arguments[1] for each in chemicals]}
    facts = {name: joined(every[name], repairs, thing) for name, thing in _BEYOND.items() if name in every}
    facts["references"] = references
    return msgspec.structs.replace(
        document,
        relations=(*document.relations, *chemicals[:MOST]),
        facts={**document.facts, **{name: fact for name, fact in facts.items() if fact}},
    )


def references(cited: Iterable[Iterable[tuple[str, str]]], repairs: Repairs) -> str:
    """The fact of papers cited, each given by (kind, value) of its identifiers; each once.

    kind: as JATS and PubMed spell them ("pmid", "pubmed", "pmcid", "pmc", "doi"). Counted:
    reference_left_out (it has none), reference_repeated.
    """
    found: dict[str, None] = {}
    without = several = 0
    for paper in cited:
        best, rank = "", len(_KINDS)
        for kind, value in paper:
            its_rank, plain = _KINDS.get(kind, _NO_KIND)
            if its_rank < rank and (identifier := plain(value.strip())):
                best, rank = identifier, its_rank
        if not best:
            without += 1
        elif best in found:
            several += 1
        else:
            found[best] = None
    repairs.count("reference_left_out", without)
    repairs.count("reference_repeated", several)
    return joined(found, repairs, "reference")


def _no_identifier(_: str) -> str:
    return ""


# The kinds of identifiers, the best first, each with what makes it plain.
_KINDS: dict[str, tuple[int, Callable[[str], str]]] = {
    "pubmed": (0, plain_pmid),
    "pmid": (0, plain_pmid),
    "pmc": (1, plain_pmcid),
    "pmcid": (1, plain_pmcid),
    "doi": (2, bare_doi),
}
_NO_KIND = (len(_KINDS), _no_identifier)
