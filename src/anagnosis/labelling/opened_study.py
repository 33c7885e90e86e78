"""A study that was drawn: its record, and what each person is asked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anagnosis.errors import InputError
from anagnosis.labelling import page_kind
from anagnosis.labelling.drawn import Drawn, any_drawn
from anagnosis.labelling.people import Person
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
    """The study of a folder. source: what it was drawn from.

    InputError: there is none, it has no people, or it was drawn from another source.
    """
    drawn = any_drawn(folder)
    studies = page_kind(drawn.kind).studies(source, drawn, folder)
    if not studies:
        raise InputError("the study has no people", str(folder), "draw it with --people NAME,NAME")
    return OpenedStudy(folder, drawn, studies)
