"""BioC's infons, free pairs of key and value that each source spells differently, as labels, identifiers and facts.

Infons about a paper's authors, its place in a journal and its identifiers become the facts of other formats:

    name_0: "surname:Cui;given-names:Yujuan", fpage: "12", lpage: "19"     PMC's collections
    authors: "Liu WH, Guo SN, "                                            PubTator
    article-id_doi: "10.1155/2022/7137401"                                 stays, since it says where the id comes from
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from anagnosis.documents import bibliography
from anagnosis.documents.bibliography import listed_people
from anagnosis.documents.document import linked
from anagnosis.documents.identifiers import bare_doi, plain_pmcid, plain_pmid
from anagnosis.documents.repairs import Repairs

# Key of an infon that holds an identifier, in lower case, in the order of preference → the prefix that a value
# gets unless it begins with it. A source that is one of our namespaces gives its name: `MESH` with D003693 is
# MESH:D003693, as PubTator Central's text spells the same rows. Numbers of genes and taxa get no prefix.
IDENTIFIERS: dict[str, str] = {
    "identifier": "",  # BioRED, PubTator 3, tmVar 3: in the spelling of the file
    "conceptid": "",  # pgxmine
    "concept_id": "",  # bionlplab/bioc's conversion of PubTator text
    "mesh": "MESH:",  # Medical Subject Headings
    "omim": "OMIM:",  # Online Mendelian Inheritance in Man
    "cvcl": "CVCL:",  # Cellosaurus cell lines
    "chebi": "CHEBI:",  # Chemical Entities of Biological Interest
    "ncbi gene": "",  # NCBI Gene
    "ncbi gene identifier": "",  # NCBI Gene, in NLM-Gene
    "ncbi taxonomy": "",  # NCBI Taxonomy, in tmVar 3
    "ncbi species": "",  # NCBI Taxonomy, in PubTator Central
    "tmvar": "",  # a variant in tmVar's notation
    "ncbi homologene": "HomoloGene:",  # a group of homologous genes, where no gene is given
    "ncbi_homologene": "HomoloGene:",
    "accession": "",  # PubTator 3's key (@GENE_CEP135), where nothing else is given
}
LABELS = ("section_type", "type", "section")
HEADING, CATEGORY = "section_heading", "section_category"
"""Infons of passages that our writer adds: a section's title, which begins the passage's text, and its category."""
_SEPARATORS = re.compile(r"([|;,+])")
_NAME = re.compile(r"name_\d+")
_PAGES = ("fpage", "lpage", "elocation-id")

# Infon → fact, and the function that normalises it.
_IDENTIFIERS = {
    "article-id_pmid": ("pmid", plain_pmid),
    "article-id_pmc": ("pmcid", plain_pmcid),
    "article-id_doi": ("doi", bare_doi),
}


def identifier(infons: Mapping[str, Any]) -> tuple[str, str]:
    """(the infon's spelling, the mention's spelling) of the first identifier, ("", "") if there is none.

    Each part of a composite gets the prefix: `MESH` with D002318|D012131 is MESH:D002318|MESH:D012131.
    """
    named = {key.lower(): value for key, value in infons.items()}
    for key, prefix in IDENTIFIERS.items():
        value = plain(named.get(key)).strip()
        if linked(value):
            parts = _SEPARATORS.split(value) if prefix else [value]
            return value, "".join(part if _stays(part, prefix) else prefix + part for part in parts)
    return "", ""


def label(infons: Mapping[str, Any]) -> str:
    """The label of a passage in lower case: "title", "abstract", or the source's word; "" without label."""
    return next((word for key in LABELS if (word := plain(infons.get(key)).strip().lower())), "")


def plain(value: Any) -> str:
    """A value as a string: a list joined by "; ", nested values as JSON, None and empty ones as ""."""
    if isinstance(value, str):
        return value
    if value is None or value in ([], {}):
        return ""
    if isinstance(value, list) and all(isinstance(item, str | int) for item in value):
        return "; ".join(plain(item) for item in value)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _stays(part: str, prefix: str) -> bool:
    """Whether a part gets no prefix: a separator, what links to nothing, or begins with its source (CVCL_0007)."""
    is_separator = _SEPARATORS.fullmatch(part) is not None
    return is_separator or not linked(part) or part.lower().startswith(prefix.rstrip(":").lower())


def normalised(infons: dict[str, str], repairs: Repairs) -> dict[str, str]:
    """The facts in a document's infons, in their order; those that we make of others come last.

    Counted: author_left_out, volume_left_out, issue_left_out, pages_left_out, semicolon_in_value (bibliography.py).
    """
    names = [fact for key, fact in infons.items() if _NAME.fullmatch(key)]
    people = listed_people(infons.get("authors", "")) or [_person(name) for name in names]
    first, last, number = (infons.get(name, "") for name in _PAGES)
    pages = infons.get("pages") or bibliography.page_range(first, last) or number
    facts = {key: fact for key, fact in infons.items() if key not in _PAGES and not _NAME.fullmatch(key)}
    for key, (name, plain) in _IDENTIFIERS.items():
        if identifier := plain(facts.get(key, "")):
            facts.setdefault(name, identifier)
    of_place = bibliography.place({**facts, "pages": pages}, repairs)
    facts = {key: fact for key, fact in facts.items() if key not in bibliography.PLACE or key in of_place}
    authors = bibliography.join_values(people, repairs, "author")
    return {**facts, **of_place, **({"authors": authors} if authors else {})}


def _person(name: str) -> str:
    """An author of PMC's collections as the fact spells it."""
    parts = {key: value.strip() for key, _, value in (part.partition(":") for part in name.split(";"))}
    return bibliography.person(
        parts.get("surname", ""), parts.get("given-names", ""), parts.get("suffix", "")
    )
