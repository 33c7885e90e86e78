"""Yes, no or maybe to a question, by a decision reader that `anagnosis train` made, from each paper that was found.

A paper is read as the reader was taught to: question and sections. Of several runs (seeds, folds) probabilities are
averaged, and so are those of the papers for the answer as a whole; papers that say yes and papers that say no stand
side by side, each with its sentence that fits the question best. A yes beside such a sentence that is negated is
withheld, and does not count; questions that are negated themselves are not asked here (asking.py). The overlap of words
decides which papers are read, whatever scores the sentences. A paper that was retracted, and a notice about another
one, stand beside the others, do not count in the answer, and take no other paper's place. Where `anagnosis calibrate`
has fitted every run, probabilities are those; elsewhere the reader's own. Either way they suit what it was trained on.
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
PAPERS = 5  # that are read and count
ASIDE = 3  # that are read beside them, and do not
LONGEST = 6000  # characters of a paper; of a longer one the passages that were found


def beside(decision: Decision, sentence: str) -> Decision:
    """The same, without an answer as a whole where that contradicts the best sentence that is quoted."""
    return replace(decision, contradicted=contradicts(decision.label, sentence))


def contradicts(label: str | None, sentence: str) -> bool:
    """Whether a label contradicts a sentence: yes beside a negated one. No question that is negated comes here."""
    return label == YES and negated(sentence)


@dataclass(frozen=True, slots=True)
class Decider:
    """A loaded reader. view: what it reads. temperatures: of each run, None where not every one was calibrated.

    held_out: what it reaches on questions that it was not trained on, None where nobody has measured that.
    """

    reader: str
    view: str
    answering: tuple[Answering, ...]
    temperatures: tuple[float, ...] | None = None
    held_out: HeldOut | None = None

    def decide(
        self, index: Index, question: str, words: Sequence[Hit], found: Sequence[Hit] = ()
    ) -> Decision | None:
        """None where no sentence of any passage fits the question by its words, or nobody has measured the reader.

        words: passages in the order of their rank, as the overlap of words marks them. found: the same as something
        else scores them, if it does: the sentence beside a verdict is the best by that.
        """
        papers = [_passages(index, document, words) for document in _chosen(words)]
        if not papers or self.held_out is None:
            return None
        posed = [
            Posed(str(place), question, () if self.view == QUESTION else _sections(own), None)
            for place, own in enumerate(papers)
        ]
        of_papers = self.probabilities(posed)  # [papers, labels]
        verdicts = [
            Verdict(
                own[0].document,
                own[0].paper,
                LABELS[int(row.argmax())],
                Probabilities(*map(float, row)),
                own[0].notices,
                _best_of(own[0].document, words, found or words),
            )
            for own, row in zip(papers, of_papers, strict=True)
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
        """One of its runs by itself."""
        temperatures = (self.temperatures[place],) if self.temperatures is not None else None
        return Decider(self.reader, self.view, (self.answering[place],), temperatures)

    def probabilities(self, posed: Sequence[Posed]) -> Floats:
        """float64 [papers, labels]: the mean of the runs."""
        temperatures = self.temperatures or (1.0,) * len(self.answering)
        found = [
            np.exp(tempered(np.array(each.answers(posed, self.reader)), temperature))
            for each, temperature in zip(self.answering, temperatures, strict=True)
        ]
        return np.mean(found, axis=0)


def load_decider(place: Path, device: str = "auto", threads: int | None = None) -> Decider:
    """From a run folder or one of several runs. Refused (InputError): a reader of other questions."""
    from anagnosis.calibration.run_parameters import parameters_of
    from anagnosis.training.runs.predicting import Answering
    from anagnosis.training.runs.run import load

    found = load(place)
    runs = found.runs
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
    measured = read(found.folder, HeldOut, found.digests)
    return Decider(runs[0].reader, view, answering, temperatures, measured)


def _chosen(words: Sequence[Hit]) -> list[str]:
    """The documents that are read, best first, of those with a sentence that fits."""
    left, chosen = {True: PAPERS, False: ASIDE}, dict[str, None]()
    for each in words:
        passage = each.passage
        kind = passage.counted
        if passage.document not in chosen and left[kind] and any(one.strength for one in each.sentences):
            left[kind] -= 1
            chosen[passage.document] = None
    return list(chosen)


def _best_of(document: str, words: Sequence[Hit], found: Sequence[Hit]) -> Evidence:
    """A paper's sentence with the best score, marked or not; of equal ones that which fits best by words."""
    every = [
        (one.score, by_words.score, -(each.rank or place), -one.begin, one, each.passage)
        for place, (each, own) in enumerate(zip(found, words, strict=True), 1)
        if each.passage.document == document
        for one, by_words in zip(each.sentences, own.sentences, strict=True)
    ]
    _, _, rank, _, one, passage = max(every, key=lambda each: each[:4])
    return quoted(one, passage, -rank)


def _passages(index: Index, document: str, words: Sequence[Hit]) -> list[Passage]:
    """What is read of a paper, in its order: all of it, of a long one what was found and fits."""
    every = index.document(document)
    if sum(len(passage.text) for passage in every) <= LONGEST:
        return every
    fitting = (each for each in words if any(one.strength for one in each.sentences))
    own = (each.passage for each in fitting if each.passage.document == document)
    return sorted(own, key=lambda passage: passage.number)


def _sections(passages: Sequence[Passage]) -> tuple[ContextSection, ...]:
    return tuple(ContextSection(passage.heading, passage.text) for passage in passages)
