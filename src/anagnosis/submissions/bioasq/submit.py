"""Write a submission to BioASQ's task B: the answers of a file, or what an index retrieves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.question import QuestionInstance
from anagnosis.datasets.kinds.table import demand_record
from anagnosis.errors import InputError, unknown_name
from anagnosis.predictions import Prediction
from anagnosis.progress import Progress
from anagnosis.submissions.bioasq import writing
from anagnosis.submissions.bioasq.checking import Answered, answered, refuse_faults
from anagnosis.submissions.bioasq.rules import Texts
from anagnosis.submissions.bioasq.writing import PHASES


class Submission(msgspec.Struct, frozen=True):
    """What was written. questions: of the split, all of them. answered: those that have something of the phase.

    left_out: lines that have something of the other phase, which is not written. unknown_fields: keys without a
    meaning, which are not written either.
    """

    phase: str
    split: str
    questions: int
    answered: int
    left_out: int = 0
    unknown_fields: int = 0


def phase_named(name: str) -> writing.Phase:
    """The phase A or B. InputError: another name."""
    if name not in PHASES:
        raise unknown_name("phase", name, PHASES, "--phase")
    return PHASES[name]


def submitted(
    dataset: store.Dataset, file: Path, phase: str, split: str | None, texts: Texts | None = None
) -> tuple[Answered, Submission]:
    """The checked answers of a file. InputError: a fault of it, or no answer of the phase."""
    wanted, other = phase_named(phase), PHASES["B" if phase == "A" else "A"]
    given = answered(dataset, file, split)
    refuse_faults(dataset, given, file, texts)
    count = sum(map(wanted.answers, given.predictions.values()))
    if not count:
        what = f"none of its lines has {wanted.asks_for}"
        remedy = f"give --phase {'B' if phase == 'A' else 'A'}, or other predictions"
        raise InputError(what, given.name, remedy)
    left_out = sum(map(other.answers, given.predictions.values()))
    unknown = given.problems.get("unknown_fields")
    about = Submission(
        phase,
        given.split,
        dataset.sizes[given.split],
        count,
        left_out,
        0 if unknown is None else unknown.count,
    )
    return given, about


def write_answers(stream: BinaryIO, dataset: store.Dataset, given: Answered, phase: str) -> None:
    """Write the answers of a file to every question of their split."""
    fields = phase_named(phase).fields
    questions = store.instances(dataset, given.split, of=QuestionInstance)
    writing.write(stream, ((each.id, fields(each, given.predictions.get(each.id))) for each in questions))


def write_retrieved(
    stream: BinaryIO, dataset: store.Dataset, split: str, retrieve: Callable[[str, str], Prediction]
) -> Submission:
    """Write what a collection gives for every question of a split. retrieve: (id, question) → its items."""
    demand_record(dataset.kind, QuestionInstance, str(dataset.folder))
    answers = 0

    def each() -> Iterator[tuple[str, writing.Fields]]:
        nonlocal answers
        with Progress(f"retrieving for {split}", dataset.sizes[split], "questions") as bar:
            for question in store.instances(dataset, split, of=QuestionInstance):
                found = retrieve(question.id, question.question)
                answers += bool(found.documents)
                yield question.id, writing.phase_a(question, found)
                bar.advance()

    count = writing.write(stream, each())
    return Submission("A", split, count, answers)
