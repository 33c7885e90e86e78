"""Write a submission to BioASQ's task B: the answers of a file, or what an index retrieves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import msgspec

from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.question import LIST, TYPES, QuestionInstance
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
    meaning, which are not written either. unanswered: type → questions without what is asked for: documents or
    snippets, an exact answer, or for a summary an ideal one. in_one_text: answers to list questions that are one text
    with signs between entries, which count as one entry.
    """

    phase: str
    split: str
    questions: int
    answered: int
    left_out: int = 0
    unknown_fields: int = 0
    unanswered: dict[str, int] = {}
    in_one_text: int = 0


def phase_named(name: str) -> writing.Phase:
    """The phase A or B. InputError: another name."""
    if name not in PHASES:
        raise unknown_name("phase", name, PHASES, "--phase")
    return PHASES[name]


def submitted(
    dataset: store.Dataset, files: Sequence[Path], phase: str, split: str | None, texts: Texts | None = None
) -> tuple[Answered, Submission]:
    """The checked answers of files. InputError: a fault of them, or no answer of the phase."""
    wanted, other = phase_named(phase), PHASES["B" if phase == "A" else "A"]
    given = answered(dataset, files, split)
    refuse_faults(dataset, given, files, texts)
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


def write_answers(stream: BinaryIO, dataset: store.Dataset, given: Answered, about: Submission) -> Submission:
    """Write the answers of files to every question of their split; gives `about` with what was counted meanwhile."""
    phase, joined, unanswered = phase_named(about.phase), 0, Counter[str]()

    def each() -> Iterator[tuple[str, writing.Fields]]:
        nonlocal joined
        for question in store.instances(dataset, given.split, of=QuestionInstance):
            prediction = given.predictions.get(question.id)
            fields = phase.fields(question, prediction)
            unanswered[question.type] += not phase.done(question.type, fields)
            joined += question.type == LIST and prediction is not None and prediction.in_one_text
            yield question.id, fields

    writing.write(stream, each())
    return msgspec.structs.replace(about, unanswered=_by_type(unanswered), in_one_text=joined)


def _by_type(counts: Counter[str]) -> dict[str, int]:
    return {type: counts[type] for type in (*TYPES, "") if counts[type]}


def write_retrieved(
    stream: BinaryIO, dataset: store.Dataset, split: str, retrieve: Callable[[str, str], Prediction]
) -> Submission:
    """Write what a collection gives for every question of a split. retrieve: (id, question) → its items."""
    demand_record(dataset.kind, QuestionInstance, str(dataset.folder))
    answers, unanswered = 0, Counter[str]()

    def each() -> Iterator[tuple[str, writing.Fields]]:
        nonlocal answers
        with Progress(f"retrieving for {split}", dataset.sizes[split], "questions") as bar:
            for question in store.instances(dataset, split, of=QuestionInstance):
                found = retrieve(question.id, question.question)
                answers += bool(found.documents)
                unanswered[question.type] += not found.documents
                yield question.id, writing.phase_a(question, found)
                bar.advance()

    count = writing.write(stream, each())
    return Submission("A", split, count, answers, unanswered=_by_type(unanswered))
