"""Highlight sentences with a run of `jpdrmm`. Scores are the reader's: over a collection they are no probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from anagnosis.datasets.kinds.evidence import SENTENCES, EvidenceInstance, SourceSentence
from anagnosis.encoders.cpu import ready_for_torch
from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike
from anagnosis.searching.sentences.highlighting import Scorer, StrengthThresholds, ToScore
from anagnosis.searching.sentences.overlap import AskedWords

if TYPE_CHECKING:
    from anagnosis.training.runs.predicting import Answering

UNCALIBRATED = " (uncalibrated)"
_LEAST = 1e-12  # a sentence of score 0 would never be quoted
_AS_IT_COMES = "how surely it holds the answer, as the reader gives it, not calibrated"


@dataclass(frozen=True, slots=True)
class TrainedHighlighter:
    """A run as a highlighter."""

    about: Scorer
    answering: Answering
    thresholds = StrengthThresholds(weak=0.2, fair=0.4, strong=0.7)

    def scores(self, asked: AskedWords, groups: Sequence[Sequence[ToScore]]) -> list[list[float]]:
        """Probabilities of each group's sentences."""
        instances = [
            EvidenceInstance(str(number), asked.question, tuple(SourceSentence(*one) for one in group))
            for number, group in enumerate(groups)
        ]
        rows = self.answering.answers(instances, self.about.name) if instances else ()
        # Behind the sentences a row may be padded.
        return [
            np.exp(row[: len(group)]).clip(min=_LEAST).tolist()
            for row, group in zip(rows, groups, strict=True)
        ]


def load_highlighter(
    folder: PathLike, device: str = "auto", threads: int | None = None
) -> TrainedHighlighter:
    """Load a run folder.

    InputError: torch is not installed, no run is there, there are several, or its reader does not score sentences.
    """
    ready_for_torch("answering with a trained reader")
    from anagnosis.training.runs.predicting import Answering
    from anagnosis.training.runs.run import load

    run, *others = load(folder).runs
    if others:
        raise InputError("holds several runs", str(folder), f"name one of them, such as {run.folder.name}")
    if run.facts.view != SENTENCES:
        raise InputError(
            f"{run.reader} does not score sentences", str(folder), "name a run of an evidence- recipe"
        )
    about = Scorer(f"{run.reader}{UNCALIBRATED}", _AS_IT_COMES)
    return TrainedHighlighter(about, Answering(run, device, threads))
