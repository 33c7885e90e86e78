"""Answers of people to a dataset's questions, on pages in their browsers (BIOMRC, section 3.3; CliCR, section 7.1).

    SHEETS/NAME.html            the page of each person
    SHEETS/drawn.json           what was drawn
    SHEETS/answers-NAME.jsonl   what each person saved: predictions

PAGES says for each kind of instances how they are drawn and what the pages ask.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.table import lacking
from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike
from anagnosis.labelling import DRAWN_PAGES, Draw, cloze_answers, collecting, decision_answers
from anagnosis.labelling.collecting import Collected, collect, nothing_yet
from anagnosis.labelling.drawn import Drawn, loaded, opened, read_drawn
from anagnosis.labelling.opened_study import write_study
from anagnosis.labelling.people import Person, check_people
from anagnosis.labelling.study import ANSWERS, Study

# kind of instances → the module that draws them (`draw`) and says what their pages ask (`study`)
PAGES = {"cloze": cloze_answers, "decision": decision_answers}
DRAWN = DRAWN_PAGES
summary = collecting.summary
COLLECTED = "anagnosis agreement {source} {out}"
"""What reads the collected lines."""


def draw(source: PathLike | store.Dataset, sheets: Path, how: Draw) -> Collected:
    """Write a page for each person with the drawn questions."""
    if not how.people:
        raise InputError("who answers?", "--people", "name the people: --people NAME,NAME")
    check_people(how.people)
    dataset = opened(source, sheets)
    record: Drawn = _pages(dataset).draw(dataset, how)
    write_study(sheets, record, studies(dataset, record, sheets), may_grow=True)
    return nothing_yet(record)


def studies(source: PathLike | store.Dataset, drawn: Drawn, sheets: Path) -> dict[Person, Study]:
    """The study of a draw, the same for everybody."""
    del sheets
    dataset = loaded(source)
    study: Study = _pages(dataset).study(dataset, drawn)
    return dict.fromkeys(drawn.people, study)


def read(
    source: PathLike | store.Dataset, sheets: Path, out: PathLike | None, *, replace: bool = False
) -> Collected:
    """How far each person has come."""
    del replace
    if out is not None:
        raise InputError("answers of people make no dataset", "--out", "leave it out, or take --json")
    dataset = opened(source, sheets)
    read_drawn(ANSWERS, sheets, dataset)
    return collect(dataset, sheets)


def _pages(dataset: store.Dataset) -> Any:
    """How people answer a dataset's questions. InputError: they can't."""
    if dataset.kind.name not in PAGES:
        raise lacking(dataset.kind, "pages on which people answer", str(dataset.folder))
    return PAGES[dataset.kind.name]
