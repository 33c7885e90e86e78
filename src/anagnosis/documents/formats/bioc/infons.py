"""What BioC's infons say: free pairs of key and value, which every source spells in its own way."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from anagnosis.documents.document import linked

# The infons that hold an identifier, in lower case, in the order asked, each with what is put before its
# value when the value does not begin with it. A source that is a namespace of ours gives its name: `MESH`
# with D003693 is MESH:D003693, the spelling of PubTator Central's own text for the same rows. Numbers of
# genes and taxa are bare.
IDENTIFIERS: dict[str, str] = {
    "identifier": "",  # BioRED, PubTator 3, tmVar 3: as its file spells it
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
    "accession": "",  # PubTator 3's own key (@GENE_CEP135), where nothing else is given
}
LABELS = ("section_type", "type", "section")

_SEPARATORS = re.compile(r"([|;,+])")


def identifier(infons: Mapping[str, Any]) -> tuple[str, str]:
    """(as the infon spells it, as a mention carries it) of the first identifier, twice "" if there is none.

    Each part of a composite gets its source's name: `MESH` with D002318|D012131 is MESH:D002318|MESH:D012131.
    """
    named = {key.lower(): value for key, value in infons.items()}
    for key, prefix in IDENTIFIERS.items():
        value = plain(named.get(key)).strip()
        if linked(value):
            return value, _prefixed(value, prefix) if prefix else value
    return "", ""


def label(infons: Mapping[str, Any]) -> str:
    """What a passage is, in lower case: "title", "abstract", its source's own word; "" where it has none."""
    return next((found for key in LABELS if (found := plain(infons.get(key)).strip().lower())), "")


def not_held(infons: Mapping[str, Any] | None, *held: str) -> int:
    """How many infons say something that none of these values says."""
    if not infons:
        return 0
    said = {value.strip().lower() for value in held}
    return sum(bool(words := linked(plain(value))) and words.lower() not in said for value in infons.values())


def plain(value: Any) -> str:
    """A value as a string: a list joined by "; ", what is nested deeper as JSON, nothing as ""."""
    if isinstance(value, str):
        return value
    if value is None or value in ([], {}):
        return ""
    if isinstance(value, list) and all(isinstance(item, str | int) for item in value):
        return "; ".join(plain(item) for item in value)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _prefixed(value: str, prefix: str) -> str:
    return "".join(
        part if _SEPARATORS.fullmatch(part) or _is_whole(part, prefix) else prefix + part
        for part in _SEPARATORS.split(value)
    )


def _is_whole(part: str, prefix: str) -> bool:
    """Whether a part needs no prefix: it links to nothing, or names its source itself (CVCL_0007)."""
    return not linked(part) or part.lower().startswith(prefix.rstrip(":").lower())
