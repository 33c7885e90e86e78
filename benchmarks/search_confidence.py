"""Is a decision reader as sure as it is right, on BioASQ's yes/no questions over their gold snippets?

    python benchmarks/search_confidence.py RUN_FOLDER golden-*.tar.gz [--batches 9B5,10B1]

Each question is read with its own gold snippets as the context, as `ask` reads a paper: by every run of the folder,
each at its own temperature where `anagnosis calibrate` has fitted one. The answer is the most probable label; maybe is
never right there. Expected calibration error in ten bins of equal mass, with the interval of questions drawn anew.
"""

from __future__ import annotations

import argparse
import dataclasses
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

import anagnosis
from anagnosis.datasets.bioasq.kept_apart import is_batch
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.decision import LABELS, ContextSection, Posed
from anagnosis.datasets.kinds.question import YESNO
from anagnosis.evaluation.intervals import estimate
from anagnosis.evaluation.measures.macro_f1 import macro_f1
from anagnosis.evaluation.probabilities.calibration_error import calibration, words
from anagnosis.searching.answers.deciding import load_decider


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("run", type=Path)
    parser.add_argument("golden", nargs="+", type=Path)
    parser.add_argument("--batches", default="9B5,10B1")
    parser.add_argument("--threads", type=int)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        dataset = anagnosis.import_dataset(options.golden, Path(scratch) / "questions", layout="bioasq")
        asked = [
            each
            for each in store.instances(dataset, store.ALL)
            if each.type == YESNO and each.exact and each.snippets
            if any(is_batch(each.file, batch) for batch in options.batches.split(","))
        ]
    posed = [
        Posed(each.id, each.question, tuple(ContextSection("", one.text) for one in each.snippets), None)
        for each in asked
    ]
    gold = np.array([LABELS.index(each.exact[0][0].casefold()) for each in asked if each.exact])
    decider = load_decider(options.run, threads=options.threads)
    plain = dataclasses.replace(decider, temperatures=None)
    counts = ", ".join(f"{label} {int((gold == place).sum())}" for place, label in enumerate(LABELS[:2]))
    print(
        f"{len(asked)} questions of {options.batches} ({counts}), {len(decider.answering)} runs, their mean"
    )
    report("as they come", plain.probabilities(posed), gold)
    if decider.temperatures is not None:
        report("calibrated", decider.probabilities(posed), gold)


def report(
    name: str, probabilities: npt.NDArray[np.float64], gold: Sequence[int] | npt.NDArray[np.int64]
) -> None:
    """probabilities: float64 [n, labels]."""
    truth = np.asarray(gold)
    for what, shares in (("", probabilities), (", yes and no alone", two(probabilities))):
        answers = shares.argmax(1)
        right = (answers == truth).astype(np.float64)
        found = calibration(shares.max(1), right, np.arange(len(truth)))
        accuracy = estimate(right)
        print(
            f"{name}{what}: accuracy {accuracy.value:.3f} [{accuracy.interval.low:.3f}, {accuracy.interval.high:.3f}], "
            f"macro-F1 of yes and no {macro_f1(truth, answers, len(LABELS)):.3f}, "
            f"mean confidence {found.confidence:.3f}, {words(found)}"
        )


def two(probabilities: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The same of yes and no, maybe being no answer to these questions: float64 [n, 2]."""
    shares = probabilities[:, :2]
    return shares / shares.sum(1, keepdims=True)


if __name__ == "__main__":
    main()
