"""What kind of answer a question wants, by a reader that `anagnosis train bioasq-question-type` made.

What does not end in a question mark ("pregnant women and COVID-19") is judged by the rules: the reader was shown
questions, and takes such words for any kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from anagnosis.datasets.kinds.question import TYPES, Typed
from anagnosis.datasets.kinds.table import QUESTION, demand, named
from anagnosis.errors import InputError
from anagnosis.language.question_kinds import kind_of_question

if TYPE_CHECKING:
    from anagnosis.training.runs.predicting import Answering


@dataclass(frozen=True, slots=True)
class LearnedKind:
    """A loaded reader; called with a question, gives one of question_kinds.KINDS."""

    reader: str
    answering: Answering

    def __call__(self, question: str) -> str:
        if not question.rstrip().endswith("?"):
            return kind_of_question(question)
        (scores,) = self.answering.answers([Typed("0", question, None)], self.reader)
        return TYPES[scores.index(max(scores))]


def load_kind(place: Path, device: str = "auto", threads: int | None = None) -> LearnedKind:
    """From a run folder. Refused (InputError): several runs, a reader of something else."""
    from anagnosis.training.runs.predicting import Answering
    from anagnosis.training.runs.run import Run, load

    run = load(place)
    if not isinstance(run, Run):
        raise InputError(f"a folder of {len(run.runs)} {run.what}s", str(place), "name one of them")
    other = f"{run.reader} does not tell the type of a question"
    demand(named(run.config.kind), QUESTION, str(place), other, "name a run of bioasq-question-type")
    return LearnedKind(run.reader, Answering(run, device, threads))
