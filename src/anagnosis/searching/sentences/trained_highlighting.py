"""Highlight sentences with a run of `jpdrmm`, or with a cross-encoder: rank first, read little.

A cross-encoder reads only the sentences with the most word overlap; the others get score 0. Two of three sentences of
twenty passages have next to no word of the question, and a processor core reads some 50 pairs a second.

Scores are as the reader gives them: over a collection they are no probabilities.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from anagnosis.datasets.kinds.evidence import SENTENCES, EvidenceInstance, SourceSentence
from anagnosis.encoders.cpu import ready_for_torch
from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike
from anagnosis.searching.sentences.highlighting import Scorer, StrengthThresholds, ToScore
from anagnosis.searching.sentences.overlap import AskedWords

READ = 48  # sentences that a slow reader reads
UNCALIBRATED = " (uncalibrated)"
# For the reader's probabilities as they come.
UNFITTED = StrengthThresholds(weak=0.2, fair=0.4, strong=0.7)
_LEAST = 1e-12  # of what was read: 0 is the score of what was not
_AS_IT_COMES = "how surely it holds the answer, as the reader gives it, not calibrated"


class SentenceReader(Protocol):
    """What scores sentences: a run (predicting.Answering), or a cross-encoder (cross_encoding.py)."""

    def answers(self, instances: Sequence[Any], title: str) -> list[list[float]]:
        """Log probabilities of each instance's sentences, then perhaps padding. title: of the progress bar."""
        ...


@dataclass(frozen=True, slots=True)
class TrainedHighlighter:
    """A run, or a cross-encoder, as a highlighter. slow: whether it reads the sentences of most overlap alone."""

    about: Scorer
    thresholds: StrengthThresholds
    answering: SentenceReader
    slow: bool

    def scores(self, asked: AskedWords, groups: Sequence[Sequence[ToScore]]) -> list[list[float]]:
        """Probabilities of each group's sentences; 0 for those that were not read."""
        places = [(number, place) for number, group in enumerate(groups) for place in range(len(group))]
        if self.slow and len(places) > READ:
            overlap = {at: asked.score(groups[at[0]][at[1]].text) for at in places}
            places.sort(key=lambda at: (-overlap[at], groups[at[0]][at[1]].place))
            places = sorted(places[:READ])
        read: dict[int, list[int]] = {}
        for number, place in places:
            read.setdefault(number, []).append(place)
        instances = [
            EvidenceInstance(
                str(number),
                asked.question,
                tuple(SourceSentence(*groups[number][place][:3]) for place in chosen),
            )
            for number, chosen in read.items()
        ]
        scores = [[0.0] * len(group) for group in groups]
        rows = self.answering.answers(instances, self.about.name) if instances else ()
        for (number, chosen), row in zip(read.items(), rows, strict=True):
            values = np.exp(row[: len(chosen)]).clip(min=_LEAST)
            for place, value in zip(chosen, values.tolist(), strict=True):
                scores[number][place] = value
        return scores


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
    return TrainedHighlighter(about, UNFITTED, Answering(run, device, threads), slow=False)
