"""Every kind of sheets, also one added later: the same draw twice, empty sheets, other sheets, plain words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from anagnosis import labelling
from anagnosis.datasets.folder import writing
from anagnosis.datasets.kinds.decision import ContextSection, DecisionInstance
from anagnosis.errors import InputError
from anagnosis.labelling import Draw
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
# Ending of a sheet → how it begins.
BEGINNINGS = {".csv": "\ufeff# ", ".html": "<!DOCTYPE html>\n", ".json": "{\n"}


def test_every_kind_has_a_source_to_be_tested_with() -> None:
    assert SOURCES.keys() == labelling.SHEET_KINDS.keys()


def how(count: int) -> Draw:
    return Draw(count, people=(Person("ann"), Person("bea")))


@pytest.mark.parametrize("name", labelling.SHEET_KINDS)
def test_a_kind_draws_sheets_and_reads_them_empty(name: str, tmp_path: Path) -> None:
    source, kind = SOURCES[name](tmp_path), labelling.find(name)
    sheets = tmp_path / "sheets"
    assert kind.draw(source, sheets, how(3)).drawn == 3
    before = {path.name: path.read_bytes() for path in sheets.iterdir()}
    assert before
    for file, data in before.items():
        assert data.decode().replace('\ufeff"', "\ufeff").startswith(BEGINNINGS[Path(file).suffix])
        assert not re.search(rb"(^|[,\n])[+]", data)
    assert kind.draw(source, sheets, how(3)).drawn == 3  # a draw that was killed goes on
    assert {path.name: path.read_bytes() for path in sheets.iterdir()} == before
    with pytest.raises(InputError, match="there are sheets already"):
        kind.draw(source, sheets, how(2))
    with pytest.raises(InputError, match=r"5 .* are asked for"):
        kind.draw(source, tmp_path / "more", how(5))
    record = kind.read(source, sheets, None, replace=False)
    assert record.drawn == 3
    summary = kind.summary(record, source, sheets, None)
    assert summary.lines[0].startswith("3 ")
    assert sum(map(sum, (counts.values() for counts in summary.counts.values()))) > 0
    assert kind.DRAWN.format(drawn=record.drawn).startswith("3 ")


@pytest.mark.parametrize("name", labelling.SHEET_KINDS)
def test_a_kind_refuses_a_folder_that_holds_its_source(name: str, tmp_path: Path) -> None:
    source = SOURCES[name](tmp_path)
    with pytest.raises(InputError, match=r"an input of this command|holds a dataset"):
        labelling.find(name).draw(source, tmp_path, how(1))
