"""Files as the pages of a study save them, and what a person may have made of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from anagnosis import api
from anagnosis.labelling.drawn import any_drawn, order
from anagnosis.labelling.opened_study import OpenedStudy
from tests.labelling.cloze_reports import reports

Line = dict[str, Any]
LEFT_OUT = "left out"


def study(at: Path, people: Sequence[str] = ("experts=ann", "bea"), count: int = 4, **how: Any) -> Path:
    """The folder of a study on `built`, both in a folder."""
    if not (at / "built").exists():
        reports(at / "built", 4)
    api.label(at / "built", at / "pages", kind="answers", draw=count, people=people, **how)
    return at / "pages"


def asked(pages: Path, person: str) -> list[str]:
    """The ids in the person's order."""
    drawn = any_drawn(pages)
    return [drawn.ids[place] for place in order(drawn.ids, person, drawn.seed)]


def line(pages: Path, person: str, place: int, answer: str | None = "fever", seconds: float = 9.5) -> Line:
    """A line as the person's page saves it for the question at a place, from 1."""
    drawn = any_drawn(pages)
    (group,) = (each.group for each in drawn.people if each.name == person)
    return {
        "id": asked(pages, person)[place - 1],
        "answer": answer,
        "dataset": drawn.dataset,
        "annotator": person,
        "group": group,
        "knowledge": "none" if answer is None else "context",
        "seconds": seconds,
        "place": place,
    }


def page_line(opened: OpenedStudy, name: str, place: int, seconds: float = 9.5, **values: Any) -> Line:
    """A line of a study of any kind. values: what is asked → what the person gave; a blank in a name is _."""
    (person,) = (each for each in opened.studies if each.name == name)
    of = opened.questions(person)
    found = {
        "id": [*of.places][place - 1],
        **of.study.constants,
        "annotator": name,
        "group": person.group,
        "seconds": seconds,
        "place": place,
        **{field.replace("_", " "): value for field, value in values.items()},
    }
    return {field: found[field] for field in of.study.line_fields}


def edited(given: Line, changes: Line) -> Line:
    """A line after changes by hand; LEFT_OUT takes a field away."""
    return {name: value for name, value in (given | changes).items() if value != LEFT_OUT}


def save(pages: Path, person: str, lines: Sequence[Line], name: str = "") -> Path:
    path = pages / (name or f"answers-{person}.jsonl")
    path.write_text("".join(f"{json.dumps(each)}\n" for each in lines))
    return path


def read(path: Path) -> list[Line]:
    """The lines of a file; none where there is no file."""
    return [json.loads(each) for each in path.read_text().splitlines()] if path.exists() else []
