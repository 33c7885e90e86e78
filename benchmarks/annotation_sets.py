"""Texts with gold entities on which `annotation.py quality` measures the dictionary annotator, and their vocabularies.

DATA_SETS maps a name to a function from the folder of all data to a DataSet. Offsets are characters of the text, end
exclusive. A gold entity has every identifier that a person gave to its place and type.
"""

from __future__ import annotations

import csv
import gzip
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import bioread_craft
from anagnosis import api
from anagnosis.documents.document import Document
from anagnosis.entities.annotator import UNTYPED
from anagnosis.entities.concepts import Concept, concepts
from anagnosis.entities.vocabulary_files import terms

MESH = (
    "mesh_descriptors.tsv.gz",
    "mesh_supplementary_diseases.tsv.gz",
    "mesh_supplementary_chemicals_sample.tsv.gz",
)
ALL = (*MESH, "doid.tsv.gz", "mondo.tsv.gz", "go.tsv.gz", "hp.obo.gz")
OPEN_NAMES = "cui_names_open.tsv.gz"
ABNORMALITY = "HP:0000118"  # the root of HPO's phenotypes; its other branches qualify them
FIXED_ON = 1000  # documents of BC5CDR
ANY = "any"  # type of a count over all types

Place = tuple[int, int]


class GoldText(NamedTuple):
    """A text. entities: type → (start, end) → identifiers. window: the part that people annotated."""

    text: str
    entities: Mapping[str, Mapping[Place, set[str]]]
    window: Place


class DataSet(NamedTuple):
    """parts: name → texts. vocabularies: name → concepts, their first type being a type of the gold entities.

    types: that are counted; ANY counts a place whatever its type.
    """

    parts: Mapping[str, Sequence[GoldText]]
    vocabularies: Mapping[str, Sequence[Concept]]
    types: Sequence[str]


def read_concepts(folder: Path, files: Sequence[str], types: Sequence[str] = ()) -> list[Concept]:
    """The concepts of files of `vocabularies/`, with all synonyms; types: first types that count (default: all)."""
    read = concepts(
        terms([folder / "vocabularies" / file for file in files], Counter()), ("obsolete_term",), Counter()
    )
    return [concept for concept in read if not types or (concept.types and concept.types[0] in types)]


def bc5cdr(folder: Path) -> DataSet:
    """Diseases and chemicals of 1,500 abstracts by MeSH. The rules were fixed on the first 1,000."""
    texts = [_gold_text(document) for document in api.read(folder / "pubtator" / "bc5cdr.pubtator.gz")]
    types = ("Disease", "Chemical")
    return DataSet(
        {"fixed on": texts[:FIXED_ON], "held out": texts[FIXED_ON:]},
        {
            "MeSH": read_concepts(folder, MESH, types),
            "MeSH and DOID": read_concepts(folder, (*MESH, "doid.tsv.gz"), types),
        },
        types,
    )


def craft(folder: Path) -> DataSet:
    """Concepts of eleven ontologies in CRAFT's 30 test articles, by the names annotated in its 67 others.

    A class has the texts of its mentions as names, the most frequent one first. Discontinuous mentions are no names and
    no gold.
    """
    parts = bioread_craft.documents(folder / "craft")
    names: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for document in (*parts["train"], *parts["dev"]):
        for mention in document.mentions:
            if len(mention.spans) == 1:
                names[mention.type, mention.identifier][mention.text] += 1
    frequent = sorted(names.items(), key=lambda entry: (-entry[1].total(), entry[0]))
    vocabulary = [
        Concept(identifier, next(iter(dict(texts.most_common()))), tuple(dict(texts.most_common())), (kind,))
        for (kind, identifier), texts in frequent
    ]
    types = (ANY, *sorted({kind for kind, _ in names}))
    return DataSet(
        {"test": [_gold_text(document) for document in parts["test"]]}, {"CRAFT": vocabulary}, types
    )


def e3c(folder: Path) -> DataSet:
    """Disorders of 84 clinical cases (layer 1), and those that people checked in 19 others, by names of open sources.

    Of a checked case the text from the first to the last checked disorder counts. The names are those of UMLS's
    concepts in HPO, the Disease Ontology and Mondo, with and without HPO's words that only qualify (right, severe).
    """
    names = read_concepts(folder, (OPEN_NAMES,))
    with gzip.open(folder / "e3c" / "cases.jsonl.gz", "rt", encoding="utf-8") as lines:
        cases = [json.loads(line) for line in lines]
    return DataSet(
        {
            "layer 1": [_disorders(case["text"], case["entities"]) for case in cases if case["layer"] == 1],
            "checked": [
                _disorders(case["text"], case["checked"], only_between=True)
                for case in cases
                if "checked" in case
            ],
        },
        {
            "open names": names,
            "abnormalities": open_disorders(folder),
        },
        (UNTYPED,),
    )


def open_disorders(folder: Path) -> list[Concept]:
    """The concepts of `OPEN_NAMES` without HPO's words that only qualify (right, severe)."""
    qualifying = _qualifying(folder)
    return [
        concept for concept in read_concepts(folder, (OPEN_NAMES,)) if concept.identifier not in qualifying
    ]


DATA_SETS: dict[str, Callable[[Path], DataSet]] = {"bc5cdr": bc5cdr, "craft": craft, "e3c": e3c}


def _qualifying(folder: Path) -> set[str]:
    """The concepts of `OPEN_NAMES` whose sources are all terms of HPO outside its phenotypes."""
    parents = {
        term.identifier: term.parents for term in terms([folder / "vocabularies" / "hp.obo.gz"], Counter())
    }

    @cache
    def is_abnormality(identifier: str) -> bool:
        return identifier == ABNORMALITY or any(map(is_abnormality, parents.get(identifier, ())))

    outside: dict[str, bool] = {}
    with gzip.open(folder / "vocabularies" / OPEN_NAMES, "rt", encoding="utf-8") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            is_outside = row["source_id"] in parents and not is_abnormality(row["source_id"])
            outside[row["cui"]] = outside.get(row["cui"], True) and is_outside
    return {cui for cui, is_outside in outside.items() if is_outside}


def _gold_text(document: Document) -> GoldText:
    entities: dict[str, dict[Place, set[str]]] = defaultdict(lambda: defaultdict(set))
    for mention in document.mentions:
        if len(mention.spans) == 1:
            entities[mention.type][mention.start, mention.end].update(mention.identifier.split("|"))
    return GoldText(document.text, entities, (0, len(document.text)))


def _disorders(
    text: str, annotations: Iterable[Mapping[str, Any]], *, only_between: bool = False
) -> GoldText:
    places: dict[Place, set[str]] = defaultdict(set)
    for entity in annotations:
        if entity.get("type", "CLINENTITY") == "CLINENTITY":
            places[entity["begin"], entity["end"]].add(entity.get("cui", ""))
    window = (0, len(text))
    if only_between:
        window = (min(start for start, _ in places), max(end for _, end in places))
    return GoldText(text, {UNTYPED: places}, window)
