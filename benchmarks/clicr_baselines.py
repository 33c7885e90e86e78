"""How fast CliCR's baselines answer, beside the published program's rates.

    python benchmarks/clicr_baselines.py [--reports 400]

The reports are those of clicr_build.py: 1,573 tokens, 106 annotations and 7.7 queries each. The word vectors have 200
numbers and are of the 20,000 most frequent words. What is timed has the instances in memory, as the program has its
dataset, and reads no file of vectors; sim-entity's look-up of the words is timed apart, since the program does it for
each query. The rates were measured on another machine and are scaled by a loop of ten million additions. The language
model has no published rate: the program has none.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import anagnosis
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.language import kneser_ney
from anagnosis.readers.predict import make_reader
from anagnosis.terms.vocabulary import store as store_vocabulary
from anagnosis.vocabularies import word2vec
from clicr_build import LOOP, additions, beside, best, concepts, reports

RATES = {"rand-entity": 1_470.0, "maxfreq-entity": 1_300.0, "sim-entity": 3_100.0}  # queries a second
WORDS, WIDTH = 20_000, 200


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--reports", type=int, default=400)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        store_vocabulary(concepts(), folder / "names.terms")
        anagnosis.write(reports(options.reports), folder / "reports.jsonl", format="jsonl")
        dataset = anagnosis.build(
            "clicr", [folder / "reports.jsonl"], folder / "built", terms=[folder / "names.terms"], workers=1
        )
        instances = list(store.instances(dataset, store.ALL))
        passages = {instance.document: instance for instance in instances}.values()
        print(
            f"{len(instances):,} queries of {len(passages)} reports, "
            f"{np.mean([len(one.passage.split()) for one in passages]):,.0f} tokens and "
            f"{np.mean([len(one.mentions) for one in passages]):.0f} entities in a passage"
        )
        scale = LOOP / best(additions)
        print(
            f"ten million additions: {LOOP / scale:.2f} s; the published rates are multiplied by {scale:.2f}"
        )
        write_vectors(instances, folder / "words.bin")
        given = {"sim-entity": {"vectors": str(folder / "words.bin")}}
        for name, rate in RATES.items():
            reader = make_reader(name, given.get(name), training=lambda: iter(instances))
            answered = len(instances) / best(answering(reader, instances))
            print(f"{name}: {beside(answered, rate * scale, 'queries')}")
        looking_up = partial(make_reader, "sim-entity", given["sim-entity"], training=lambda: iter(instances))
        print(f"sim-entity's look-up of all words, with reading the file: {best(looking_up):.2f} s")
        language_model(instances)


def answering(reader: Callable[[Any], Any], instances: list[ClozeInstance]) -> Callable[[], None]:
    """The answers to all instances, in their order."""

    def run() -> None:
        for instance in instances:
            reader(instance)

    return run


def write_vectors(instances: list[ClozeInstance], path: Path) -> None:
    """Vectors of the most frequent words."""
    counts: Counter[str] = Counter()
    for instance in {instance.document: instance for instance in instances}.values():
        counts.update(instance.passage.lower().split())
    words = [word for word, _ in counts.most_common(WORDS)]
    word2vec.write(path, words, np.random.default_rng(0).standard_normal((len(words), WIDTH), np.float32))


def language_model(instances: list[ClozeInstance]) -> None:
    """Prints how fast the language model is trained and answers."""
    for method in kneser_ney.METHODS:
        fitting = partial(make_reader, "lang-model", {"discounts": method}, training=lambda: iter(instances))
        seconds, reader = best(fitting), fitting()
        rate = len(instances) / best(answering(reader, instances))
        print(f"lang-model, {method}: trained in {seconds:.1f} s; {rate:,.0f} queries/s")


if __name__ == "__main__":
    sys.exit(main())
