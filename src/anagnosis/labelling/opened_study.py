"""A study in its folder: written without touching what people may have filled in, and opened again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec import structs

from anagnosis.errors import InputError
from anagnosis.io.files import write_bytes
from anagnosis.labelling import find
from anagnosis.labelling.drawn import RECORD, Drawn, any_drawn
from anagnosis.labelling.people import Person, check_people
from anagnosis.labelling.question_page import render
from anagnosis.labelling.saved_lines import PersonQuestions, questions_of
from anagnosis.labelling.study import Study


@dataclass(frozen=True, slots=True)
class OpenedStudy:
    """folder: of the study. studies: of each person, in their order; never empty."""

    folder: Path
    drawn: Drawn
    studies: dict[Person, Study]

    @property
    def kind(self) -> str:
        """Of the sheets."""
        return self.drawn.kind

    @property
    def people(self) -> tuple[Person, ...]:
        """In their order."""
        return (*self.studies,)

    def questions(self, person: Person) -> PersonQuestions:
        """The questions of a person, in the person's order."""
        return questions_of(self.studies[person], person, self.drawn.seed)


def open_study(source: Any, folder: Path) -> OpenedStudy:
    """The study of a folder. source: the dataset that it was drawn from.

    InputError: there is none, it has no people, or it was drawn from another source.
    """
    drawn = any_drawn(folder)
    studies = find(drawn.kind).studies(source, drawn, folder)
    if not studies:
        raise InputError("the study has no people", str(folder), "draw it with --people NAME,NAME")
    return OpenedStudy(folder, drawn, studies)


def write_new(sheets: Path, files: Mapping[str, bytes]) -> None:
    """Write files by name. InputError: one is there with other bytes.

    A file that is there as it would be written comes from the same draw, which may have been killed: it stays.
    """
    for name, data in files.items():
        path = sheets / name
        if path.exists() and path.read_bytes() != data:
            raise InputError("there are sheets already", str(path), "choose another folder for new ones")
    for name, data in files.items():
        write_bytes(sheets / name, data)


def write_study(
    sheets: Path, drawn: Drawn, studies: Mapping[Person, Study], *, may_grow: bool = False
) -> None:
    """Write the record of a draw and the page of each person. InputError: another draw is there.

    may_grow: where the same draw is there for other people, add those who are new.
    """
    pages = {person.page: render(study, person, drawn.seed) for person, study in studies.items()}
    record = sheets / RECORD
    earlier = any_drawn(sheets) if may_grow and record.exists() else None
    if earlier is None or structs.replace(earlier, people=drawn.people) != drawn:
        write_new(sheets, {RECORD: drawn.encoded(), **pages})
        return
    people = tuple(dict.fromkeys([*earlier.people, *drawn.people]))
    check_people(people)
    write_new(sheets, pages)
    write_bytes(record, structs.replace(drawn, people=people).encoded())
