"""Write drawn sheets into a folder, without touching what people may have filled in."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import structs

from anagnosis.errors import InputError
from anagnosis.io.files import write_bytes
from anagnosis.labelling.drawn import RECORD, Drawn, any_drawn
from anagnosis.labelling.people import Person, check_people
from anagnosis.labelling.question_page import render
from anagnosis.labelling.study import Study


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
