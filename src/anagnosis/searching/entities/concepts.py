"""The concepts of names: keys of the identifiers of annotated mentions.

    key(type, identifier)     "disease/D006816" for D006816 and MESH:D006816; "" without an identifier

A key includes the type, since vocabularies share identifiers. Keys of variants leave out the parts of the identifier
that number the variant within its paper.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from anagnosis.searching.sentences.asked_for import GENE
from anagnosis.word_vectors.namespaces import folded, namespace

_GENES = f"{GENE}/"
_JOINTS = re.compile(r"[;,|+]")
_RS = re.compile(r"\brs#?:?(\d+)", re.IGNORECASE)
_GENE = re.compile(r";(?:Corresponding)?Gene:(\d+)")


@lru_cache(1 << 16)
def key(type: str, identifier: str) -> str:
    """`type/identifier`, the same for all spellings of a type and of a vocabulary's name; "" without identifier."""
    if not identifier:
        return ""
    kind = namespace(type)
    if kind != "variant":
        return f"{kind}/{folded(type, identifier)}"
    if number := _RS.search(identifier):
        return f"{kind}/rs{number[1]}"
    gene = _GENE.search(identifier)
    return f"{kind}/{identifier.partition(';')[0]}" + (f";Gene:{gene[1]}" if gene else "")


def parts(concept: str) -> frozenset[str]:
    """The keys of a composite identifier's parts; for others the key itself."""
    kind, _, identifier = concept.partition("/")
    if kind == "variant":
        return frozenset((concept,))
    return frozenset(f"{kind}/{part.strip()}" for part in _JOINTS.split(identifier))


def telling(counts: Mapping[str, int]) -> dict[str, int]:
    """The concepts that distinguish a name from others: the most frequent, and every gene.

    An abbreviation may have concepts of several things, which must not merge their names. A gene of several species is
    one name.
    """
    most = min(counts, key=lambda one: (-counts[one], one), default="")
    return {one: count for one, count in counts.items() if one == most or one.startswith(_GENES)}
