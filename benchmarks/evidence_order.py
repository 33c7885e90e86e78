"""The order of quoted sentences (searching/sentences/evidence_order.py): fit its weights, or measure it beside words.

    python benchmarks/evidence_order.py fit FOLDER
    python benchmarks/evidence_order.py measure FOLDER [--encoder FOLDER] [--sets bioasq-8,scifact-validation,…]

FOLDER is as in evidence_sets.py. fit: a conditional logit of the gold sentences among those of the passages that `ask`
reads, of FITTED; then a logistic function of the value, and thresholds, on HELD_OUT. The same data give the same
numbers. measure: how often the first sentence is gold, one of the first five is, and how many of at most five gold
sentences the first five are, by this order and by the one before it: word overlap / √rank, at least .3; with the paired
test of the first sentences.
"""

from __future__ import annotations

import argparse
import math
import random
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from anagnosis.array_types import Bools, Floats
from anagnosis.evaluation.calibration import highlight_thresholds
from anagnosis.evaluation.calibration.newton import conditional_logit, logistic, sigmoid
from anagnosis.searching.answers.asking import READ, SHOWN, highlighted
from anagnosis.searching.index.index import Index
from anagnosis.searching.records.hits import Hit
from anagnosis.searching.sentences import overlap
from anagnosis.searching.sentences.evidence_order import FEATURES, WEIGHTS, read_sentences
from anagnosis.searching.sentences.overlap import share
from evidence_sets import COVID, Question, Sets, is_gold

# Set → the share of its questions: every n-th one, from the place on.
FITTED = {
    **{f"bioasq-{edition}": (0, 2) for edition in (2, 3, 4, 5, 6)},
    "scifact-train": (0, 1),
    "pqal": (0, 2),
    "pqal-plain": (0, 2),
    COVID: (0, 3),
}
HELD_OUT = "bioasq-7"
MEASURED = ("bioasq-7", "bioasq-8", "scifact-train", "scifact-validation", "pqal", "pqal-plain", COVID)
RIDGE = 30.0
# The least and the greatest weight. PQA-L's gold sentences are conclusions by construction, so that a fit without
# bounds quotes a conclusion about something else before a result or a background with all the words. No set has gold
# sentences among registrations, questions and promises. BioASQ's snippets are sentences that assessors chose, so that
# aims and conclusions weigh less among them than among all sentences of papers.
BOUNDS = {
    "aim": (-math.inf, -1.25),
    "conclusion": (0.45, math.inf),
    "in_conclusion": (-math.inf, 2.0),
    "in_results": (0.0, math.inf),
    "in_methods": (-1.2, math.inf),
    "in_front": (-1.9, math.inf),
    "ends": (-math.inf, 0.5),
    "no_finding": (-15.0, -15.0),
}
WEAKEST = 0.3  # of the order before


class Read(NamedTuple):
    """A question's sentences. rows: FEATURES. gold: bool. hits, texts: of each sentence."""

    question: Question
    rows: Floats
    gold: Bools
    hits: list[Hit]
    texts: list[str]
    before: Floats  # scores of the order before


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("fit", "measure"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--encoder")
    parser.add_argument("--sets", default=",".join(MEASURED))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        sets = Sets(options.folder, Path(scratch), options.encoder)
        if options.what == "fit":
            fit(sets)
        else:
            measure(sets, options.sets.split(","))


def fit(sets: Sets) -> None:
    every = [one for name, (begin, step) in FITTED.items() for one in read_set(sets, name)[begin::step]]
    usable = [one for one in every if one.gold.any()]
    weights = bounded([one.rows for one in usable], [one.gold / one.gold.sum() for one in usable])
    print(f"{len(usable):,} questions, {sum(len(one.rows) for one in usable):,} sentences")
    print(", ".join(f"{name} {weight:g}" for name, weight in zip(FEATURES, weights, strict=True)))
    held = read_set(sets, HELD_OUT)
    values = np.concatenate([one.rows @ weights for one in held])
    gold = np.concatenate([one.gold for one in held])
    slope, intercept = np.round(logistic(np.c_[values, np.ones(len(values))], gold.astype(float), 1e-6), 3)
    chosen = highlight_thresholds.choose(sigmoid(slope * values + intercept), gold)
    print(f"slope {slope:g}, intercept {intercept:g}; {chosen}")


def bounded(rows: Sequence[Floats], targets: Sequence[Floats]) -> Floats:
    """float64 [FEATURES]: the weights of a conditional logit within BOUNDS, to two decimals.

    A weight beyond its bound becomes the bound, and the others are fitted again, until all lie within.
    """
    spread = np.concatenate(rows).std(0) + 1e-9
    ends = np.array([BOUNDS.get(name, (-math.inf, math.inf)) for name in FEATURES])
    weights, free = np.zeros(len(FEATURES)), ends[:, 0] < ends[:, 1]
    weights[~free] = ends[~free, 0]
    while True:
        given = [one[:, ~free] @ weights[~free] for one in rows]
        scaled = [one[:, free] / spread[free] for one in rows]
        weights[free] = np.round(conditional_logit(scaled, targets, RIDGE, given) / spread[free], 2)
        beyond = (weights < ends[:, 0]) | (weights > ends[:, 1])
        if not beyond.any():
            return weights
        weights = np.clip(weights, ends[:, 0], ends[:, 1])
        free &= ~beyond


def measure(sets: Sets, names: Iterable[str]) -> None:
    weights = np.array(list(WEIGHTS.values()))
    print("| set | questions | first before | now | difference | five before | now | recall@5 before | now |")
    print("| --- | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: |")
    for name in names:
        read = read_set(sets, name)
        before = np.array([credits(one, one.before) for one in read])
        now = np.array([credits(one, one.rows @ weights) for one in read])
        low, high = interval(now[:, 0] - before[:, 0])
        was, here = before.mean(0), now.mean(0)
        figures = [f"{value:.3f}" for pair in zip(was, here, strict=True) for value in pair]
        figures.insert(2, f"{here[0] - was[0]:+.3f} [{low:.3f}, {high:.3f}]")
        print(f"| {name} | {len(read):,} | {' | '.join(figures)} |", flush=True)


def read_set(sets: Sets, name: str) -> list[Read]:
    index, questions = sets.load(name)
    if name == COVID:
        random.Random(0).shuffle(questions)
    read = [read_question(index, one) for one in questions]
    index.close()
    return read


def read_question(index: Index, question: Question) -> Read:
    of_question = index.read(question.question)
    hits = highlighted(index, of_question.topic, index.search(of_question, None, READ))
    asked = overlap.asked_words(index.engine, of_question.topic)
    sentences = read_sentences(asked, hits)
    of = [hits[one.hit] for one in sentences]
    texts = [hit.passage.text[one.begin : one.end] for hit, one in zip(of, sentences, strict=True)]
    gold = [
        is_gold(text, question.gold.get(hit.passage.document, ()))
        for hit, text in zip(of, texts, strict=True)
    ]
    shares = [share(asked.weights, asked.of(text)) for text in texts]
    before = [
        value / math.sqrt(hit.rank) if value >= WEAKEST else 0.0
        for value, hit in zip(shares, of, strict=True)
    ]
    rows = np.array([one.row for one in sentences]).reshape(-1, len(FEATURES))
    return Read(question, rows, np.array(gold, np.bool_), of, texts, np.array(before))


def credits(read: Read, scores: Floats) -> tuple[float, float, float]:
    """(first gold, one of five gold, recall of at most five gold sentences); sentences of score 0 are not quoted."""
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


def interval(differences: Floats, draws: int = 10_000) -> Sequence[float]:
    """The 95 % interval of the mean, by questions drawn anew."""
    drawn = np.random.default_rng(0).integers(0, len(differences), (draws, len(differences)))
    return np.percentile(differences[drawn].mean(1), [2.5, 97.5]).tolist()


if __name__ == "__main__":
    main()
