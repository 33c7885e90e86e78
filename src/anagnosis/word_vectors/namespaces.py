"""Namespaces of entity types, from one table of type spellings, and the keys of candidates.

A bare identifier is ambiguous (9606 is a gene and a species). It stays the raw string, so that `D018943` and
`MESH:D018943` differ, as in the published BioMRC; `folded` unifies such spellings for the strict recipe.
"""

from __future__ import annotations

import re
from functools import lru_cache

# Type spelling, in lower case without separators → namespace. Sources: PubTator Central, PubTator 3, BioRED,
# BC5CDR, NCBI disease corpus, GNormPlus, tmVar, NLM-Gene, CHR, S800.
NAMESPACES = {
    "disease": "disease",
    "diseaseorphenotypicfeature": "disease",
    "specificdisease": "disease",
    "diseaseclass": "disease",
    "modifier": "disease",
    "compositemention": "disease",
    "phenotype": "disease",
    "chemical": "chemical",
    "chemicalentity": "chemical",
    "chemmet": "chemical",
    "drug": "chemical",
    "gene": "gene",
    "geneorgeneproduct": "gene",
    "protein": "gene",
    "familyname": "gene-family",
    "domainmotif": "protein-domain",
    "species": "species",
    "organism": "species",
    "organismtaxon": "species",
    "strain": "species",
    "genus": "species",
    "cellline": "cell-line",
    "snp": "variant",
    "variant": "variant",
    "mutation": "variant",
    "sequencevariant": "variant",
    "dnamutation": "variant",
    "proteinmutation": "variant",
    "othermutation": "variant",
    "acidchange": "variant",
    "dnaacidchange": "variant",
    "proteinacidchange": "variant",
    "dnaallele": "variant",
    "proteinallele": "variant",
    "copynumbervariant": "variant",
    "chromosome": "chromosome",
    "refseq": "reference-sequence",
}

_SEPARATORS = re.compile(r"[\s_\-]+")
_SOURCE_PREFIX = re.compile(r"^(?:MESH|MSH|NCBI ?Gene|NCBI ?Taxon(?:omy)?|taxid|GENE)\s*:\s*", re.IGNORECASE)
_GENE_SPECIES = re.compile(r"\(Tax:\d+\)$")
_JOINTS = re.compile(r"[;,|+]")


@lru_cache(maxsize=4096)
def namespace(entity_type: str) -> str:
    """The namespace of a type in any spelling; an unknown type is a namespace itself, in lower case."""
    word = _SEPARATORS.sub("", entity_type).lower()
    return NAMESPACES.get(word, word or "unknown")


@lru_cache(maxsize=1 << 16)
def candidate_key(entity_type: str, identifier: str) -> str:
    """`namespace/identifier`, with the identifier as read."""
    return f"{namespace(entity_type)}/{identifier}"


@lru_cache(maxsize=1 << 16)
def folded(entity_type: str, identifier: str) -> str:
    """The identifier without the prefix of its source and without a gene's species: `MESH:D018943` → `D018943`."""
    bare = _SOURCE_PREFIX.sub("", identifier)
    return _GENE_SPECIES.sub("", bare) if namespace(entity_type) == "gene" else bare


@lru_cache(maxsize=1 << 16)
def is_composite(entity_type: str, identifier: str) -> bool:
    """Whether the raw string contains several identifiers (joined by `;`, `,`, a bar or `+`).

    The bars and semicolons of a variant (`c|SUB|T|920|G;Gene:23417`) are parts of one identifier.
    """
    return namespace(entity_type) != "variant" and _JOINTS.search(identifier) is not None
