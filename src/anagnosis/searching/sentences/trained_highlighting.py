"""Highlight sentences with a reader that `anagnosis train evidence-…` made: rank first, read little.

The reader gets the retrieved sentences of a document together, in order, under its title, as in its training. A title
is scored separately: in front of its sentences the reader would take it for a first sentence, and score the others
differently (design/answers.md).

A reader that needs an encoder pass a sentence reads only the READ sentences with the most word overlap; the others get
score 0. Two of three sentences of twenty passages have next to no word of the question, and a processor core reads some
50 pairs a second.

Of a calibrated run (`anagnosis calibrate`) scores are probabilities among the sentences of a paper about the question,
with the thresholds chosen there; of others they are the reader's. Over a collection neither is a probability.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from anagnosis.array_types import Floats
from anagnosis.datasets.kinds.evidence import SENTENCES, EvidenceInstance, SourceSentence
from anagnosis.encoders.cpu import ready_for_torch
from anagnosis.errors import InputError
from anagnosis.evaluation.calibration.scaling import Platt, log_odds
from anagnosis.io.folders import RUN, kind_of
from anagnosis.io.paths import PathLike
from anagnosis.searching.engines import Engine
from anagnosis.searching.records.expansion import Topic
from anagnosis.searching.records.hits import Sentence
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.sentences import overlap
from anagnosis.searching.sentences.highlighting import (
    Scorer,
    StrengthThresholds,
    each_title,
)
from anagnosis.searching.sentences.sentences import cut

READ = 48
EVIDENCE = "evidence"  # the folder of a reader of sentences among others
UNCALIBRATED = " (uncalibrated)"
TITLES = 8  # titles that such a reader reads in addition
# For uncalibrated probabilities.
UNFITTED = StrengthThresholds(weak=0.2, fair=0.4, strong=0.7)
_FITTED = "how likely it holds the answer if its paper is about the question, fitted on such papers"
_AS_IT_COMES = "how surely it holds the answer, as the reader gives it, not calibrated"


@dataclass(frozen=True, slots=True)
class _Place:
    """The place of a sentence. passage: its index. begin, end: characters of the passage."""

    passage: int
    begin: int
    end: int


class SentenceReader(Protocol):
    """What scores sentences: a run (predicting.Answering), or a cross-encoder (cross_encoding.py)."""

    def answers(self, instances: Sequence[Any], title: str) -> list[list[float]]:
        """Log probabilities of each instance's sentences, then perhaps padding. title: of the progress bar."""
        ...


@dataclass(frozen=True, slots=True)
class TrainedHighlighter:
    """A run, or a cross-encoder, as a highlighter. read: most sentences to read, None for all."""

    about: Scorer
    thresholds: StrengthThresholds
    answering: SentenceReader
    fitted: Platt
    read: int | None = None

    def highlight(self, engine: Engine, topic: Topic, passages: Sequence[Passage]) -> list[list[Sentence]]:
        """Every sentence of each passage, in its order."""
        places = [
            _Place(number, begin, end)
            for number, passage in enumerate(passages)
            for begin, end in cut(passage)
        ]
        texts = [passages[place.passage].text[place.begin : place.end] for place in places]
        chosen = set(range(len(texts)))
        if self.read is not None and len(texts) > self.read:
            score = overlap.asked_words(engine, topic).score
            best = sorted((-score(text), number) for number, text in enumerate(texts))
            chosen = {number for _, number in best[: self.read]}
        groups = _by_document(places, passages, chosen)
        instances = [
            EvidenceInstance(
                str(number),
                topic.text,
                tuple(
                    SourceSentence(
                        passages[places[number_in_group].passage].document,
                        passages[places[number_in_group].passage].title,
                        texts[number_in_group],
                    )
                    for number_in_group in group
                ),
            )
            for number, group in enumerate(groups)
        ]
        scores = np.zeros(len(texts))
        for group, group_scores in zip(groups, self.probabilities(instances), strict=True):
            scores[group] = group_scores
        sentences: list[list[Sentence]] = [[] for _ in passages]
        for place, value in zip(places, scores.tolist(), strict=True):
            strength = self.thresholds.strength(value) if value else 0
            sentences[place.passage].append(Sentence(place.begin, place.end, value, strength))
        return sentences

    def titles(self, engine: Engine, topic: Topic, passages: Sequence[Passage]) -> list[Sentence | None]:
        """The scored title of each passage's paper; a slow reader reads the TITLES with the most word overlap."""

        def scored(every: Sequence[Passage]) -> list[float]:
            chosen = list(range(len(every)))
            if self.read is not None and len(every) > TITLES:
                score = overlap.asked_words(engine, topic).score
                chosen = sorted(chosen, key=lambda number: -score(every[number].title))[:TITLES]
            instances = [
                EvidenceInstance(
                    str(number),
                    topic.text,
                    (SourceSentence(every[number].document, "", every[number].title),),
                )
                for number in chosen
            ]
            scores = [0.0] * len(every)
            for number, probabilities in zip(chosen, self.probabilities(instances), strict=True):
                scores[number] = float(probabilities[0])
            return scores

        return each_title(passages, scored, self.thresholds)

    def probabilities(self, instances: Sequence[EvidenceInstance]) -> list[Floats]:
        """Probabilities of each instance's sentences."""
        if not instances:
            return []
        sizes = [len(instance.sentences) for instance in instances]
        rows = self.answering.answers(instances, self.about.name)
        given = [row[:size] for row, size in zip(rows, sizes, strict=True)]
        every = self.fitted(log_odds(np.concatenate(given)))
        return np.split(every, [*accumulate(sizes)][:-1])


def _by_document(places: Sequence[_Place], passages: Sequence[Passage], chosen: set[int]) -> list[list[int]]:
    """The chosen sentences of each document, in its order."""
    groups: dict[str, list[int]] = {}
    for number, place in enumerate(places):
        if number in chosen:
            groups.setdefault(passages[place.passage].document, []).append(number)
    for group in groups.values():
        group.sort(key=lambda one: (passages[places[one].passage].number, places[one].begin))
    return list(groups.values())


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
    fit = run.facts.calibration
    if fit is None:
        about, thresholds, fitted = Scorer(f"{run.reader}{UNCALIBRATED}", _AS_IT_COMES), UNFITTED, Platt()
    else:
        about, fitted = Scorer(run.reader, _FITTED), fit.platt
        chosen = fit.thresholds
        thresholds = StrengthThresholds(chosen.weak.least, chosen.fair.least, chosen.strong.least)
    slow = hasattr(run.config, "encoder")
    return TrainedHighlighter(
        about, thresholds, Answering(run, device, threads), fitted, READ if slow else None
    )


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
        "train one: `anagnosis train evidence-sentence-encoder --data DATASET --out RUN`",
    )
