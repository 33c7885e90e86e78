"""The concepts of names: keys of the identifiers that the papers' sources mark mentions with.

    key(type, identifier)     "disease/D006816" for D006816 and MESH:D006816; "" where it links to none

Identifiers of different vocabularies stay apart: the same string is one only within one type. Of a variant the
parts that number it within its paper do not count.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from anagnosis.searching.entities.asked_for import GENE
from anagnosis.vocabularies.namespaces import folded, namespace

_GENES = f"{GENE}/"
_JOINTS = re.compile(r"[;,|+]")
_RS = re.compile(r"\brs#?:?(\d+)", re.IGNORECASE)
_GENE = re.compile(r";(?:Corresponding)?Gene:(\d+)")


@lru_cache(1 << 16)
def key(type: str, identifier: str) -> str:
    """`type/identifier`, one for all spellings of a type and of a vocabulary's name; "" for no identifier."""
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
    """A key's own identifiers, more than one of a mention that is linked to several."""
    kind, _, identifier = concept.partition("/")
    if kind == "variant":
        return frozenset((concept,))
    return frozenset(f"{kind}/{part.strip()}" for part in _JOINTS.split(identifier))


def telling(found: Mapping[str, int]) -> dict[str, int]:
    """Of a name's concepts those by which it is told from others: the commonest, and every gene.

    One abbreviation stands for several things, and joins none of them; a gene of several species is one name.
    """
    most = min(found, key=lambda one: (-found[one], one), default="")
    return {one: count for one, count in found.items() if one == most or one.startswith(_GENES)}
