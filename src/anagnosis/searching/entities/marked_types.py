"""Does a name have the type that a question asks for? What its marked mentions say, and what its score gains by it.

    types(wanted)             the types of which an answer is: {"chemical"} for "Which drugs …"
    marked(…), bonus(marked)  how a name is marked, and what its score gains by that

A name that no paper marks gains nothing, so that a collection without mentions is ranked as it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from anagnosis.searching.entities.asked_for import DISEASE, DRUG, GENE, Wanted
from anagnosis.searching.entities.candidate_names import Mention, Name, Read
from anagnosis.searching.entities.same_entity import singular
from anagnosis.vocabularies.namespaces import namespace

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


class Marked(NamedTuple):
    """Of a name's mentions, the share that is marked with a type that is asked for; with another one alone; and with
    none where the passage has a mention of a type that is asked for. Others tell nothing and do not count.
    """

    asked: float
    other: float
    unmarked: float


NOTHING = Marked(0.0, 0.0, 0.0)


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
