"""The answers that people gave back, in one file: the valid line of each person and question.

    {"id": "12:0", "answer": "gene/672", "dataset": "3f0c…", "annotator": "ann", "group": "experts", "seconds": 9.5, "place": 2}

The people stand in the order of the study, and the lines of each in the order in which that person had the questions.
"""  # noqa: E501  (a line of the file, whole)

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from statistics import median

import msgspec

from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.io import outputs
from anagnosis.io.files import atomic_write
from anagnosis.io.paths import PathLike
from anagnosis.labelling.drawn import Drawn
from anagnosis.labelling.opened_study import OpenedStudy, open_study
from anagnosis.labelling.returned import Returned, ReturnedFile, returned
from anagnosis.predictions import notes
from anagnosis.wording import counted

ANSWER = "answer"  # the field that makes a line a prediction
NAMED = 5  # open questions of a person
_ENCODER = msgspec.json.Encoder()


@dataclass(frozen=True, slots=True)
class CollectedPerson:
    """What one person gave back. file: its name. answered: questions with a line; unsure: those of them that the person
    could not answer.

    open: drawn questions without a line; first_open: the first of them in the person's order. median: seconds of a
    question.
    """

    name: str
    group: str
    file: str
    answered: int
    unsure: int
    open: int
    first_open: tuple[str, ...]
    median: float


@dataclass(frozen=True, slots=True)
class Collected:
    """What people gave back. kind, split, view: of the study, "" where it has none. drawn: questions of each person.

    missing: people without a file. passed_over: other files of the folder → why they were not read. lines: valid ones,
    as they were written.
    """

    kind: str
    split: str
    view: str
    drawn: int
    people: tuple[CollectedPerson, ...]
    missing: tuple[str, ...]
    passed_over: dict[str, str]
    lines: int


def collect(
    source: PathLike | Dataset, folder: Path, out: PathLike | None = None, *, replace: bool = False
) -> Collected:
    """Read the files that people gave back, and write their valid lines into one file.

    source: the dataset that the study was drawn from. folder: of the study, with the files. out: the file to write,
    None for none.
    InputError: another source, a file that no page of the study saved, or two files of one person.
    """
    study = open_study(source, folder)
    if out is None:
        return collected(study)
    are_predictions = any(ANSWER in each.line_fields for each in study.studies.values())
    target = _target(study, out, note=are_predictions, replace=replace)
    given = returned(study)
    if not given.files:
        shown = "; ".join(f"{name}: {why}" for name, why in [*given.passed_over.items()][:NAMED])
        what = "no answers in it" + (f" ({shown})" if shown else "")
        raise InputError(what, str(folder), "put the files that people saved beside the pages")
    _write(target, given, study.drawn, note=are_predictions)
    return collected(study, given)


def collected(study: OpenedStudy, given: Returned | None = None) -> Collected:
    """The record of what people gave back. given: None for what is there now."""
    drawn, given = study.drawn, given or returned(study)
    people = tuple(map(_person, given.files))
    there = {person.name for person in people}
    return Collected(
        kind=drawn.kind,
        split=drawn.split,
        view=drawn.view,
        drawn=len(drawn.ids),
        people=people,
        missing=tuple(person.name for person in study.studies if person.name not in there),
        passed_over=given.passed_over,
        lines=sum(person.answered for person in people),
    )


def summary(record: Collected) -> list[str]:
    """What each person gave back, and who left which questions open."""
    of = f" of {record.split}" if record.split else ""
    there = len(record.people)
    lines = [
        f"{counted(record.drawn, 'question')}{of}, files of {there:,} of {there + len(record.missing):,} people"
    ]
    for one in record.people:
        unsure = f", {one.unsure:,} of them “could not answer”" if one.unsure else ""
        first = (
            f" ({', '.join(one.first_open)}{', …' * (one.open > len(one.first_open))})" if one.open else ""
        )
        lines.append(
            f"{one.name} ({one.group}): {one.answered:,} answered{unsure}, {one.open:,} open{first}, "
            f"{one.median:,.0f} s a question (median)"
        )
    lines += [f"without a file: {name}" for name in record.missing]
    return [*lines, *(f"not read: {name} ({why})" for name, why in record.passed_over.items())]


def _person(each: ReturnedFile) -> CollectedPerson:
    person, lines = each.of.person, each.last.values()
    left = [ident for ident in each.of.places if ident not in each.last]
    asked = each.of.study.fields[0].name
    return CollectedPerson(
        name=person.name,
        group=person.group,
        file=each.path.name,
        answered=len(lines),
        unsure=sum(line[asked] is None for line in lines),
        open=len(left),
        first_open=tuple(left[:NAMED]),
        median=median(line["seconds"] for line in lines),
    )


def _target(study: OpenedStudy, out: PathLike, *, note: bool, replace: bool) -> Path:
    """The file to write, if it may be written. note: whether a note is written beside it."""
    inputs = (study.folder, study.dataset.folder)
    target = outputs.output_file(out, inputs=inputs, replace=replace)
    if study.folder.resolve() in target.resolve().parents:
        raise InputError("lies in the folder of the people's files", str(out), "choose another --out")
    if note:
        outputs.output_file(notes.note_of(target), inputs=inputs, replace=replace)
    return target


def _write(target: Path, given: Returned, drawn: Drawn, *, note: bool) -> None:
    with atomic_write(target) as stream:
        for line in (line for each in given.files for line in each.lines):
            stream.write(_ENCODER.encode(line) + b"\n")
    if note:
        notes.write(target, notes.Note(view=drawn.view or None, asked=tuple(drawn.ids)))
