"""What a phase's model gives, kept in its run folder: its scores, and the labels that it gives PQA-U (equation 4).

    phase_scores.json           on the part that the paper's table evaluates it on
    pseudo-labels-DIGEST.json   {"answered": {"yes": 41, …}, "kept": {…}, "instances": [["123", "yes", 0.98], …]}

Accuracy and macro-F1 as the authors' program computes them, over the labels that occur: two in PQA-A, three elsewhere
(Tables 5 to 8).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
import numpy as np

from anagnosis.datasets.kinds.decision import LABELS
from anagnosis.datasets.pubmedqa import pseudo_labels
from anagnosis.datasets.pubmedqa.pseudo_labels import HIGHEST
from anagnosis.errors import InputError
from anagnosis.evaluation.measures.macro_f1 import macro_f1
from anagnosis.io.decoding import read_json
from anagnosis.io.files import write_json
from anagnosis.io.folders import PHASE_SCORES as FILE
from anagnosis.progress import print_note
from anagnosis.readers.learning import ViewedSplit
from anagnosis.training.phases import PhaseScore
from anagnosis.training.runs.predicting import Answering
from anagnosis.training.runs.run import Run


def judge(run: Run, part: ViewedSplit | None, *, device: str = "auto", threads: int | None = None) -> None:
    """Answer the part and write its scores, unless they are there already."""
    if part is None:
        return
    there = scores_of(run.folder)
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
    write_json(run.folder / FILE, score)


def scores_of(folder: Path) -> PhaseScore | None:
    """The stored scores of a phase; None without any."""
    path = folder / FILE
    return read_json(path, PhaseScore, "remove that file") if path.exists() else None


class Pseudo(msgspec.Struct, frozen=True):
    """Pseudo-labels. answered, kept: counts of each label. instances: (id, label, confidence) of the kept ones."""

    answered: dict[str, int]
    kept: dict[str, int]
    instances: list[tuple[str, str, float]]

    def counts(self) -> dict[str, dict[str, int]]:
        """The counts, as phases.json has them."""
        return {"answered": self.answered, "kept": self.kept}

    def of(self, ids: Iterable[str]) -> dict[str, str]:
        """id → label of the kept instances, in the order of `ids`."""
        labels = {ident: label for ident, label, _ in self.instances}
        return {ident: labels[ident] for ident in ids if ident in labels}


def labels_by(
    run: Run,
    part: ViewedSplit,
    people: Sequence[str],
    answer: str,
    *,
    device: str = "auto",
    threads: int | None = None,
) -> Pseudo:
    """The kept pseudo-labels of a part by a run's model; read from the run folder if they are there.

    people: labels whose proportions the pseudo-labels get. answer: how a model answers, HIGHEST or OVER_SHARE.
    """
    counts = Counter(people)
    digest = hashlib.sha256(repr((part.digest, sorted(counts.items()), answer)).encode()).hexdigest()
    path = run.folder / f"pseudo-labels-{digest[:16]}.json"
    pseudo = read_json(path, Pseudo, "remove that file") if path.exists() else None
    if pseudo is None:
        ids = [posed.id for posed in part.viewed()]
        scores = np.array([*Answering(run, device, threads).log_probabilities(part, "pseudo-labels")])
        chosen = pseudo_labels.choose(scores, [counts[label] for label in LABELS], answer)
        pseudo = Pseudo(
            dict(zip(LABELS, chosen.answered, strict=True)),
            dict(zip(LABELS, chosen.kept, strict=True)),
            [
                (ids[row], LABELS[label], float(np.exp(scores[row, label])))
                for row, label in zip(chosen.rows.tolist(), chosen.labels.tolist(), strict=True)
            ],
        )
        write_json(path, pseudo)
    summary = ", ".join(f"{pseudo.kept[label]:,} of {pseudo.answered[label]:,} {label}" for label in LABELS)
    if not pseudo.instances:
        missing = " or ".join(label for label in LABELS if counts[label] and not pseudo.answered[label])
        raise InputError(
            f"nothing can be labelled in people's proportions: the model never answers {missing} ({summary})",
            str(run.folder),
            ("take --set pseudo_answer=over-share, or " if answer == HIGHEST else "")
            + "remove this folder and train it longer with --set phase.bootstrap.epochs=…",
        )
    print_note(f"pseudo-labels: {summary} kept")
    return pseudo
