"""How fast CliCR's measures of texts judge a split, beside the published program's rates.

    python benchmarks/clicr_measures.py [--queries 3080] [--program clips-clicr/dataset-code]

The queries are made up, 7.7 for each of 400 reports, with 5 answers each of one to three words, and vectors of 200
numbers. What is timed has the right answers and the predictions in memory, as the program's `evaluate` has: exact match
with F1, and all seven measures of ours, the reading of vectors not counted. Nothing is remembered from an earlier run.
The program's rate for all measures includes BLEU-1 and BLEU-3, ROUGE-L, CIDEr and two further scores by vectors, which
we do not build; ours includes BLEU of each answer alone. The rates were measured on another machine, 7,800 and 660
queries a second, and are scaled by a loop of ten million additions; --program measures exact match with F1 anew.
"""

from __future__ import annotations

import argparse
import importlib
import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

import anagnosis
from anagnosis.datasets.folder import writing
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.cloze_instance import Candidate, ClozeInstance, PassageMention
from anagnosis.evaluation.measures import answer_texts
from anagnosis.evaluation.measures.measure import named
from anagnosis.predictions import Matched, Prediction, match, write
from anagnosis.vocabularies import word2vec
from anagnosis.vocabularies.answer_vectors import AnswerVectors
from clicr_build import LOOP, additions, beside, best

TWO, ALL = 7_800.0, 660.0  # queries a second
EXACT_AND_F1 = ("exact-match", "f1")
EVERY = (*EXACT_AND_F1, "bleu-2", "bleu-4", "bleu-2-mean", "bleu-4-mean", "embedding-average")
WORDS, WIDTH, ANSWERS, CANDIDATES = 4_000, 200, 5, 40


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--queries", type=int, default=3_080)
    parser.add_argument("--program", type=Path)
    options = parser.parse_args()
    count = options.queries
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        recipe = {"dataset": "synthetic", "text_form": "original"}
        instances = list(queries(count))
        dataset = writing.write(folder / "made", {"test": instances}, recipe)
        file, words = folder / "answers.jsonl", folder / "words.bin"
        given = list(predictions(instances))
        write(file, given)
        vocabulary = [f"w{place}" for place in range(WORDS)]
        drawn = np.random.default_rng(0).standard_normal((WORDS, WIDTH), np.float32)
        word2vec.write(words, vocabulary, drawn)
        vectors = AnswerVectors.of_file(words)
        vectors.of(vocabulary)
        gold = replace(Gold.of(dataset, "test", free=True), vectors=vectors)
        run = match(file, gold)
        scale = LOOP / best(additions)
        print(
            f"ten million additions: {LOOP / scale:.2f} s; the published rates are multiplied by {scale:.2f}"
        )
        two = TWO * scale
        if options.program:
            two = count / best(published(options.program, instances, given))
        print("exact match and F1:", beside(count / best(judging(EXACT_AND_F1, gold, run)), two, "queries"))
        print("all measures:", beside(count / best(judging(EVERY, gold, run)), ALL * scale, "queries"))
        for names, what in ((EXACT_AND_F1, "two measures"), (EVERY, "all")):
            path = words if names == EVERY else None
            rate = count / best(
                lambda names=names, path=path: anagnosis.score(dataset, [file], measures=names, vectors=path)
            )
            print(f"score with {what}, files, intervals and breakdowns included: {rate:,.0f} queries/s")


def judging(names: Sequence[str], gold: Gold, run: Matched) -> Callable[[], object]:
    """The values of all measures from a cold start."""

    def judge() -> None:
        answer_texts.words.cache_clear()
        for name in names:
            statistics = named(name).of_run(gold, run, "answer")
            statistics.value(np.asarray(statistics.of_instances.sum(axis=0)))

    return judge


def published(folder: Path, instances: list[ClozeInstance], given: list[Prediction]) -> Callable[[], object]:
    """The program's exact match and F1, from its own folder."""
    sys.path.insert(0, str(folder))
    evaluate = importlib.import_module("evaluate").evaluate
    asked = [
        {"id": one.id, "query": "", "answers": [{"text": text} for text in one.answers]} for one in instances
    ]
    dataset = [{"document": {"title": "", "context": "", "qas": asked}, "source": "made-up"}]
    answers = {one.id: one.answer for one in given}
    return lambda: evaluate(dataset, answers)


def queries(count: int) -> Iterator[ClozeInstance]:
    """Queries of a report have the same candidates."""
    draw = random.Random(0)
    names: list[str] = []
    for number in range(count):
        report = int(number / 7.7)
        if number == 0 or report != int((number - 1) / 7.7):
            names = list(dict.fromkeys(name(draw) for _ in range(CANDIDATES)))
        starts = np.cumsum([0, *(len(each) + 1 for each in names)]).tolist()
        mentions = tuple(
            PassageMention(((start, start + len(each)),), place)
            for place, (start, each) in enumerate(zip(starts, names, strict=False))
        )
        answer = draw.randrange(len(names)) if draw.random() < 0.6 else None
        hidden = name(draw) if answer is None else names[answer]
        yield ClozeInstance(
            f"r{report}.{number}",
            f"r{report}",
            "",
            "\n".join(names),
            "treated with XXXX",
            mentions,
            (),
            tuple(Candidate(each, "", place, (each,)) for place, each in enumerate(names)),
            answer,
            (hidden, *(name(draw) for _ in range(ANSWERS - 1))),
        )


def name(draw: random.Random) -> str:
    """One to three words."""
    return " ".join(f"w{draw.randrange(WORDS)}" for _ in range(draw.randint(1, 3)))


def predictions(instances: list[ClozeInstance]) -> Iterator[Prediction]:
    """Right a third of the time."""
    draw = random.Random(1)
    for one in instances:
        yield Prediction(
            one.id, one.answers[0] if draw.random() < 1 / 3 else draw.choice(one.candidates).names[0]
        )


if __name__ == "__main__":
    main()
