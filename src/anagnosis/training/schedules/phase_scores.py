"""What a phase's model reaches on the part that its table judges it on: reached.json in its run folder.

Accuracy and macro-F1 as the authors' program counts them, over the labels that occur: two of them in PQA-A, three
elsewhere (Tables 5 to 8).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from anagnosis.checksums import read_checked_json, write_checked_json
from anagnosis.datasets.kinds.decision import LABELS
from anagnosis.evaluation.measures.macro_f1 import macro_f1
from anagnosis.folder_names import PHASE_SCORES as FILE
from anagnosis.readers.learning import Material
from anagnosis.training.runs.phase_folder import PhaseScore
from anagnosis.training.runs.predicting import Answering
from anagnosis.training.runs.run import Run


def judge(run: Run, part: Material | None, *, device: str = "auto", threads: int | None = None) -> None:
    """Answer the part and write down what that is worth, unless it is there already."""
    if part is None:
        return
    there = read(run.folder)
    if there is not None and there.digest == part.digest:
        return
    answering = Answering(run, device, threads)
    called = f"{run.reader} on {part.name}"
    answers, truth = [], []
    for posed, scores in zip(part.viewed(), answering.log_probabilities(part, called), strict=True):
        if posed.answer is not None:
            truth.append(posed.answer)
            answers.append(int(np.argmax(scores)))
    if not truth:
        return
    gold, said = np.array(truth), np.array(answers)
    commonest = np.full_like(gold, np.bincount(gold).argmax())
    found = PhaseScore(
        f"{part.name} of PQA-{part.split}" if part.name != "test" else "test",
        part.digest,
        len(gold),
        float((gold == said).mean()),
        macro_f1(gold, said, len(LABELS)),
        float((gold == commonest).mean()),
        macro_f1(gold, commonest, len(LABELS)),
    )
    write_checked_json(run.folder / FILE, found)


def read(folder: Path) -> PhaseScore | None:
    """None where nothing has been judged."""
    path = folder / FILE
    return read_checked_json(path, PhaseScore, "remove that file")[0] if path.exists() else None
