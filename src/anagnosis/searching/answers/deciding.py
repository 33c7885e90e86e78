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

import msgspec
import numpy as np
import numpy.typing as npt

from anagnosis.calibration.held_out import HeldOut
from anagnosis.calibration.parameters import read
from anagnosis.calibration.temperature import tempered
from anagnosis.datasets.kinds.decision import LABELS, ContextSection
from anagnosis.datasets.kinds.decision_views import QUESTION, VIEWS, Posed
from anagnosis.errors import InputError
from anagnosis.language.negation import negated
from anagnosis.searching.index.index import Index
from anagnosis.searching.passages import Passage, counts, notices
from anagnosis.searching.sentences.sentences import Evidence

if TYPE_CHECKING:
    from anagnosis.readers.learning import Material
    from anagnosis.searching.sentences.sentences import Found
    from anagnosis.training.runs.predicting import Answering

YES, NO, _ = LABELS
PAPERS = 5  # that are read and count
ASIDE = 3  # that are read beside them, and do not
# Why there is no answer as a whole.
NOTHING_COUNTS = "of what says something, all was retracted or is a notice"
ALL_WITHHELD = "what the reader says of each paper contradicts that paper's own sentence, which is negated"
CONTRADICTED = "what the reader says contradicts the sentence that fits best, which is negated"
LONGEST = 6000  # characters of a paper; of a longer one the passages that were found


class Verdict(msgspec.Struct, frozen=True):
    """What one paper says. probabilities: of yes, no, maybe, in this order. notices: that it was retracted, …

    evidence: the paper's sentence that fits the question best, as it stands there.
    """

    document: str
    title: str
    label: str
    probabilities: tuple[float, ...]
    notices: tuple[str, ...] = ()
    evidence: Evidence | None = None

    @property
    def counted(self) -> bool:
        """Whether it counts in the answer: not that of a paper which was retracted, nor of a notice."""
        return counts(self.notices)


class Decision(msgspec.Struct, frozen=True):
    """reader: what judged; held_out: what it reaches. verdicts: of the papers that were read, best paper first.

    withheld: those that contradict their own negated sentence, apart from `verdicts`. contradicted: whether the answer
    as a whole contradicts the best sentence of all, which is negated; then there is none. calibrated: whether the
    probabilities were fitted on questions that the reader was not trained on.
    """

    reader: str
    held_out: HeldOut
    verdicts: tuple[Verdict, ...]
    withheld: tuple[Verdict, ...] = ()
    contradicted: bool = False
    calibrated: bool = False

    @property
    def undecided(self) -> str:
        """Why there is no answer as a whole; "" where there is one."""
        if self.contradicted:
            return CONTRADICTED
        if any(verdict.counted for verdict in self.verdicts):
            return ""
        withheld = any(verdict.counted for verdict in self.withheld)
        return ALL_WITHHELD if withheld else NOTHING_COUNTS

    @property
    def label(self) -> str:
        """The likeliest over the papers that count, of equal ones the first of LABELS; "" where there is no answer."""
        means = self.means()
        return max(means, key=means.__getitem__, default="")

    @property
    def confidence(self) -> float:
        """The mean probability of the label; 0 where there is none."""
        return max(self.means().values(), default=0.0)

    @property
    def supports(self) -> list[Verdict]:
        """Papers read as saying yes."""
        return [verdict for verdict in self.verdicts if verdict.label == YES]

    @property
    def contradicts(self) -> list[Verdict]:
        """Papers read as saying no."""
        return [verdict for verdict in self.verdicts if verdict.label == NO]

    def means(self) -> dict[str, float]:
        """label → its mean probability over the papers that count; empty where there is no answer."""
        rows = [one.probabilities for one in self.verdicts if one.counted and not self.contradicted]
        columns = zip(*rows, strict=True)
        return {label: sum(own) / len(own) for label, own in zip(LABELS, columns, strict=bool(rows))}

    def beside(self, sentence: str) -> Decision:
        """The same, without an answer as a whole where that contradicts the best sentence that is quoted."""
        return msgspec.structs.replace(self, contradicted=contradicts(self.label, sentence))


def contradicts(label: str, sentence: str) -> bool:
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
        self, index: Index, question: str, words: Sequence[Found], found: Sequence[Found] = ()
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
                own[0].title,
                LABELS[int(row.argmax())],
                tuple(map(float, row)),
                notices(own[0]),
                _best_of(own[0].document, words, found or words),
            )
            for own, row in zip(papers, of_papers, strict=True)
        ]
        shown, withheld = list[Verdict](), list[Verdict]()
        for one in verdicts:
            against = one.evidence is not None and contradicts(one.label, one.evidence.text)
            (withheld if against else shown).append(one)
        calibrated = self.temperatures is not None
        return Decision(self.reader, self.held_out, tuple(shown), tuple(withheld), calibrated=calibrated)

    def alone(self, place: int) -> Decider:
        """One of its runs by itself."""
        temperatures = (self.temperatures[place],) if self.temperatures is not None else None
        return Decider(self.reader, self.view, (self.answering[place],), temperatures)

    def probabilities(self, posed: Sequence[Posed]) -> npt.NDArray[np.float64]:
        """float64 [papers, labels]: the mean of the runs."""
        temperatures = self.temperatures or (1.0,) * len(self.answering)
        found = [
            np.exp(
                tempered(np.array(list(each.log_probabilities(_material(posed), self.reader))), temperature)
            )
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


def _chosen(words: Sequence[Found]) -> list[str]:
    """The documents that are read, best first, of those with a sentence that fits."""
    left, chosen = {True: PAPERS, False: ASIDE}, dict[str, None]()
    for each in words:
        passage = each.hit.passage
        kind = counts(notices(passage))
        if passage.document not in chosen and left[kind] and any(one.strength for one in each.sentences):
            left[kind] -= 1
            chosen[passage.document] = None
    return list(chosen)


def _best_of(document: str, words: Sequence[Found], found: Sequence[Found]) -> Evidence:
    """A paper's sentence with the best score, marked or not; of equal ones that which fits best by words."""
    every = [
        (one.score, by_words.score, -rank, -one.begin, one, each.hit.passage)
        for rank, (each, own) in enumerate(zip(found, words, strict=True))
        if each.hit.passage.document == document
        for one, by_words in zip(each.sentences, own.sentences, strict=True)
    ]
    _, _, rank, _, one, passage = max(every, key=lambda each: each[:4])
    return Evidence(passage.text[one.begin : one.end], one, -rank, passage)


def _passages(index: Index, document: str, words: Sequence[Found]) -> list[Passage]:
    """What is read of a paper, in its order: all of it, of a long one what was found and fits."""
    every = index.document(document)
    if sum(len(passage.text) for passage in every) <= LONGEST:
        return every
    fitting = (each for each in words if any(one.strength for one in each.sentences))
    own = (each.hit.passage for each in fitting if each.hit.passage.document == document)
    return sorted(own, key=lambda passage: passage.number)


def _sections(passages: Sequence[Passage]) -> tuple[ContextSection, ...]:
    return tuple(ContextSection(passage.heading, passage.text) for passage in passages)


def _material(posed: Sequence[Posed]) -> Material:
    from anagnosis.readers.learning import Material

    return Material("asked", "", len(posed), lambda: iter(posed))
