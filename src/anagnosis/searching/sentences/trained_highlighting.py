"""Sentences scored by a reader that `anagnosis train evidence-…` made: rank first, read little.

A title is read by itself, as an excerpt is: read before its sentences it would be judged as a first sentence, and would
change what is said of them (design/highlighting.md).

The sentences of a document that was found stand together, in its order, under its title, as the reader was taught to
read them; those of passages that were not found are not read. A reader that costs an encoder's pass a sentence reads
only the READ sentences that fit best by the overlap of words, and the others are not marked (score 0): two of three
sentences of twenty passages hold next to no word of the question, and a processor core reads some 50 pairs a second.

Several runs (seeds) are averaged. With calibration.json in the run folder (`anagnosis calibrate`) scores are
probabilities among the sentences of a paper that is about the question, and marks are those that were chosen there;
without, scores come as the reader gives them. Over a collection neither is a probability, but what
calibration/over_collection.py makes of them is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from anagnosis.array_types import Floats
from anagnosis.calibration.over_collection import OverCollection, features, read_over_collection
from anagnosis.calibration.platt import Platt, log_odds
from anagnosis.datasets.kinds.evidence import SENTENCES, EvidenceInstance, SourceSentence
from anagnosis.errors import InputError
from anagnosis.searching.engines import Engine
from anagnosis.searching.records.answers import Sentence
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.sentences import overlap
from anagnosis.searching.sentences.highlighting import UNTRAINED, Highlighter, Marks, Scorer, each_title
from anagnosis.searching.sentences.sentences import cut

if TYPE_CHECKING:
    from anagnosis.training.runs.predicting import Answering

READ = 48
UNCALIBRATED = " (uncalibrated)"
TITLES = 8  # of those that such a reader reads besides
# Of probabilities that nobody fitted.
UNFITTED = Marks(weak=0.2, fair=0.4, strong=0.7)
_FITTED = "how likely it holds the answer if its paper is about the question, fitted on such papers"
_OVER = "how likely it holds the answer, fitted on questions"
_AS_IT_COMES = "how surely it holds the answer, as the reader gives it, not calibrated"


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a sentence stands: number of the passage, characters of it."""

    passage: int
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class Trained:
    """Runs of one reader, each with its slope and intercept. read: sentences that are read, None for all.

    over: what its scores are worth over a collection, None where nobody fitted that.
    """

    about: Scorer
    marks: Marks
    answering: tuple[Answering, ...]
    fitted: tuple[Platt, ...]
    read: int | None = None
    over: OverCollection | None = None

    def highlight(self, engine: Engine, question: str, passages: Sequence[Passage]) -> list[list[Sentence]]:
        """Every sentence of each passage, in its order."""
        places = [
            _Place(number, begin, end)
            for number, passage in enumerate(passages)
            for begin, end in cut(passage)
        ]
        texts = [passages[place.passage].text[place.begin : place.end] for place in places]
        chosen = set(range(len(texts)))
        if self.read is not None and len(texts) > self.read:
            score = overlap.scorer(engine, question)
            best = sorted((-score(text), number) for number, text in enumerate(texts))
            chosen = {number for _, number in best[: self.read]}
        groups = _by_document(places, passages, chosen)
        instances = [
            EvidenceInstance(
                str(number),
                question,
                tuple(
                    SourceSentence(
                        passages[places[one].passage].document,
                        passages[places[one].passage].title,
                        texts[one],
                    )
                    for one in own
                ),
            )
            for number, own in enumerate(groups)
        ]
        scores = np.zeros(len(texts))
        for own, found in zip(groups, self.probabilities(instances), strict=True):
            scores[own] = found
        sentences: list[list[Sentence]] = [[] for _ in passages]
        for place, value in zip(places, scores.tolist(), strict=True):
            mark = self.marks.strength(value) if value else 0
            sentences[place.passage].append(Sentence(place.begin, place.end, value, mark))
        return sentences

    def titles(self, engine: Engine, question: str, passages: Sequence[Passage]) -> list[Sentence | None]:
        """The title that stands over each passage; of a slow reader those TITLES that fit best by the overlap."""

        def scored(every: Sequence[Passage]) -> list[float]:
            chosen = list(range(len(every)))
            if self.read is not None and len(every) > TITLES:
                score = overlap.scorer(engine, question)
                chosen = sorted(chosen, key=lambda number: -score(every[number].title))[:TITLES]
            instances = [
                EvidenceInstance(
                    str(number), question, (SourceSentence(every[number].document, "", every[number].title),)
                )
                for number in chosen
            ]
            found = [0.0] * len(every)
            for number, own in zip(chosen, self.probabilities(instances), strict=True):
                found[number] = float(own[0])
            return found

        return each_title(passages, scored, self.marks)

    def over_collection(self, first: int = 0, ranking: str = "") -> Highlighter:
        """Itself where nothing was fitted for that."""
        return self if self.over is None else Weighed(self, self.over, first, ranking)

    def probabilities(self, instances: Sequence[EvidenceInstance]) -> list[Floats]:
        """Of the sentences of each instance, means over the runs."""
        if not instances:
            return []
        sizes = [len(instance.sentences) for instance in instances]
        runs: list[Floats] = []
        for each, platt in zip(self.answering, self.fitted, strict=True):
            rows = each.answers(instances, self.about.name)
            given = [row[:size] for row, size in zip(rows, sizes, strict=True)]
            runs.append(platt(log_odds(np.concatenate(given))))
        mean = np.mean(runs, axis=0)
        ends = list(accumulate(sizes))
        return [mean[end - size : end] for size, end in zip(sizes, ends, strict=True)]


@dataclass(frozen=True, slots=True)
class Weighed:
    """A trained reader over a collection (calibration/over_collection.py).

    first: the rank of the first of the passages.

    ranking: by which they came; only that which it was fitted on makes probabilities. Titles are weighed as sentences,
    which alone it was fitted on.
    """

    reader: Trained
    over: OverCollection
    first: int = 0
    ranking: str = ""

    @property
    def about(self) -> Scorer:
        name, over = self.reader.about.name.removesuffix(UNCALIBRATED), self.over
        says = f"{_OVER} of {over.dataset}, asked of {over.documents:,} documents ranked {over.ranking}"
        return Scorer(name, says, calibrated=self.ranking in ("", over.ranking), ranked=True)

    @property
    def marks(self) -> Marks:
        made = self.over.thresholds
        return Marks(made.weak.least, made.fair.least, made.strong.least)

    def highlight(self, engine: Engine, question: str, passages: Sequence[Passage]) -> list[list[Sentence]]:
        """Every sentence of each passage, in its order; passages by falling rank."""
        found = self.reader.highlight(engine, question, passages)
        best = self._best(engine, question, passages)
        return [
            self._weighed(sentences, own, place)
            for place, (sentences, own) in enumerate(zip(found, best, strict=True))
        ]

    def titles(self, engine: Engine, question: str, passages: Sequence[Passage]) -> list[Sentence | None]:
        """The title that stands over each passage; as its best passage makes it."""
        found = self.reader.titles(engine, question, passages)
        best = self._best(engine, question, passages)
        first: dict[tuple[str, str], Sentence | None] = {}
        for place, (passage, title, own) in enumerate(zip(passages, found, best, strict=True)):
            weighed = self._weighed([title], own, place) if title is not None else [None]
            first.setdefault((passage.document, passage.title), weighed[0])
        return [first[passage.document, passage.title] for passage in passages]

    def over_collection(self, first: int = 0, ranking: str = "") -> Highlighter:
        """For passages from that rank on."""
        return replace(self, first=first, ranking=ranking)

    def _best(self, engine: Engine, question: str, passages: Sequence[Passage]) -> list[float]:
        words = UNTRAINED.highlight(engine, question, passages)
        return [max((one.score for one in own), default=0.0) for own in words]

    def _weighed(self, sentences: Sequence[Sentence], best: float, place: int) -> list[Sentence]:
        """Those of one passage; one that was not read stays so."""
        read, marks = [one for one in sentences if one.score], self.marks
        if not read:
            return list(sentences)
        rows = features([one.score for one in read], [best] * len(read), [self.first + place] * len(read))
        values = iter(self.over.probabilities(rows).tolist())
        return [
            Sentence(one.begin, one.end, value := next(values), marks.strength(value)) if one.score else one
            for one in sentences
        ]


def _by_document(places: Sequence[_Place], passages: Sequence[Passage], chosen: set[int]) -> list[list[int]]:
    """The chosen sentences of each document, in its order."""
    found: dict[str, list[int]] = {}
    for number, place in enumerate(places):
        if number in chosen:
            found.setdefault(passages[place.passage].document, []).append(number)
    for own in found.values():
        own.sort(key=lambda one: (passages[places[one].passage].number, places[one].begin))
    return list(found.values())


def load_highlighter(
    place: Path, device: str = "auto", threads: int | None = None, *, over_collection: bool = True
) -> Trained:
    """From a run folder or one of several seeds. over_collection: with what was fitted there for a collection.

    Refused (InputError): a reader of something else, what was fitted for other weights.
    """
    from anagnosis.calibration.run_parameters import parameters_of
    from anagnosis.training.runs.predicting import Answering
    from anagnosis.training.runs.run import load

    found = load(place)
    runs = found.runs
    reader = runs[0].reader
    if runs[0].facts.view != SENTENCES:
        raise InputError(
            f"{reader} does not score sentences", str(place), "name a run of an evidence- recipe"
        )
    kept = [kept.sentences if (kept := parameters_of(run)) else None for run in runs]
    fits = [fit for fit in kept if fit is not None]
    calibrated = len(fits) == len(runs)
    marks, fitted = UNFITTED, tuple(Platt() for _ in runs)
    if calibrated:
        means = [sum(getattr(fit, name) for fit in fits) / len(fits) for name in Marks.__dataclass_fields__]
        marks, fitted = Marks(*means), tuple(fit.platt for fit in fits)
    about = Scorer(
        reader if calibrated else f"{reader}{UNCALIBRATED}",
        _FITTED if calibrated else _AS_IT_COMES,
        # Not even what was fitted, which is for papers that are about the question.
        calibrated=False,
    )
    slow = hasattr(runs[0].config, "encoder")
    answering = tuple(Answering(run, device, threads) for run in runs)
    over = read_over_collection(found.folder, found.digests, fitted) if over_collection else None
    return Trained(about, marks, answering, fitted, READ if slow else None, over)
