"""Equation 4 of PubMedQA: labels for PQA-U by the bootstrapped model, kept in its run folder.

pseudo-labels-DIGEST.json   {"answered": {"yes": 41, …}, "kept": {…}, "instances": [["123", "yes", 0.98], …]}
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec
import numpy as np

from anagnosis.datasets.kinds.decision import LABELS
from anagnosis.datasets.pubmedqa import pseudo_labels, subsets
from anagnosis.datasets.pubmedqa.pseudo_labels import HIGHEST
from anagnosis.errors import InputError
from anagnosis.io.checksums import read_checked_json, write_checked_json
from anagnosis.progress import tell
from anagnosis.readers.learning import ViewedSplit
from anagnosis.training.runs.predicting import Answering
from anagnosis.training.runs.run import Run


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


def given(
    run: Run,
    part: ViewedSplit,
    people: Sequence[str],
    answer: str,
    *,
    device: str = "auto",
    threads: int | None = None,
) -> Pseudo:
    """The kept pseudo-labels of a part; read from the run folder if they are there.

    people: labels whose proportions the pseudo-labels get. answer: how a model answers, HIGHEST or OVER_SHARE.
    """
    counts = Counter(people)
    digest = hashlib.sha256(repr((part.digest, sorted(counts.items()), answer)).encode()).hexdigest()
    path = run.folder / f"pseudo-labels-{digest[:16]}.json"
    pseudo = read_checked_json(path, Pseudo, "remove that file") if path.exists() else None
    if pseudo is None:
        pseudo = _made(Answering(run, device, threads), part, counts, answer)
        write_checked_json(path, pseudo)
    summary = ", ".join(f"{pseudo.kept[label]:,} of {pseudo.answered[label]:,} {label}" for label in LABELS)
    if not pseudo.instances:
        missing = " or ".join(label for label in LABELS if counts[label] and not pseudo.answered[label])
        raise InputError(
            f"nothing can be labelled in people's proportions: the model never answers {missing} ({summary})",
            str(run.folder),
            ("take --set pseudo_answer=over-share, or " if answer == HIGHEST else "")
            + "remove this folder and train it longer with --set phase.bootstrap.epochs=…",
        )
    tell(f"pseudo-labels: {summary} kept")
    return pseudo


def divided(labels: Mapping[str, str]) -> tuple[dict[str, str | None], dict[str, str | None]]:
    """The pseudo-labels of the train and of the dev part: id → label."""
    train, dev = subsets.divided(tuple(labels))
    return {ident: labels[ident] for ident in train}, {ident: labels[ident] for ident in dev}


def _made(answering: Answering, part: ViewedSplit, people: Mapping[str, int], answer: str) -> Pseudo:
    ids: list[str] = []
    scores: list[list[float]] = []
    scored = answering.log_probabilities(part, "pseudo-labels")
    for posed, row_scores in zip(part.viewed(), scored, strict=True):
        ids.append(posed.id)
        scores.append(row_scores)
    counts = [people.get(label, 0) for label in LABELS]
    chosen = pseudo_labels.choose(np.array(scores), counts, answer)
    rows = zip(chosen.rows.tolist(), chosen.labels.tolist(), strict=True)
    return Pseudo(
        dict(zip(LABELS, chosen.answered, strict=True)),
        dict(zip(LABELS, chosen.kept, strict=True)),
        [(ids[row], LABELS[label], float(np.exp(scores[row][label]))) for row, label in rows],
    )
