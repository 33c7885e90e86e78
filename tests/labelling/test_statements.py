"""Judging statements: what a person sees, shares with intervals, corrected statements in a dataset, faults."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import pytest

from anagnosis import api
from anagnosis.cli import run
from anagnosis.datasets.bioasq.statements import BY_A_PERSON, Origin, origin
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.question import QuestionInstance
from anagnosis.errors import InputError
from anagnosis.evaluation.intervals import wilson
from anagnosis.labelling.statements import STATEMENTS
from tests.golden_files import ident, python2, question, written
from tests.labelling.cloze_reports import dataset as reports
from tests.labelling.cloze_reports import instance

BODIES = (
    "=Which receptor does GDF15 bind?",
    "Which receptor does GDF15 bind?",
    "List signs of scurvy.",
    "Where is renin made?",
)


@pytest.fixture
def gap(tmp_path: Path) -> Path:
    asked = [question(n, body=body, exact_answer=[["=1+1", "two"]]) for n, body in enumerate(BODIES)]
    written(tmp_path / "in/7B1_golden.json", python2(asked[:2]))
    written(tmp_path / "in/8B1_golden.json", python2(asked[2:]))
    settings = {"test": "8B", "no_rule": "gap-at-end"}
    api.build("bioasq-cloze", [tmp_path / "in"], tmp_path / "gap", settings=settings)
    return tmp_path / "gap"


def rows(path: Path) -> dict[str, dict[str, str]]:
    lines = path.read_text("utf-8-sig").splitlines(keepends=True)
    read = csv.DictReader(line for line in lines if not line.lstrip('"').startswith("#"))
    return {row["id"]: row for row in read}


def judged(sheets: Path, *judgements: Sequence[str]) -> Path:
    """Fill in the sheet's first rows, by id, as a spreadsheet of a country with semicolons saves it."""
    given = [row for _, row in sorted(rows(sheets / "statements.csv").items())]
    with (sheets / "statements.csv").open("w", newline="", encoding="utf-8-sig") as stream:
        writer = csv.DictWriter(stream, list[str](STATEMENTS.HEADER), delimiter=";")
        writer.writeheader()
        for place, row in enumerate(given):
            marks = judgements[place] if place < len(judgements) else ("", "", "")
            writer.writerow({**row, **dict(zip(STATEMENTS.HEADER[-3:], marks, strict=True))})
    return sheets


@pytest.fixture
def sheets(gap: Path, tmp_path: Path) -> Path:
    assert api.label(gap, tmp_path / "sheets", kind="statements", draw=4, seed=1).drawn == 4
    return tmp_path / "sheets"


def test_a_person_sees_question_rule_answer_and_statement_and_no_formula(sheets: Path) -> None:
    shown = rows(sheets / "statements.csv")
    assert shown[ident(1)] == dict(
        zip(
            STATEMENTS.HEADER,
            (ident(1), BODIES[1], "which", "'=1+1", "GDF15 binds XXXX.", "", "", ""),
            strict=True,
        )
    )
    assert shown[ident(0)]["question"] == f"'{BODIES[0]}"


def test_a_split_can_be_drawn_from_and_a_smaller_draw_is_part_of_a_larger_one(
    gap: Path, tmp_path: Path
) -> None:
    api.label(gap, tmp_path / "test", kind="statements", draw=2, split="test")
    assert set(rows(tmp_path / "test/statements.csv")) == {ident(2), ident(3)}
    api.label(gap, tmp_path / "three", kind="statements", draw=3, seed=5)
    api.label(gap, tmp_path / "two", kind="statements", draw=2, seed=5)
    assert list(rows(tmp_path / "two/statements.csv")) == list(rows(tmp_path / "three/statements.csv"))[:2]


def test_shares_have_wilsons_intervals_and_rules_are_counted(gap: Path, sheets: Path) -> None:
    judged(sheets, ("yes", "no", ""), (" Yes", "YES ", ""), ("no", "yes", ""), ("yes", "", ""))
    found = api.label(gap, sheets, kind="statements")
    (record,) = found.judges
    assert (found.drawn, found.kappas, record.name, record.judged, record.corrected) == (
        4,
        {},
        "statements.csv",
        3,
        0,
    )
    assert {name: share.value for name, share in record.shares.items()} == {
        "well formed": pytest.approx(2 / 3),
        "same meaning": pytest.approx(2 / 3),
    }
    assert record.shares["well formed"].interval == wilson(2 / 3, 3)
    assert {rule: tuple(counts.values()) for rule, counts in record.by_rule.items()} == {
        "inside": (1, 1, 0),
        "list": (1, 0, 1),
        "which": (1, 1, 1),
    }


def test_corrected_statements_come_back_and_wrong_ones_go(gap: Path, sheets: Path, tmp_path: Path) -> None:
    judged(sheets, ("no", "no", "'-XXXX  binds\nit."), ("yes", "yes", ""), ("no", "yes", ""))
    made = api.label(gap, sheets, kind="statements", out=tmp_path / "out").dataset
    assert made is not None
    found = {
        each.id: each for split in made.sizes for each in store.instances(made, split, of=QuestionInstance)
    }
    assert {key: each.question for key, each in found.items()} == {
        ident(0): "-XXXX binds it.",
        ident(1): "GDF15 binds XXXX.",
        ident(3): "Renin is made in XXXX.",
    }
    assert origin(found[ident(0)]) == Origin(BODIES[0], BY_A_PERSON)
    assert made.sizes == {"train": 2, "test": 1}
    assert made.receipt.instances.dropped == {"judged_wrong": 1}
    assert made.receipt.repairs == {"corrected": 1}
    assert api.check(made).sound
    api.export(made, tmp_path / "files", layout="bioasq")
    assert "-XXXX binds it." in (tmp_path / "files/7B1_golden.json").read_text()


@pytest.mark.parametrize(
    ("marks", "what"),
    [
        (("perhaps", "yes", ""), r"statements.csv:\d+: 'perhaps' is no answer; write yes, no"),
        (("no", "yes", "GDF15 binds it."), "has no single XXXX"),
        (("no", "yes", "XXXX binds XXXX."), "has no single XXXX"),
        (("no", "yes", "XXXXX binds it."), "has no single XXXX"),
        (("no", "yes", "XXXX " + "a" * 2000), "too long a statement"),
    ],
)
def test_a_fault_of_the_sheet_is_named_with_its_line(
    gap: Path, sheets: Path, marks: tuple[str, str, str], what: str
) -> None:
    judged(sheets, marks)
    with pytest.raises(InputError, match=what):
        api.label(gap, sheets, kind="statements")


def test_an_empty_sheet_makes_no_dataset(
    gap: Path, sheets: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [
        "label",
        "read",
        str(gap),
        "--kind",
        "statements",
        "--sheets",
        str(sheets),
        "--out",
        str(tmp_path / "out"),
    ]
    assert run(words) == 2
    line = "sheets: no statement is judged or corrected; judge some first"
    assert line in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    judged(sheets, ("no", "", ""))
    assert run(words) == 0


def test_a_dataset_without_statements_and_a_view_are_refused(gap: Path, tmp_path: Path) -> None:
    api.import_dataset(tmp_path / "in", tmp_path / "plain", layout="bioasq")
    with pytest.raises(InputError, match="holds no statements with a gap"):
        api.label(tmp_path / "plain", tmp_path / "s", kind="statements", draw=1)
    with pytest.raises(InputError, match="question"):
        api.label(reports(tmp_path / "reports", [instance("1.1")]), tmp_path / "s", kind="statements", draw=1)
    with pytest.raises(InputError, match="no view"):
        api.label(gap, tmp_path / "s", kind="statements", draw=1, view="question-type")
