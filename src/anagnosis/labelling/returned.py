"""The files that people gave back: whose each is, and what is refused of them.

A folder of a study may hold the files of any of its people, one each, under any name that ends as JSON lines do, or as
programs for mail rename them (.txt, .json). A file that no page of the study saved is refused, with its first wrong
line, and so is a second file of a person.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from anagnosis.errors import InputError
from anagnosis.io.decoding import decoded
from anagnosis.io.files import open_input
from anagnosis.io.paths import naming_faults, open_file
from anagnosis.labelling.drawn import RECORD
from anagnosis.labelling.opened_study import OpenedStudy
from anagnosis.labelling.saved_lines import PersonQuestions, fault_of
from anagnosis.wording import counted, shortened

Line = dict[str, Any]
LONGEST_LINE = 1 << 16  # bytes: ten times what a page saves
# Programs for mail make .txt and .json of .jsonl.
ENDINGS = (".jsonl", ".jsonl.gz", ".jsonl.zst", ".txt", ".json")
_SAVED = ENDINGS[:3]
REMEDY = "ask for the file as the page saved it"
_OF_ANOTHER = "take the file away, or name the folder that it belongs to"
FOLDER, EMPTY = "a folder", "no answers in it"
OTHER_NAME = f"its name does not end in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}"
NO_LINES = "no line that a page saves"
_RECORDS = RECORD.removesuffix("json")  # the record of the draw, and those of what came of it later


@dataclass(frozen=True, slots=True)
class ReturnedFile:
    """A file of a person. path: where it lies. of: the person's questions. last: id → its last line, which is valid."""

    path: Path
    of: PersonQuestions
    last: dict[str, Line]

    @property
    def lines(self) -> list[Line]:
        """The valid line of each answered question, in the person's order, with the keys of chosen entities."""
        fields, found = [each.name for each in self.of.study.fields if each.entities], list[Line]()
        for line in sorted(self.last.values(), key=lambda line: line["place"]):
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
    written = {person.page for person in study.studies}
    of_person: dict[str, list[ReturnedFile]] = {}
    with naming_faults(folder, "let it be read"):
        paths = sorted(path for path in folder.iterdir() if path.name not in written and path.name[0] != ".")
    for path in paths:
        if path.suffix == ".json" and path.name.startswith(_RECORDS):
            continue
        try:
            file = _passed_over(path) or _read(path, study)
        except InputError as fault:
            refused.append(fault)
            continue
        if isinstance(file, str):
            found.passed_over[path.name] = file
        else:
            of_person.setdefault(file.of.person.name, []).append(file)
    refused += [_two_files(name, files) for name, files in of_person.items() if len(files) > 1]
    if refused:
        raise refused[0]
    found.files = [of_person[one.name][0] for one in study.studies if one.name in of_person]
    return found


def _passed_over(path: Path) -> str:
    """Why a file is no person's by its name or, where a program renamed it, by its begin; "" where it may be."""
    if path.is_dir() or not path.name.endswith(ENDINGS):
        return FOLDER if path.is_dir() else OTHER_NAME
    if path.name.endswith(_SAVED):
        return ""
    with naming_faults(path, "let it be read"), open_file(path) as stream:
        line = stream.readline(LONGEST_LINE)
    return "" if line.lstrip(b"\xef\xbb\xbf \t").startswith(b'{"id"') else NO_LINES


def _read(path: Path, study: OpenedStudy) -> ReturnedFile | str:
    """A file in any compression, in memory bounded by the ids, or why it is passed over. InputError: a wrong line."""
    of: PersonQuestions | None = None
    last, number = dict[str, Line](), 0
    with open_input(path) as stream:
        while data := stream.readline(LONGEST_LINE + 1):
            number += 1
            where = f"{path.name}:{number}"
            if len(data) > LONGEST_LINE:
                raise InputError(f"a line of more than {LONGEST_LINE >> 10} KiB", where, "take the file away")
            if data.isspace():
                continue
            line = decoded(data, Line, where, REMEDY)
            of = of or _whose(line, study, where)
            if fault := fault_of(line, of):
                raise InputError(fault, where, REMEDY)
            last[line["id"]] = line
    return EMPTY if of is None else ReturnedFile(path, of, last)


def _whose(line: Line, study: OpenedStudy, where: str) -> PersonQuestions:
    """The questions of the person of a file's first line."""
    for name, value in next(iter(study.studies.values())).constants.items():
        if line.get(name, value) != value:
            what = f"an answer to another {name} ({shortened(str(line[name]), 16)})"
            raise InputError(what, where, _OF_ANOTHER)
    if "annotator" not in line:
        raise InputError("the field 'annotator' is missing", where, REMEDY)
    given = line["annotator"]
    person = next((one for one in study.studies if one.name == given), None)
    if person is None:
        what = f"{shortened(repr(given))} is none of the people of this study"
        raise InputError(what, where, _OF_ANOTHER)
    return study.questions(person)


def _two_files(name: str, files: Sequence[ReturnedFile]) -> InputError:
    """The refusal of a person's second file."""
    listed = " and ".join(f"{each.path.name} ({counted(len(each.last), 'answer')})" for each in files)
    where, remedy = str(files[0].path.parent), "ask which one counts, and take the other away"
    return InputError(f"{name!r} has two files: {listed}", where, remedy)
