"""Scoring and comparing many predictions: CPU beside the floor of decoding the lines, and peak memory.

    python benchmarks/score_predictions.py [--instances N]

The dataset is synthetic (instances that mean nothing); two systems answer it, with a score for every candidate. The
floor, in this same run, is to decode each line as JSON and do nothing with it.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

import anagnosis
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.kinds.cloze_instance import Candidate, ClozeInstance, PassageMention
from anagnosis.predictions import Prediction, write
from timing import peak, timed

CANDIDATES = 7


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--instances", type=int, default=50_000)
    count = parser.parse_args().instances
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        recipe = {"dataset": "synthetic", "text_form": "original"}
        dataset = writing.write(folder / "dataset", {"test": instances(count)}, recipe)
        fingerprint = store.fingerprint(dataset, "test")
        files = [folder / f"{name}.jsonl" for name in ("first", "second")]
        for seed, file in enumerate(files):
            write(file, predictions(count, seed, fingerprint))
        floor = timed(
            lambda: [msgspec.json.decode(line) and None for file in files for line in file.open("rb")]
        ).processor
        scored = timed(lambda: anagnosis.score(dataset, files)).processor
        compared = timed(lambda: anagnosis.compare(dataset, files)).processor
        print(
            f"{count:,} instances, two systems, {sum(f.stat().st_size for f in files) / 1e6:,.0f} MB of lines"
        )
        print(
            f"floor {floor:.1f} CPU-s; score {scored / floor:.1f} times, compare {compared / floor:.1f} times"
        )
        print(f"resident memory at most {peak()} MB")


def instances(count: int) -> Iterator[ClozeInstance]:
    """Two an article; every candidate is named once."""
    names = [f"w{i}" for i in range(CANDIDATES)]
    passage = " ".join(names)
    spans = [(3 * i, 3 * i + 2) for i in range(CANDIDATES)]
    mentions = tuple(PassageMention((span,), i) for i, span in enumerate(spans))
    for number in range(count):
        article = number // 2
        candidates = tuple(
            Candidate(f"synthetic/{article * 3 + i}", "Synthetic", article * 3 + i, (names[i],))
            for i in range(CANDIDATES)
        )
        yield ClozeInstance(
            f"{article}:{number % 2}",
            str(article),
            "",
            passage,
            "What is XXXX",
            mentions,
            (),
            candidates,
            number % CANDIDATES,
            (),
        )


def predictions(count: int, seed: int, fingerprint: str) -> Iterator[Prediction]:
    """Right about half of the time."""
    draw = random.Random(seed)
    for number in range(count):
        article = number // 2
        chosen = number % CANDIDATES if draw.random() < 0.5 else draw.randrange(CANDIDATES)
        keys = [f"synthetic/{article * 3 + i}" for i in range(CANDIDATES)]
        scores = {key: float(i == chosen) for i, key in enumerate(keys)}
        yield Prediction(
            id=f"{article}:{number % 2}", answer=keys[chosen], scores=scores, dataset=fingerprint
        )


if __name__ == "__main__":
    main()
