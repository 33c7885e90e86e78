"""The files that people gave back: whose each is, and what is refused of them.

A folder of a study may hold the files of any of its people, one each, under any name that ends as JSON lines do, or as
programs for mail rename them (.txt, .json). A file that no page of the study saved is refused, with its first wrong
line; a second file of a person is refused with the newer of the two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from anagnosis.errors import InputError
from anagnosis.io.decoding import decoded
from anagnosis.io.paths import naming_faults, open_file
from anagnosis.labelling import saved_file
from anagnosis.labelling.drawn import RECORD
from anagnosis.labelling.opened_study import OpenedStudy
from anagnosis.labelling.people import Person
from anagnosis.labelling.saved_file import LONGEST_LINE, SECONDS, Line, SavedFile, answer_of
from anagnosis.labelling.saved_lines import PersonQuestions, fault_of
from anagnosis.wording import counted, shortened

ENDINGS = (
    ".jsonl",
    ".jsonl.gz",
    ".jsonl.zst",
    ".txt",
    ".json",
)  # programs for mail make .txt and .json of .jsonl
_SAVED = ENDINGS[:3]
REMEDY = "ask for the file as the page saved it"
FOLDER, EMPTY = "a folder", "no answers in it"
OTHER_NAME = f"its name does not end in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}"
NO_LINES = "no line that a page saves"
_ANNOTATOR = "annotator"
_RECORDS = RECORD.removesuffix("json")  # the record of the draw, and those of what came of it later
_MORE = 3  # further refused files that a message names


@dataclass(frozen=True, slots=True)
class ReturnedFile:
    """A file of a person. path: where it lies. of: the person's questions."""

    path: Path
    of: PersonQuestions
    saved: SavedFile

    @property
    def lines(self) -> list[Line]:
        """The valid line of each answered question, in the person's order, with the keys of chosen entities."""
        fields, found = [each.name for each in self.of.study.fields if each.entities], list[Line]()
        for line in sorted(self.saved.last.values(), key=lambda line: line["place"]):
            _, question = self.of.places[line["id"]]
            keys = {entity.answer: entity.key for entity in question.entities if entity.key}
            found.append(line | {name: keys[line[name]] for name in fields if line[name] in keys})
        return found


@dataclass(slots=True)
class Returned:
    """files: of the people in the study's order, one each. passed_over: name → why it was not read, of other files."""

    files: list[ReturnedFile] = field(default_factory=list[ReturnedFile])
    passed_over: dict[str, str] = field(default_factory=dict[str, str])


def returned(study: OpenedStudy) -> Returned:
    """The files of a folder of a study. InputError: a file that no page of the study saved, or two of one person."""
    found, refused, folder = Returned(), list[InputError](), study.folder
    people = {person.name: person for person in study.people}
    written = {person.page for person in study.people}
    of_person: dict[str, list[ReturnedFile]] = {}
    with naming_faults(folder, "let it be read"):
        paths = sorted(path for path in folder.iterdir() if path.name not in written and path.name[0] != ".")
    for path in paths:
        if path.suffix == ".json" and path.name.startswith(_RECORDS):
            continue
        if path.is_dir() or not path.name.endswith(ENDINGS):
            found.passed_over[path.name] = FOLDER if path.is_dir() else OTHER_NAME
            continue
        if not path.name.endswith(_SAVED) and not _may_be_lines(path):
            found.passed_over[path.name] = NO_LINES
            continue
        reader = _Reader(study, people)
        try:
            saved = saved_file.read(path, reader)
        except InputError as fault:
            refused.append(fault)
            continue
        if reader.of is None:
            found.passed_over[path.name] = EMPTY
        else:
            of_person.setdefault(reader.of.person.name, []).append(ReturnedFile(path, reader.of, saved))
    refused += [_two_files(name, files) for name, files in of_person.items() if len(files) > 1]
    if refused:
        raise _together(refused)
    found.files = [of_person[name][0] for name in people if name in of_person]
    return found


def _may_be_lines(path: Path) -> bool:
    """Whether a file of another name begins as a line of a page; a user's notes do not."""
    with naming_faults(path, "let it be read"), open_file(path) as stream:
        line = stream.readline(LONGEST_LINE)
    return line.lstrip(b"\xef\xbb\xbf \t").startswith(b'{"id"')


class _Reader:
    """The check of a file whose person is not known yet. of: the questions of the person whose first line was read."""

    def __init__(self, study: OpenedStudy, people: Mapping[str, Person]) -> None:
        self._study, self._people = study, people
        self._constants = next(iter(study.studies.values())).constants
        self.of: PersonQuestions | None = None

    def __call__(self, data: bytes, where: str) -> Line:
        line = decoded(data, Line, where, REMEDY)
        for name, value in self._constants.items():
            if line.get(name, value) != value:
                what = f"an answer to another {name} ({shortened(str(line[name]), 16)})"
                raise InputError(what, where, "take the file away, or name the folder that it belongs to")
        given = line.get(_ANNOTATOR)
        if given is None:
            raise InputError("the field 'annotator' is missing", where, REMEDY)
        if self.of is None:
            person = self._people.get(given) if isinstance(given, str) else None
            if person is None:
                what = f"{shortened(repr(given))} is none of the people of this study"
                raise InputError(what, where, "take the file away, or name the folder that it belongs to")
            self.of = self._study.questions(person)
        elif given != self.of.person.name:
            what = f"an answer of {shortened(repr(given))} in the file of {self.of.person.name!r}"
            raise InputError(what, where, "ask each of them for their own file")
        if fault := fault_of(line, self.of):
            raise InputError(fault, where, REMEDY)
        return line


def _two_files(name: str, files: Sequence[ReturnedFile]) -> InputError:
    """The refusal of a person's second file, which says of the last two which is newer."""
    first, second = files[-2:]
    newer, why = _newer(first, second)
    older = first if newer is second else second
    also = "" if len(files) == 2 else f", and {counted(len(files) - 2, 'file')} more"
    what = f"{name!r} has two files: {first.path.name} and {second.path.name}{also}; {newer.path.name} {why}"
    return InputError(what, str(first.path.parent), f"take {older.path.name} away")


def _newer(first: ReturnedFile, second: ReturnedFile) -> tuple[ReturnedFile, str]:
    """(the newer of two files, and by what it is known). Seconds and answers of a page only grow."""
    for newer, older in ((second, first), (first, second)):
        if _extends(newer.saved, older.saved) and not _extends(older.saved, newer.saved):
            answers = counted(len(newer.saved.last) - len(older.saved.last), "more answer")
            seconds = newer.saved.seconds - older.saved.seconds
            return (
                newer,
                f"is newer: it goes on from the other with {answers} and {seconds:,.1f} more seconds",
            )
    if first.saved.last == second.saved.last:
        return second, "holds the same answers"
    times = [each.path.stat().st_mtime_ns for each in (first, second)]
    newer = first if times[0] > times[1] else second
    return newer, "is newer by the time of the file; neither goes on from the other"


def _extends(newer: SavedFile, older: SavedFile) -> bool:
    """Whether a page that had saved `older` may have saved `newer`."""
    return all(
        (after := newer.last.get(ident)) is not None
        and (
            after[SECONDS] > before[SECONDS]
            or (after[SECONDS] == before[SECONDS] and answer_of(after) == answer_of(before))
        )
        for ident, before in older.last.items()
    )


def _together(refused: Sequence[InputError]) -> InputError:
    """The first refusal, which names the other refused files too."""
    first, *others = refused
    if not others:
        return first
    places = ", ".join(Path(each.where).name for each in others[:_MORE])
    more = f", and {len(others) - _MORE:,} more" if len(others) > _MORE else ""
    return InputError(first.what, first.where, f"{first.remedy}; refused, too: {places}{more}")
