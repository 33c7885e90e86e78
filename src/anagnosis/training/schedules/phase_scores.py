"""Scores of a phase's model on the part that the paper's table evaluates it on: phase_scores.json in its run folder.

Accuracy and macro-F1 as the authors' program computes them, over the labels that occur: two in PQA-A, three elsewhere
(Tables 5 to 8).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from anagnosis.datasets.kinds.decision import LABELS
from anagnosis.evaluation.measures.macro_f1 import macro_f1
from anagnosis.io.checksums import read_checked_json, write_checked_json
from anagnosis.io.folder_names import PHASE_SCORES as FILE
from anagnosis.readers.learning import ViewedSplit
from anagnosis.training.runs.phase_folder import PhaseScore
from anagnosis.training.runs.predicting import Answering
from anagnosis.training.runs.run import Run


def judge(run: Run, part: ViewedSplit | None, *, device: str = "auto", threads: int | None = None) -> None:
    """Answer the part and write its scores, unless they are there already."""
    if part is None:
        return
    there = read(run.folder)
    if there is not None and there.digest == part.digest:
        return
    answering = Answering(run, device, threads)
    title = f"{run.reader} on {part.name}"
    answers, truth = [], []
    for posed, scores in zip(part.viewed(), answering.log_probabilities(part, title), strict=True):
        if posed.answer is not None:
            truth.append(posed.answer)
            answers.append(int(np.argmax(scores)))
    if not truth:
        return
    gold, predicted = np.array(truth), np.array(answers)
    commonest = np.full_like(gold, np.bincount(gold).argmax())
    score = PhaseScore(
        f"{part.name} of PQA-{part.split}" if part.name != "test" else "test",
        part.digest,
        len(gold),
        float((gold == predicted).mean()),
        macro_f1(gold, predicted, len(LABELS)),
        float((gold == commonest).mean()),
        macro_f1(gold, commonest, len(LABELS)),
    )
    write_checked_json(run.folder / FILE, score)


def read(folder: Path) -> PhaseScore | None:
    """The stored scores of a phase; None without any."""
    path = folder / FILE
    return read_checked_json(path, PhaseScore, "remove that file") if path.exists() else None
