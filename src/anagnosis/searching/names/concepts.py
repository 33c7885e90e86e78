"""What the mentions that a paper's source marks say of a name: its concept, and whether its type is asked for.

    key(type, identifier)     "disease/D006816" for D006816 and MESH:D006816; "" where it links to none
    types(wanted)             the types of which an answer is: {"chemical"} for "Which drugs …"
    marked(…), bonus(marked)  how a name is marked, and what its score gains by that

Identifiers of different vocabularies stay apart: the same string is one only within one type. Of a variant the
parts that number it within its paper do not count. A name that no paper marks gains nothing, so that a collection
without mentions is ranked as it was.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from anagnosis.searching.names.asked_for import DISEASE, DRUG, GENE, Wanted
from anagnosis.searching.names.same import singular
from anagnosis.vocabularies.namespaces import folded, namespace

if TYPE_CHECKING:
    from anagnosis.searching.names.found import Mention, Name, Read

SPECIES = "species"
_OF_CLASS = {
    GENE: frozenset(("gene", "gene-family")),
    DRUG: frozenset(("chemical",)),
    DISEASE: frozenset(("disease",)),
}
_OF_HEAD_WORDS = {
    "variant": "mutation polymorphism variant snp allele substitution deletion haplotype",
    SPECIES: """species organism bacterium bacteria virus viruses pathogen animal host parasite fungus fungi plant
        strain microbe microorganism mosquito mammal genus""",
    "cell-line": "line",
    "chemical": """metabolite ion metal element toxin lipid sugar vitamin mineral acid steroid carcinogen pollutant
        pesticide solvent statin monoamine nucleotide""",
    "disease": "effect event reaction illness",
    "chromosome": "chromosome",
    "gene gene-family chemical": """molecule factor ligand hormone peptide neurotransmitter marker biomarker substrate
        target antibody inhibitor activator""",
}
_OF_HEAD = {
    singular(head): frozenset(own.split()) for own, heads in _OF_HEAD_WORDS.items() for head in heads.split()
}
# Fitted on questions made of relations (design/search.md); a share of a name's mentions each.
WEIGHTS = {"asked": 2.0, "other": -2.7, "unmarked": -3.2}
_GENES = f"{GENE}/"
_JOINTS = re.compile(r"[;,|+]")
_RS = re.compile(r"\brs#?:?(\d+)", re.IGNORECASE)
_GENE = re.compile(r";(?:Corresponding)?Gene:(\d+)")


class Marked(NamedTuple):
    """Of a name's mentions, the share that is marked with a type that is asked for; with another one alone; and with
    none where the passage has a mention of a type that is asked for. Others tell nothing and do not count.
    """

    asked: float
    other: float
    unmarked: float


NOTHING = Marked(0.0, 0.0, 0.0)


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


def types(wanted: Wanted) -> frozenset[str]:
    """Of which an answer is; empty where no such type is marked in papers."""
    return _OF_HEAD.get(wanted.head) or _OF_CLASS.get(wanted.kind, frozenset())


def marked(names: Sequence[Name], sentences: Sequence[Read], wanted: Wanted) -> list[Marked]:
    """Of each name, how its mentions are marked; NOTHING for all where no type is asked for."""
    asked = types(wanted)
    holding = {
        id(passage)
        for passage in {id(one.passage): one.passage for one in sentences}.values()
        if any(namespace(entity.type) in asked for entity in passage.entities)
    }
    if not holding:
        return [NOTHING] * len(names)
    held = [id(one.passage) in holding for one in sentences]
    return [_marked(name, held, asked) for name in names]


def _marked(name: Name, held: Sequence[bool], asked: frozenset[str]) -> Marked:
    right = other = unmarked = 0
    places = {(mention.sentence, mention.span.begin, mention.span.end) for mention in name.types}
    for mention in name.mentions:
        if own := name.types.get(mention):
            right += not own.isdisjoint(asked)
            other += own.isdisjoint(asked)
        elif held[mention.sentence] and not _holds(mention, places):
            unmarked += 1
    count = right + other + unmarked
    return Marked(right / count, other / count, unmarked / count) if count else NOTHING


def _holds(mention: Mention, places: set[tuple[int, int, int]]) -> bool:
    """Whether a mention that is marked as the same lies in it: "the HTT gene", of which HTT is marked."""
    return any(
        sentence == mention.sentence and mention.span.begin <= begin and end <= mention.span.end
        for sentence, begin, end in places
    )


def bonus(marked: Marked, weights: Mapping[str, float]) -> float:
    """What a name's score gains."""
    return sum(weights[name] * share for name, share in zip(Marked._fields, marked, strict=True))
