"""The order of quoted sentences (searching/sentences/evidence_order.py): fit its weights, or measure it.

    python benchmarks/evidence_order.py fit FOLDER --index INDEX
    python benchmarks/evidence_order.py measure FOLDER [--encoder FOLDER] [--sets bioasq-8,scifact-validation,…]

FOLDER is as in evidence_sets.py. fit: steps from the present weights, of all kinds of answers and of each, as long as
the gold sentences among those that `ask` reads become likelier, of OURS over INDEX, made of our four collections, and
of FITTED; then a logistic function and thresholds on HELD_OUT. measure: how often the first sentence is gold, one of
the first five is, and how many of at most five gold sentences the first five are.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import random
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from anagnosis.array_types import Bools, Floats
from anagnosis.evaluation.intervals import wilson
from anagnosis.language.question_kinds import answer_kind
from anagnosis.searching.answers.asking import READ, SHOWN, highlighted, with_abstract
from anagnosis.searching.filters import Filters
from anagnosis.searching.index.index import Index, open_index
from anagnosis.searching.records.hits import Hit
from anagnosis.searching.sentences import overlap
from anagnosis.searching.sentences.evidence_order import FEATURES, WEIGHTS, read_sentences
from evidence_sets import COVID, Question, Sets, is_gold
from logistic import choose, logistic, sigmoid
from snippet_recall import plain

HERE = Path(__file__).parent
OURS = (HERE / "questions/first_sentence.jsonl", HERE.parent / "tests/acceptance/new_user/questions.jsonl")
# Set → every n-th question of it. All together weigh as much as AS_MANY questions of ours each.
FITTED = {"bioasq-6": 2, "pqal": 8, "pqal-plain": 8, COVID: 4}
AS_MANY = 15
HELD_OUT = "bioasq-7"
MEASURED = ("bioasq-7", "bioasq-8", "scifact-train", "scifact-validation", "pqal", "pqal-plain", COVID)
STEPS = (0.5, -0.5, 0.15, -0.15)
LEAST_GAIN = 0.3  # of log-likelihood


class Read(NamedTuple):
    """A question's sentences. rows: FEATURES. gold: bool. hits, texts: of each sentence."""

    question: Question
    rows: Floats
    gold: Bools
    hits: list[Hit]
    texts: list[str]
    kind: str  # of answer


def softmax(values: Floats) -> Floats:
    """float64 [n], summing to 1."""
    found = np.exp(values - values.max())
    return found / found.sum()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("fit", "measure"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--encoder")
    parser.add_argument("--index", type=Path)
    parser.add_argument("--sets", default=",".join(MEASURED))
    options = parser.parse_args()
    if options.what == "fit" and options.index is None:
        parser.error("fit needs --index")
    with tempfile.TemporaryDirectory() as scratch:
        sets = Sets(options.folder, Path(scratch), options.encoder)
        if options.what == "fit":
            fit(sets, options.index)
        else:
            measure(sets, options.sets.split(","))


def fit(sets: Sets, index: Path) -> None:
    ours = [one for one in read_ours(index) if one.gold.any()]
    others = [
        [one for one in read_set(sets, name)[::step] if one.gold.any()] for name, step in FITTED.items()
    ]
    weights = {kind: np.array(list(row.values())) for kind, row in WEIGHTS.items()}

    def likelihood(of: dict[str, Floats]) -> float:
        every = [[log_likelihood(one, of[one.kind]) for one in part] for part in (ours, *others)]
        return sum(every[0]) + AS_MANY * sum(math.fsum(part) / len(part) for part in every[1:])

    best, moved = likelihood(weights), True
    while moved:
        moved = False
        for kinds in (tuple(WEIGHTS), *((kind,) for kind in WEIGHTS)):
            for place, step in itertools.product(range(len(FEATURES)), STEPS):
                changed = {kind: row.copy() for kind, row in weights.items()}
                for kind in kinds:
                    changed[kind][place] += step
                if (value := likelihood(changed)) > best + LEAST_GAIN:
                    weights, best, moved = changed, value, True
        print(f"log-likelihood {best:.1f}", flush=True)
    for kind, row in weights.items():
        print(kind, ", ".join(f"{name} {weight:g}" for name, weight in zip(FEATURES, row, strict=True)))
    held = read_set(sets, HELD_OUT)
    values = np.concatenate([one.rows @ weights[one.kind] for one in held])
    gold = np.concatenate([one.gold for one in held])
    slope, intercept = np.round(logistic(np.c_[values, np.ones(len(values))], gold.astype(float), 1e-6), 3)
    chosen = choose(sigmoid(slope * values + intercept), gold)
    print(f"slope {slope:g}, intercept {intercept:g}; {chosen}")


def log_likelihood(read: Read, weights: Floats) -> float:
    return math.log(softmax(read.rows @ weights)[read.gold].sum())


def our_questions() -> Iterator[tuple[str, list[str]]]:
    """Our questions apart from those of the test, with excerpts of the sentences that answer, in any paper."""
    for one in (json.loads(line) for path in OURS for line in path.read_text("utf-8").splitlines()):
        if one.get("part") != "test":
            yield one["question"], [plain(each) for each in (one["answer"], *one["also"]) if each]


def read_ours(folder: Path) -> list[Read]:
    index, read = open_index(folder), list[Read]()
    for question, excerpts in our_questions():
        if excerpts:
            found = read_question(index, Question(question, {}, frozenset()))
            gold = [any(each in plain(text) for each in excerpts) for text in found.texts]
            read.append(found._replace(gold=np.array(gold, np.bool_)))
    index.close()
    return read


def measure(sets: Sets, names: Iterable[str]) -> None:
    weights = {kind: np.array(list(row.values())) for kind, row in WEIGHTS.items()}
    print("| set | questions | first gold | one of five | recall@5 |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name in names:
        read = read_set(sets, name)
        first, five, recall = np.array([credits(one, one.rows @ weights[one.kind]) for one in read]).mean(0)
        within = wilson(first, len(read))
        shown = f"{first:.3f} [{within.low:.3f}, {within.high:.3f}] | {five:.3f} | {recall:.3f}"
        print(f"| {name} | {len(read):,} | {shown} |", flush=True)


def read_set(sets: Sets, name: str) -> list[Read]:
    index, questions = sets.load(name)
    if name == COVID:
        random.Random(0).shuffle(questions)
    read = [read_question(index, one) for one in questions]
    index.close()
    return read


def read_question(index: Index, question: Question) -> Read:
    of_question = index.read(question.question)
    found = with_abstract(index.engine, index.search(of_question, None, READ), Filters())
    hits = highlighted(index, of_question.topic, found)
    asked = overlap.asked_words(index.engine, of_question.topic)
    sentences = read_sentences(asked, hits)
    of = [hits[one.hit] for one in sentences]
    texts = [hit.passage.text[one.begin : one.end] for hit, one in zip(of, sentences, strict=True)]
    gold = [
        is_gold(text, question.gold.get(hit.passage.document, ()))
        for hit, text in zip(of, texts, strict=True)
    ]
    values = [[one.row.get(feature, 0.0) for feature in FEATURES] for one in sentences]
    rows = np.array(values).reshape(-1, len(FEATURES))
    kind = answer_kind(of_question.topic.text)
    return Read(question, rows, np.array(gold, np.bool_), of, texts, kind)


def credits(read: Read, scores: Floats) -> tuple[float, float, float]:
    """(first gold, one of five gold, recall of at most five gold sentences)."""
    if not scores.size:
        return 0.0, 0.0, 0.0
    quoted = list(best_of(read, scores))
    right = [bool(read.gold[place]) for place in quoted]
    wanted = {(document, text) for document, texts in read.question.gold.items() for text in texts}
    given = {
        (document, text)
        for document, text in wanted
        for place in quoted
        if read.hits[place].passage.document == document and is_gold(read.texts[place], [text])
    }
    return float(right[:1] == [True]), float(any(right)), min(1.0, len(given) / min(SHOWN, len(wanted)))


def best_of(read: Read, scores: Floats) -> Iterator[int]:
    """The places of the sentences that are quoted."""
    seen = set[str]()
    for place in np.argsort(-scores, kind="stable").tolist():
        text = " ".join(read.texts[place].split()).casefold()
        if text not in seen and scores[place] != 0:
            seen.add(text)
            yield place
        if len(seen) == SHOWN:
            return


if __name__ == "__main__":
    main()
