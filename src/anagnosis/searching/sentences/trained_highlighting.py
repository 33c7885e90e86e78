"""Highlight sentences with a run of `jpdrmm`, or with a cross-encoder: rank first, read little.

A cross-encoder reads only the sentences with the most word overlap; the others get score 0. Two of three sentences of
twenty passages have next to no word of the question, and a processor core reads some 50 pairs a second.

Scores are as the reader gives them: over a collection they are no probabilities.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from anagnosis.datasets.kinds.evidence import SENTENCES, EvidenceInstance, SourceSentence
from anagnosis.encoders.cpu import ready_for_torch
from anagnosis.errors import InputError
from anagnosis.io.folders import RUN, kind_of
from anagnosis.io.paths import PathLike
from anagnosis.searching.sentences.highlighting import Scorer, StrengthThresholds, ToScore
from anagnosis.searching.sentences.overlap import AskedWords

EVIDENCE = "evidence"  # the folder of a reader of sentences among others
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

    def scores(self, asked: AskedWords, groups: Sequence[Sequence[ToScore]], most: int) -> list[list[float]]:
        """Probabilities of each group's sentences; 0 for those that were not read."""

        def best_first(at: tuple[int, int]) -> tuple[float, int]:
            one = groups[at[0]][at[1]]
            return -asked.score(one.text), one.place

        places = [(number, place) for number, group in enumerate(groups) for place in range(len(group))]
        if self.slow and len(places) > most:
            places = sorted(sorted(places, key=best_first)[:most])
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
    """Load a run folder, or the one that a folder has as EVIDENCE.

    InputError: torch is not installed, no run is there, or its reader does not score sentences.
    """
    place = _place_of_run(Path(folder))
    ready_for_torch("answering with a trained reader")
    from anagnosis.training.runs.predicting import Answering
    from anagnosis.training.runs.run import load

    run, *others = load(place).runs
    if others:
        raise InputError("holds several runs", str(place), f"name one of them, such as {run.folder.name}")
    if run.facts.view != SENTENCES:
        raise InputError(
            f"{run.reader} does not score sentences", str(place), "name a run of an evidence- recipe"
        )
    about = Scorer(f"{run.reader}{UNCALIBRATED}", _AS_IT_COMES)
    return TrainedHighlighter(about, UNFITTED, Answering(run, device, threads), slow=False)


def _place_of_run(folder: Path) -> Path:
    """The folder, or EVIDENCE in it. InputError: no run is there."""
    for place in (folder / EVIDENCE, folder):
        if kind_of(place) == "run" or (place / RUN).exists():  # loading says what a damaged run lacks
            return place
    if folder.is_file():
        raise InputError("is a file, not the folder of a reader", str(folder), "name the folder")
    raise InputError(
        "no reader of sentences in this folder" if folder.is_dir() else "no such folder of a reader",
        str(folder),
        "train one: `anagnosis train evidence-jpdrmm --data DATASET --out RUN`",
    )
