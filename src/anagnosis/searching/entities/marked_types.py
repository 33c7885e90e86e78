"""Does a name have the type that a question asks for? Its annotated mentions tell, and change its score.

    types(wanted)             the types of an answer: {"chemical"} for "Which drugs …"
    marked(…), bonus(marked)  the types of a name's annotations, and their effect on its score

A collection without annotated mentions gets the same ranking as without this module.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from anagnosis.language.inflection import singular
from anagnosis.searching.entities.candidate_names import Name, NameMention, ReadSentence
from anagnosis.searching.sentences.asked_for import DISEASE, DRUG, GENE, Wanted
from anagnosis.word_vectors.namespaces import namespace

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
    singular(head): frozenset(types.split())
    for types, heads in _OF_HEAD_WORDS.items()
    for head in heads.split()
}
# Fitted on questions made of relations (design/answers.md); a share of a name's mentions each.
WEIGHTS = {"right": 2.0, "other": -2.7, "unmarked": -3.2}


class Marked(NamedTuple):
    """Shares of a name's mentions by annotation.

    right: annotated with a type that the question asks for. other: only with other types. unmarked: not annotated,
    though the passage has annotations of a right type. Further mentions do not count.
    """

    right: float
    other: float
    unmarked: float


NOTHING = Marked(0.0, 0.0, 0.0)


def types(wanted: Wanted) -> frozenset[str]:
    """The types of an answer; empty if papers do not annotate such a type."""
    return _OF_HEAD.get(wanted.head) or _OF_CLASS.get(wanted.kind, frozenset())


def marked(names: Sequence[Name], sentences: Sequence[ReadSentence], wanted: Wanted) -> list[Marked]:
    """The annotation shares of each name; NOTHING for all if the question asks for no annotated type."""
    wanted_types = types(wanted)
    holding = {
        id(passage)
        for passage in {id(one.passage): one.passage for one in sentences}.values()
        if any(namespace(entity.type) in wanted_types for entity in passage.entities)
    }
    if not holding:
        return [NOTHING] * len(names)
    holds_wanted = [id(one.passage) in holding for one in sentences]
    return [_marked(name, holds_wanted, wanted_types) for name in names]


def _marked(name: Name, holds_wanted: Sequence[bool], wanted_types: frozenset[str]) -> Marked:
    right = other = unmarked = 0
    places = {(mention.sentence, mention.span.begin, mention.span.end) for mention in name.types}
    for mention in name.mentions:
        if mention_types := name.types.get(mention):
            right += not mention_types.isdisjoint(wanted_types)
            other += mention_types.isdisjoint(wanted_types)
        elif holds_wanted[mention.sentence] and not _holds(mention, places):
            unmarked += 1
    count = right + other + unmarked
    return Marked(right / count, other / count, unmarked / count) if count else NOTHING


def _holds(mention: NameMention, places: set[tuple[int, int, int]]) -> bool:
    """Whether a mention contains an annotated one of the same name: "the HTT gene", of which HTT is annotated."""
    return any(
        sentence == mention.sentence and mention.span.begin <= begin and end <= mention.span.end
        for sentence, begin, end in places
    )


def bonus(marked: Marked, weights: Mapping[str, float]) -> float:
    """The change of a name's score."""
    return sum(weights[name] * share for name, share in zip(Marked._fields, marked, strict=True))
