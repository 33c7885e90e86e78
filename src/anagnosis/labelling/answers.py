"""Answers of people to a dataset's questions, on pages in their browsers (BIOMRC, section 3.3; CliCR, section 7.1).

    SHEETS/NAME.html            the page of each person
    SHEETS/drawn.json           what was drawn
    SHEETS/answers-NAME.jsonl   what each person saved: predictions

PAGES says for each kind of instances how they are drawn and what the pages ask.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.table import lacking
from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike
from anagnosis.labelling import cloze_answers, collecting, decision_answers
from anagnosis.labelling.collecting import Collected
from anagnosis.labelling.drawn import Draw, Drawn
from anagnosis.labelling.opened_study import OpenedStudy
from anagnosis.labelling.people import Person
from anagnosis.labelling.study import Study

# kind of instances → the module that draws them (`draw`) and says what their pages ask (`study`)
PAGES = {"cloze": cloze_answers, "decision": decision_answers}
GROWS = True
summary = collecting.summary


def draw(dataset: store.Dataset, how: Draw) -> Drawn:
    """Draw a study."""
    return _pages(dataset).draw(dataset, how)


def studies(dataset: store.Dataset, drawn: Drawn, sheets: Path) -> Mapping[Person, Study]:
    """The same study for everybody."""
    del sheets
    study: Study = _pages(dataset).study(dataset, drawn)
    return dict.fromkeys(drawn.people, study)


def read(study: OpenedStudy, out: PathLike | None, *, replace: bool) -> Collected:
    """How far each person has come."""
    del replace
    if out is not None:
        raise InputError("answers of people make no dataset", "--out", "leave it out, or take --json")
    return collecting.collected(study)


def _pages(dataset: store.Dataset) -> Any:
    """How people answer a dataset's questions. InputError: they can't."""
    if dataset.kind.name not in PAGES:
        raise lacking(dataset.kind, "pages on which people answer", str(dataset.folder))
    return PAGES[dataset.kind.name]
