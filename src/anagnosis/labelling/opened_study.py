"""A study in its folder: drawn and written without touching what people may have filled in, and opened again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from msgspec import structs

from anagnosis.datasets.folder import store
from anagnosis.errors import InputError
from anagnosis.io import outputs
from anagnosis.io.files import write_bytes
from anagnosis.io.paths import PathLike
from anagnosis.labelling import find
from anagnosis.labelling.drawn import RECORD, Draw, Drawn, any_drawn, loaded
from anagnosis.labelling.people import Person, check_people
from anagnosis.labelling.question_page import render
from anagnosis.labelling.saved_lines import PersonQuestions, questions_of
from anagnosis.labelling.study import Study


@dataclass(frozen=True, slots=True)
class OpenedStudy:
    """dataset: of which it was drawn. folder: of the study. studies: of each person, in their order; never empty."""

    dataset: store.Dataset
    folder: Path
    drawn: Drawn
    studies: Mapping[Person, Study]

    def questions(self, person: Person) -> PersonQuestions:
        """The questions of a person, in the person's order."""
        return questions_of(self.studies[person], person, self.drawn.seed)


def open_study(source: PathLike | store.Dataset, folder: Path) -> OpenedStudy:
    """The study of a folder. source: the dataset that it was drawn from.

    InputError: there is none, it has no people, or it was drawn from another source.
    """
    dataset, drawn = loaded(source), any_drawn(folder)
    studies = find(drawn.kind).studies(dataset, drawn, folder)
    if not studies:
        raise InputError("the study has no people", str(folder), "draw it with --people NAME,NAME")
    return OpenedStudy(dataset, folder, drawn, studies)


def draw_study(kind: str, source: PathLike | store.Dataset, sheets: Path, how: Draw) -> Drawn:
    """Draw questions, and write a page for each person. InputError: another draw is there.

    Where the same draw is there for other people, those who are new are added, if the kind grows.
    """
    of_kind, dataset = find(kind), loaded(source)
    outputs.output_folder(sheets, inputs=(dataset.folder,))
    if not how.people:
        raise InputError("who answers?", "--people", "name the people: --people NAME,NAME")
    check_people(how.people)
    drawn = of_kind.draw(dataset, how)
    studies: Mapping[Person, Study] = of_kind.studies(dataset, drawn, sheets)
    pages = {person.page: render(studies[person], person, drawn.seed) for person in how.people}
    record = sheets / RECORD
    earlier = any_drawn(sheets) if of_kind.GROWS and record.exists() else None
    if earlier is None or structs.replace(earlier, people=drawn.people) != drawn:
        write_new(sheets, {RECORD: drawn.encoded(), **pages})
        return drawn
    people = tuple(dict.fromkeys([*earlier.people, *drawn.people]))
    check_people(people)
    write_new(sheets, pages)
    write_bytes(record, structs.replace(drawn, people=people).encoded())
    return drawn


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
