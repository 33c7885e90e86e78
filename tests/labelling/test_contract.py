"""Every kind of sheets, also one added later: the same draw twice, empty sheets, other sheets, plain words."""

from __future__ import annotations

from pathlib import Path

import pytest

from anagnosis import labelling
from anagnosis.datasets.folder import writing
from anagnosis.datasets.kinds.decision import ContextSection, DecisionInstance
from anagnosis.errors import InputError
from anagnosis.labelling.drawn import Draw
from anagnosis.labelling.opened_study import draw_study, open_study
from anagnosis.labelling.people import Person
from tests.labelling.cloze_reports import dataset, instance


def questions(folder: Path) -> Path:
    made = [
        DecisionInstance(str(n), f"+Does {n}?", (ContextSection("", "It did."),), "Yes.", None, subset="U")
        for n in range(4)
    ]
    writing.write(folder / "questions", {"train": made}, {"dataset": "pubmedqa", "kind": "decision"})
    return folder / "questions"


def reports(folder: Path) -> Path:
    return dataset(folder / "reports", [instance(f"+{n}.1") for n in range(4)])


SOURCES = {
    "answers": reports,
    "decisions": questions,
    "skills": reports,
}


def test_every_kind_has_a_source_to_be_tested_with() -> None:
    assert SOURCES.keys() == labelling.SHEET_KINDS.keys()


def how(count: int) -> Draw:
    return Draw(count, people=(Person("ann"), Person("bea")))


@pytest.mark.parametrize("name", labelling.SHEET_KINDS)
def test_a_kind_draws_pages_and_reads_that_nobody_saved_anything(name: str, tmp_path: Path) -> None:
    source, sheets = SOURCES[name](tmp_path), tmp_path / "sheets"
    assert len(draw_study(name, source, sheets, how(3)).ids) == 3
    before = {path.name: path.read_bytes() for path in sheets.iterdir()}
    assert sorted(before) == ["ann.html", "bea.html", "drawn.json"]
    draw_study(name, source, sheets, how(3))  # a draw that was killed goes on
    assert {path.name: path.read_bytes() for path in sheets.iterdir()} == before
    with pytest.raises(InputError, match="there are sheets already"):
        draw_study(name, source, sheets, how(2))
    with pytest.raises(InputError, match=r"5 .* are asked for"):
        draw_study(name, source, tmp_path / "more", how(5))
    with pytest.raises(InputError, match=r"who answers\?; name the people"):
        draw_study(name, source, tmp_path / "more", Draw(1))
    assert not (tmp_path / "more").exists()
    kind = labelling.find(name)
    record = kind.read(open_study(source, sheets), None, replace=False)
    assert record.drawn == 3
    assert kind.summary(record)[0].startswith("3 ")


@pytest.mark.parametrize("name", labelling.SHEET_KINDS)
def test_a_kind_refuses_a_folder_that_holds_its_source(name: str, tmp_path: Path) -> None:
    source = SOURCES[name](tmp_path)
    with pytest.raises(InputError, match=r"an input of this command|holds a dataset"):
        draw_study(name, source, tmp_path, how(1))
