"""The answers that people gave back, in one file: the valid line of each person and question.

    {"id": "12:0", "answer": "gene/672", "dataset": "3f0c…", "annotator": "ann", "group": "experts", "seconds": 9.5, "place": 2}

The people stand in the order of the study, and the lines of each in the order in which that person had the questions.
"""  # noqa: E501  (a line of the file, whole)

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from statistics import median

import msgspec

from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.io import outputs
from anagnosis.io.files import atomic_write
from anagnosis.io.paths import PathLike
from anagnosis.labelling import Summary, find
from anagnosis.labelling.drawn import Drawn, any_drawn
from anagnosis.labelling.opened_study import OpenedStudy, open_study
from anagnosis.labelling.returned import Returned, ReturnedFile, returned
from anagnosis.predictions import notes
from anagnosis.predictions.lines import read as read_predictions
from anagnosis.progress import print_note
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
    _report_fewer(target, given)
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


def summary(record: Collected, source: PathLike, folder: PathLike, out: PathLike | None) -> Summary:
    """What each person gave back, who left which questions open, and what comes next."""
    of = f" of {record.split}" if record.split else ""
    there = len(record.people)
    people = there + len(record.missing)
    lines = [f"{counted(record.drawn, 'question')}{of}, files of {there:,} of {people:,} people"]
    lines += [_line(person) for person in record.people]
    counts: dict[str, dict[str, int]] = {
        "left open": {f"{each.name} ({_first(each)})": each.open for each in record.people if each.open},
        "without a file": dict.fromkeys(record.missing, record.drawn),
    }
    for name, why in record.passed_over.items():
        lines.append(f"not read: {name} ({why})")
    then = _next(record, source, folder, out)
    return Summary(tuple(lines), {heading: names for heading, names in counts.items() if names}, then)


def _line(person: CollectedPerson) -> str:
    unsure = f", {person.unsure:,} of them “could not answer”" if person.unsure else ""
    return (
        f"{person.name} ({person.group}): {person.answered:,} answered{unsure}, {person.open:,} open, "
        f"{person.median:,.0f} s a question (median)"
    )


def _first(person: CollectedPerson) -> str:
    more = ", …" if person.open > len(person.first_open) else ""
    return f"{', '.join(person.first_open)}{more}"


def _next(record: Collected, source: PathLike, folder: PathLike, out: PathLike | None) -> tuple[str, ...]:
    if not record.people:
        return ()
    if out is None:
        return (f"anagnosis label collect {quote(str(source))} {quote(str(folder))} --out people.jsonl",)
    step = find(record.kind).COLLECTED.format(
        source=quote(str(source)), out=quote(str(out)), sheets=quote(str(folder))
    )
    measures = " --measure exact-match --measure f1" if any_drawn(Path(folder)).texts else ""
    return (step + measures,)


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


def _report_fewer(path: Path, given: Returned) -> None:
    """Warn where the file to be replaced has people without a new file, or more lines."""
    try:
        earlier = Counter(each.annotator for each in read_predictions(path)) if path.is_file() else Counter()
    except InputError:  # the file of something else, which --replace gives up
        return
    now = {each.of.person.name: len(each.lines) for each in given.files}
    if gone := [name for name in earlier if name is not None and name not in now]:
        print_note(f"{path}: replaced without the answers of {', '.join(gone[:NAMED])}, which it had")
    for name, count in now.items():
        if earlier[name] > count:
            print_note(f"{path}: replaced with {count:,} answers of {name}, where it had {earlier[name]:,}")


def _write(target: Path, given: Returned, drawn: Drawn, *, note: bool) -> None:
    with atomic_write(target) as stream:
        for line in (line for each in given.files for line in each.lines):
            stream.write(_ENCODER.encode(line) + b"\n")
    if note:
        notes.write(target, notes.Note(view=drawn.view or None, asked=tuple(drawn.ids)))
