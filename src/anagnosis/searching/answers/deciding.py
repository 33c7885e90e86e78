"""Answer a question with yes, no or maybe: a trained decision reader judges each of the best papers.

- The reader gets a paper in the form of its training: question and sections. Probabilities are means over several runs
  (seeds, folds), and for the answer as a whole means over the papers.
- The answer shows papers for yes and papers for no side by side, each with its best sentence. If the reader says yes
  and that sentence is negated, the verdict is withheld and does not count. Negated questions do not come here
  (asking.py).
- The word overlap decides which papers to read, whatever scores the sentences.
- Retracted papers and notices about other papers appear beside the others; they do not count and take nobody's place.
- Probabilities are calibrated if `anagnosis calibrate` has fitted every run, else the reader's. Both suit the data that
  it was trained on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import astuple, replace

from anagnosis.array_types import Floats
from anagnosis.calibration.held_out import HeldOut
from anagnosis.calibration.parameters import read
from anagnosis.calibration.temperature import tempered
from anagnosis.datasets.kinds.decision import QUESTION, VIEWS, ContextSection, Posed
from anagnosis.errors import InputError
from anagnosis.language.negation import negated
from anagnosis.searching.index.index import Index
from anagnosis.searching.records.answers import (
    LABELS,
    Decision,
    Evidence,
    Probabilities,
    Verdict,
    Withheld,
)
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.sentences.sentences import quoted

if TYPE_CHECKING:
    from anagnosis.searching.records.answers import Hit
    from anagnosis.training.runs.predicting import Answering

YES = LABELS[0]
PAPERS = 5  # papers to read that count
ASIDE = 3  # papers to read that do not count
LONGEST = 6000  # characters of a paper; of a longer one we read the retrieved passages


def beside(decision: Decision, sentence: str) -> Decision:
    """The decision, without an answer as a whole if that contradicts the best quoted sentence."""
    return replace(decision, contradicted=contradicts(decision.label, sentence))


def contradicts(label: str | None, sentence: str) -> bool:
    """Whether a label contradicts a sentence: yes, and a negated sentence. (Negated questions do not come here.)"""
    return label == YES and negated(sentence)


@dataclass(frozen=True, slots=True)
class Decider:
    """A loaded decision reader.

    view: of its training. temperatures: of each run, None unless every run is calibrated. held_out: its score on
    questions that it was not trained on, None if it is unknown.
    """

    reader: str
    view: str
    answering: tuple[Answering, ...]
    temperatures: tuple[float, ...] | None = None
    held_out: HeldOut | None = None

    def decide(
        self, index: Index, question: str, by_words: Sequence[Hit], scored: Sequence[Hit] = ()
    ) -> Decision | None:
        """The decision; None if no sentence matches the question's words, or the reader's held-out score is unknown.

        by_words: passages by rank, with sentences scored by word overlap. scored: the same passages with sentences
        scored by another highlighter, if there is one; it selects the sentence beside a verdict.
        """
        papers = [_passages(index, document, by_words) for document in _chosen(by_words)]
        if not papers or self.held_out is None:
            return None
        posed = [
            Posed(str(place), question, () if self.view == QUESTION else _sections(passages), None)
            for place, passages in enumerate(papers)
        ]
        of_papers = self.probabilities(posed)  # [papers, labels]
        verdicts = [
            Verdict(
                passages[0].document,
                passages[0].paper,
                LABELS[int(row.argmax())],
                Probabilities(*map(float, row)),
                passages[0].notices,
                _best_of(passages[0].document, by_words, scored or by_words),
            )
            for passages, row in zip(papers, of_papers, strict=True)
        ]
        shown, withheld = list[Verdict](), list[Withheld]()
        for one in verdicts:
            if one.evidence is not None and contradicts(one.label, one.evidence.text):
                withheld.append(Withheld(*astuple(one)))
            else:
                shown.append(one)
        calibrated = self.temperatures is not None
        return Decision(self.reader, self.held_out, shown, withheld, calibrated=calibrated)

    def alone(self, place: int) -> Decider:
        """A decider of one of the runs."""
        temperatures = (self.temperatures[place],) if self.temperatures is not None else None
        return Decider(self.reader, self.view, (self.answering[place],), temperatures)

    def probabilities(self, posed: Sequence[Posed]) -> Floats:
        """float64 [papers, labels]: means over the runs."""
        temperatures = self.temperatures or (1.0,) * len(self.answering)
        per_run = [
            np.exp(tempered(np.array(each.answers(posed, self.reader)), temperature))
            for each, temperature in zip(self.answering, temperatures, strict=True)
        ]
        return np.mean(per_run, axis=0)


def load_decider(place: Path, device: str = "auto", threads: int | None = None) -> Decider:
    """Load a run folder or a folder of replicates. InputError: the reader does not decide questions."""
    from anagnosis.calibration.run_parameters import parameters_of
    from anagnosis.training.runs.predicting import Answering
    from anagnosis.training.runs.run import load

    loaded = load(place)
    runs = loaded.runs
    view = runs[0].facts.view
    if view not in VIEWS:
        raise InputError(
            f"{runs[0].reader} does not answer yes, no or maybe",
            str(place),
            "name a run of a pubmedqa- recipe",
        )
    fitted = [
        kept.temperature for run in runs if (kept := parameters_of(run)) and kept.temperature is not None
    ]
    temperatures = tuple(fitted) if len(fitted) == len(runs) else None
    answering = tuple(Answering(run, device, threads) for run in runs)
    measured = read(loaded.folder, HeldOut, loaded.digests)
    return Decider(runs[0].reader, view, answering, temperatures, measured)


def _chosen(by_words: Sequence[Hit]) -> list[str]:
    """The documents to read, best first, among those with a matching sentence."""
    left, chosen = {True: PAPERS, False: ASIDE}, dict[str, None]()
    for hit in by_words:
        passage = hit.passage
        kind = passage.counted
        if passage.document not in chosen and left[kind] and any(one.strength for one in hit.sentences):
            left[kind] -= 1
            chosen[passage.document] = None
    return list(chosen)


def _best_of(document: str, words: Sequence[Hit], scored: Sequence[Hit]) -> Evidence:
    """A paper's sentence with the best score, highlighted or not; ties go to the better word overlap."""
    every = [
        (one.score, by_words.score, -(each.rank or place), -one.begin, one, each.passage)
        for place, (each, hit_by_words) in enumerate(zip(scored, words, strict=True), 1)
        if each.passage.document == document
        for one, by_words in zip(each.sentences, hit_by_words.sentences, strict=True)
    ]
    _, _, rank, _, one, passage = max(every, key=lambda each: each[:4])
    return quoted(one, passage, -rank)


def _passages(index: Index, document: str, by_words: Sequence[Hit]) -> list[Passage]:
    """The passages of a paper to read, in its order: all, or of a long paper the retrieved ones that match."""
    every = index.document(document)
    if sum(len(passage.text) for passage in every) <= LONGEST:
        return every
    fitting = (each for each in by_words if any(one.strength for one in each.sentences))
    fitting_passages = (each.passage for each in fitting if each.passage.document == document)
    return sorted(fitting_passages, key=lambda passage: passage.number)


def _sections(passages: Sequence[Passage]) -> tuple[ContextSection, ...]:
    return tuple(ContextSection(passage.heading, passage.text) for passage in passages)
