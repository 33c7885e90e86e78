"""What the papers' own mentions bring to names that answer: questions made of relations, asked with and without them.

    python benchmarks/annotated_names.py /path/of/pubtator --reader readers/names

The folder holds bc5cdr, bc5cdr-test-dnorm, bc5cdr-test-tmchem and biored as `.pubtator.gz`. Of each concept that a
relation names a list question is made: "Which drugs cause delirium?", whose answers are the concepts that relations of
the collection link to it. An answer is right where it is written as the gold mentions of such a concept are, and counts
once for each concept.

Weights of mentions are fitted on the training and development parts of both, with the gold mentions of one half of
their papers, since a collection has papers with and without mentions. They are tested on the test part of BC5CDR as
two taggers mark it (DNorm, tmChem), which know nothing of its gold, and on that of BioRED with its gold mentions, which
is more than a tagger gives; with the mentions of all papers, and of one half.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import msgspec
import numpy as np

import anagnosis
from anagnosis.array_types import Floats
from anagnosis.datasets.kinds.question import LIST
from anagnosis.documents.document import Document, linked
from anagnosis.entities.same_entity import plain
from anagnosis.evaluation.calibration.newton import conditional_logit
from anagnosis.evaluation.intervals import estimate
from anagnosis.evaluation.phase_b.rules import FIRST_LIST
from anagnosis.evaluation.probabilities import calibration, words
from anagnosis.searching.answers.asking import READ, highlighted, with_fitting_sentence
from anagnosis.searching.entities import concepts, marked_types, ranking
from anagnosis.searching.entities.asked_for import wanted
from anagnosis.searching.entities.naming import KnownNames, NamesReader, known, load_names_reader
from anagnosis.searching.index.index import Index, create_index
from anagnosis.searching.records.answers import Hit
from anagnosis.searching.records.names import NamedAnswer
from anagnosis.word_vectors.namespaces import namespace

NOUNS = {"gene": "genes", "disease": "diseases", "chemical": "drugs", "variant": "mutations"}
NO, HALF, ALL = "none", "half", "all"
TEXT, MERGED, WEIGHED, FILTERED = "text alone", "mentions, weight 0", "mentions, weighed", "of the type alone"
NONE = dict.fromkeys(marked_types.WEIGHTS, 0.0)
Surfaces = dict[str, set[str]]  # concept → plain names that its gold mentions have


class Question(NamedTuple):
    """gold: of each concept that answers, its names (same.plain)."""

    text: str
    gold: list[set[str]]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--reader", type=Path, required=True)
    parser.add_argument("--most", type=int, default=200, help="Questions of each part, evenly taken.")
    options = parser.parse_args()
    cdr, biored = (read(options.folder, name) for name in ("bc5cdr", "biored"))
    tagged = together(*(read(options.folder, f"bc5cdr-test-{name}") for name in ("dnorm", "tmchem")))
    in_test = {one.id for one in tagged}
    parts = {
        "fit BC5CDR": ([one for one in cdr if one.id not in in_test],) * 2,
        "fit BioRED": (biored[:-100],) * 2,
        "BC5CDR test, as tagged": ([one for one in cdr if one.id in in_test], tagged),
        "BioRED test, gold": (biored[-100:],) * 2,
    }
    namer = load_names_reader(options.reader)
    rows, targets = list[Floats](), list[Floats]()
    with tempfile.TemporaryDirectory() as scratch:
        for number, (name, (gold, documents)) in enumerate(parts.items()):
            index = indexed(documents, Path(scratch) / str(number))
            every = questions(gold)
            asked = every[:: max(1, -(-len(every) // options.most))]
            print(f"{name}: {len(documents)} documents, {len(asked)} of {len(every)} questions", flush=True)
            both = [(one, knowns(index, one.text)) for one in asked]
            if name.startswith("fit"):
                own = [made for one, had in both if (made := to_fit(one, had[HALF], namer))]
                rows += [row for row, _ in own]
                targets += [target for _, target in own]
                print(f"{len(own)} with an answer among the names", flush=True)
            else:
                first, *weights = conditional_logit(rows, targets)
                fitted = {kind: float(value / first) for kind, value in zip(NONE, weights, strict=True)}
                print("fitted:", {kind: round(value, 2) for kind, value in fitted.items()})
                report(name, index, namer, both, fitted)
            index.close()


def read(folder: Path, name: str) -> list[Document]:
    return list(anagnosis.read(folder / f"{name}.pubtator.gz"))


def together(one: Iterable[Document], other: Iterable[Document]) -> list[Document]:
    """Each document with the mentions of both."""
    more = {document.id: document.mentions for document in other}
    return [
        msgspec.structs.replace(document, mentions=(*document.mentions, *more.get(document.id, ())))
        for document in one
    ]


def indexed(documents: Iterable[Document], folder: Path) -> Index:
    index, counts = create_index(folder), Counter[str]()
    for document in documents:
        index.add(document, counts)
    index.commit()
    return index


def questions(gold: Sequence[Document]) -> list[Question]:
    """Of each concept that a relation names and each type of what is linked to it, by concept."""
    names: defaultdict[str, Counter[str]] = defaultdict(Counter)
    spelled: defaultdict[tuple[str, str], set[str]] = defaultdict(set)  # identifier in a document → keys
    for document in gold:
        for mention in document.mentions:
            for part in concepts.parts(concepts.key(mention.type, linked(mention.identifier)) or "/"):
                if part != "/":
                    names[part][mention.text] += 1
                    spelled[document.id, part.partition("/")[2]].add(part)
    linked_to: defaultdict[tuple[str, str, str], set[str]] = defaultdict(set)
    for document in gold:
        for relation in document.relations:
            ends = [
                key
                for argument in relation.arguments[:2]
                for key in sorted(spelled.get((document.id, argument), ()))[:1]
            ]
            if len(ends) == 2 and relation.type in ("CID", "Association", "Positive_Correlation"):
                chemical_first = ends if relation.type == "CID" else None
                for own, other in (ends, ends[::-1]):
                    verb = "are associated with"
                    if chemical_first is not None:
                        verb = "are caused by" if own == ends[0] else "cause"
                    kind = namespace(other.partition("/")[0])
                    if kind in NOUNS:
                        linked_to[own, kind, verb].add(other)
    plains = {key: {plain(text) for text in own} for key, own in names.items()}
    return [
        Question(
            f"Which {NOUNS[kind]} {verb} {min(names[own], key=lambda one: (-names[own][one], one))}?",
            [plains[other] for other in sorted(others)],
        )
        for (own, kind, verb), others in sorted(linked_to.items())
    ]


def knowns(index: Index, question: str) -> dict[str, KnownNames]:
    """What is known of the names of the same passages, with the mentions of no paper, of one half, and of all."""
    asked = index.read(question)
    found = with_fitting_sentence(highlighted(index, asked.topic, index.search(asked, None, READ)))
    taken = {
        NO: [bare(one) for one in found],
        HALF: [bare(one) if crc32(one.passage.document.encode()) % 2 else one for one in found],
        ALL: found,
    }
    return {which: known(index.engine, asked.topic, own) for which, own in taken.items()}


def bare(found: Hit) -> Hit:
    passage = msgspec.structs.replace(found.passage, entities=(), title_entities=())
    return msgspec.structs.replace(found, passage=passage)


def to_fit(question: Question, had: KnownNames, namer: NamesReader) -> tuple[Floats, Floats] | None:
    """[names, 1 + mentions] and the shares of the right names; None where there is none."""
    weights = namer.fitted.features
    right = [
        {place for place, name in enumerate(had.names) if not own.isdisjoint(name.keys)}
        for own in question.gold
    ]
    right = [own for own in right if own]
    if not right:
        return None
    target = np.zeros(len(had.names))
    for own in right:
        target[list(own)] += 1 / (len(own) * len(right))
    marked = np.array(marked_types.marked(had.names, had.sentences, wanted(had.question)))
    return np.column_stack([ranking.scores(had.rows, weights), marked]), target


def of_type(had: KnownNames) -> KnownNames:
    """Only names that are marked with a type that is asked for, where there are any."""
    marked = marked_types.marked(had.names, had.sentences, wanted(had.question))
    kept = [place for place, one in enumerate(marked) if one.right]
    return had._replace(names=[had.names[place] for place in kept], rows=had.rows[kept]) if kept else had


def report(
    name: str,
    index: Index,
    namer: NamesReader,
    both: Sequence[tuple[Question, dict[str, KnownNames]]],
    fitted: dict[str, float],
) -> None:
    print(f"\n## {name}: {len(both)} questions, {np.mean([len(one.gold) for one, _ in both]):.1f} answers")
    ways: dict[str, tuple[Callable[[dict[str, KnownNames]], KnownNames], dict[str, float]]] = {
        TEXT: (lambda had: had[NO], NONE),
        MERGED: (lambda had: had[ALL], NONE),
        WEIGHED: (lambda had: had[ALL], fitted),
        FILTERED: (lambda had: of_type(had[ALL]), NONE),
        f"{WEIGHED}, {HALF}": (lambda had: had[HALF], fitted),
        f"{FILTERED}, {HALF}": (lambda had: of_type(had[HALF]), NONE),
    }
    scores: dict[str, dict[str, list[float]]] = {}
    for way, (choose, weights) in ways.items():
        asked = replace(namer, mention_weights=weights)
        told = scores[way] = defaultdict(list)
        sure, hit, unit = list[float](), list[float](), list[int]()
        for number, (question, hads) in enumerate(both):
            had = choose(hads)
            given = asked.judged(LIST, had) if had.names else []
            right = rights(question, given)
            told["MRR"].append(next((1 / rank for rank, one in enumerate(right, 1) if one), 0.0))
            for most, label in ((5, "F1 of five"), (FIRST_LIST, "F1 as given")):
                own = right[:most]
                told[label].append(2 * sum(own) / (len(own) + len(question.gold)) if own else 0.0)
            told["recall"].append(sum(right) / len(question.gold))
            told["precision"].append(sum(right) / len(right) if right else 0.0)
            texts = {surface for one in had.names for surface in one.keys}
            told["among the names"].append(
                float(np.mean([not own.isdisjoint(texts) for own in question.gold]))
            )
            sure += [one.confidence for one in given]
            hit += [float(one) for one in right]
            unit += [number] * len(given)
        error = calibration(np.array(sure), np.array(hit), np.array(unit))
        row = [interval(values) for values in told.values()]
        print(f"| {way} | {' | '.join(row)} | {words(error)} |", flush=True)
        print(f"  {', '.join(told)}; mean confidence {np.mean(sure):.3f}, right {np.mean(hit):.3f}")
    pairs = [(MERGED, TEXT), (WEIGHED, TEXT), (WEIGHED, MERGED), (FILTERED, WEIGHED)]
    pairs += [(f"{WEIGHED}, {HALF}", TEXT), (f"{FILTERED}, {HALF}", f"{WEIGHED}, {HALF}")]
    for way, base in pairs:
        for label, values in scores[way].items():
            gap = np.array(values) - np.array(scores[base][label])
            half = 1.96 * gap.std(ddof=1) / np.sqrt(len(gap))
            print(f"{way} less {base}, {label}: {gap.mean():+.4f} ± {half:.4f}")


def rights(question: Question, given: Sequence[NamedAnswer]) -> list[bool]:
    """Whether each answer is right: a name of a concept that none before it named."""
    left, found = list(question.gold), list[bool]()
    for one in given:
        own = next((gold for gold in left if plain(one.text) in gold), None)
        found.append(own is not None)
        if own is not None:
            left.remove(own)
    return found


def interval(values: Sequence[float]) -> str:
    found = estimate(np.array(values, np.float64))
    return f"{found.value:.3f} [{found.interval.low:.3f}, {found.interval.high:.3f}]"


if __name__ == "__main__":
    main()
