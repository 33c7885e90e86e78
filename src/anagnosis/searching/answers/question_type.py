"""The kind of answer that a question wants, by a reader that `anagnosis train bioasq-question-type` made.

Rules judge texts without a question mark ("pregnant women and COVID-19"): the reader was trained on questions alone,
and is wrong about such texts.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from anagnosis.datasets.kinds.question import TYPE, TYPES, Typed
from anagnosis.datasets.kinds.table import QUESTION, demand, named
from anagnosis.errors import InputError
from anagnosis.language.question_kinds import kind_of_question

if TYPE_CHECKING:
    from anagnosis.training.runs.predicting import Answering


@dataclass(frozen=True, slots=True)
class LearnedKind:
    """A loaded reader of question types. Called with a question, it returns one of question_kinds.KINDS."""

    reader: str
    answering: Answering

    def __call__(self, question: str) -> str:
        if not question.rstrip().endswith("?"):
            return kind_of_question(question)
        (scores,) = self.answering.answers([Typed("0", question, None)], self.reader)
        return TYPES[scores.index(max(scores))]


def load_kind(place: Path, device: str = "auto", threads: int | None = None) -> LearnedKind:
    """Load a run folder. InputError: a folder of replicates, or the reader does not classify questions."""
    from anagnosis.training.runs.predicting import Answering
    from anagnosis.training.runs.run import Run, load

    run = load(place)
    if not isinstance(run, Run):
        raise InputError(f"a folder of {len(run.runs)} {run.what}s", str(place), "name one of them")
    other = f"{run.reader} does not classify questions by type"
    remedy = "name a run of bioasq-question-type"
    demand(named(run.config.kind), QUESTION, str(place), other, remedy)
    if run.config.view != TYPE:
        raise InputError(other, str(place), remedy)
    return LearnedKind(run.reader, Answering(run, device, threads))
