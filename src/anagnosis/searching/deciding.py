"""Yes, no or maybe to a question, by a decision reader that `anagnosis train` made, from each paper that was found.

A paper is read as the reader was taught to: question and sections. Of several runs (seeds, folds) probabilities are
averaged, and so are those of the papers for the answer as a whole; papers that say otherwise stand beside it. They are
the reader's own: it was trained on abstracts whose titles ask, and is no better calibrated here than there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from anagnosis.datasets.decision import LABELS, ContextSection
from anagnosis.datasets.decision_views import QUESTION, VIEWS, Posed
from anagnosis.errors import InputError
from anagnosis.searching.engines import Hit
from anagnosis.searching.index import Index
from anagnosis.searching.passages import Passage, notices

if TYPE_CHECKING:
    from anagnosis.readers.learning import Material
    from anagnosis.training.predicting import Answering

PAPERS = 5  # that are read
LONGEST = 6000  # characters of a paper; of a longer one the passages that were found


class Verdict(msgspec.Struct, frozen=True):
    """What one paper says. probabilities: of yes, no, maybe, in this order. notices: that it was retracted, …"""

    document: str
    title: str
    label: str
    probabilities: tuple[float, ...]
    notices: tuple[str, ...] = ()


class Decision(msgspec.Struct, frozen=True):
    """label: over all papers; confidence: its mean probability. reader: what judged. verdicts: best paper first."""

    label: str
    confidence: float
    reader: str
    verdicts: tuple[Verdict, ...]

    def means(self) -> dict[str, float]:
        """label → its mean probability over the papers."""
        columns = zip(*(verdict.probabilities for verdict in self.verdicts), strict=True)
        return {label: sum(own) / len(own) for label, own in zip(LABELS, columns, strict=True)}


@dataclass(frozen=True, slots=True)
class Decider:
    """A loaded reader. view: what it reads."""

    reader: str
    view: str
    answering: tuple[Answering, ...]

    def decide(self, index: Index, question: str, hits: Sequence[Hit]) -> Decision | None:
        """hits: passages in the order of their rank; None where there are none."""
        papers = list(_papers(index, hits))
        if not papers:
            return None
        posed = [
            Posed(str(place), question, () if self.view == QUESTION else _sections(own), None)
            for place, own in enumerate(papers)
        ]
        found = [list(each.log_probabilities(_material(posed), self.reader)) for each in self.answering]
        of_papers = np.exp(np.array(found)).mean(0)  # [papers, labels]
        whole = of_papers.mean(0)
        verdicts = [
            Verdict(
                own[0].document,
                own[0].title,
                LABELS[int(row.argmax())],
                tuple(map(float, row)),
                notices(own[0]),
            )
            for own, row in zip(papers, of_papers, strict=True)
        ]
        return Decision(LABELS[int(whole.argmax())], float(whole.max()), self.reader, tuple(verdicts))


def load_decider(place: Path, device: str = "auto", threads: int | None = None) -> Decider:
    """From a run folder or one of several runs. Refused (InputError): a reader of other questions."""
    from anagnosis.training.predicting import Answering
    from anagnosis.training.run import Several, load

    found = load(place)
    runs = found.runs if isinstance(found, Several) else (found,)
    view = runs[0].facts.view
    if view not in VIEWS:
        raise InputError(
            f"{runs[0].reader} does not answer yes, no or maybe",
            str(place),
            "name a run of a pubmedqa- recipe",
        )
    return Decider(runs[0].reader, view, tuple(Answering(run, device, threads) for run in runs))


def _papers(index: Index, hits: Sequence[Hit]) -> Iterator[list[Passage]]:
    """The passages to read of the first papers, in the order of each paper."""
    found: dict[str, list[Passage]] = {}
    for hit in hits:
        found.setdefault(hit.passage.document, []).append(hit.passage)
    for document, own in list(found.items())[:PAPERS]:
        every = index.document(document)
        short = sum(len(passage.text) for passage in every) <= LONGEST
        yield every if short else sorted(own, key=lambda passage: passage.number)


def _sections(passages: Sequence[Passage]) -> tuple[ContextSection, ...]:
    return tuple(ContextSection(passage.heading, passage.text) for passage in passages)


def _material(posed: Sequence[Posed]) -> Material:
    from anagnosis.readers.learning import Material

    return Material("asked", "", len(posed), lambda: iter(posed))
