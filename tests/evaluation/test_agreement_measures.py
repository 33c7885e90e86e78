"""People and systems by further measures on what people were asked, and by group of instances (CliCR, Figure 5)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from tests.labelling.cloze_reports import reports
from tests.typed import said as said

from anagnosis import api
from anagnosis.evaluation.intervals import estimate
from anagnosis.reports import render
from anagnosis.reports.report import Plot, Table

IDS = ["bcr-0.1", "bcr-0.2", "bcr-1.1", "bcr-1.2"]


def lines(path: Path, answers: Mapping[str, str | None], **fields: object) -> Path:
    path.write_text("".join(json.dumps({"id": i, "answer": a, **fields}) + "\n" for i, a in answers.items()))
    return path


@pytest.fixture
def built(tmp_path: Path) -> Path:
    return reports(tmp_path / "built", 6)


@pytest.fixture
def people(tmp_path: Path) -> list[Path]:
    ann = dict(zip(IDS, ("phosphate enema", "an enema", None, "Phosphate clyster"), strict=True))
    bob = {IDS[0]: "fever", IDS[3]: "phosphate enema"}
    return [
        lines(tmp_path / "ann.jsonl", ann, annotator="ann", group="experts"),
        lines(tmp_path / "bob.jsonl", bob, annotator="bob"),
    ]


@pytest.fixture
def system(tmp_path: Path) -> Path:
    """It answers what nobody was asked, too."""
    every = [*IDS, "bcr-2.1", "bcr-2.2"]
    tied = {"phosphate enema": 1.0, "fever": 1.0}
    return lines(tmp_path / "system.jsonl", dict.fromkeys(every, "fever"), scores=tied)


def test_people_and_systems_are_scored_on_what_people_were_asked(
    built: Path, people: list[Path], system: Path
) -> None:
    found = api.agreement(built, people, [system], measures=["f1", "exact-match"])
    values = {
        each.name: (each.measures["f1"].value, each.measures["exact-match"].value) for each in found.scores
    }
    # ann: 1, 2/3 (one of two words in one of one), 0 for null, 1 by a synonym; bob has no line for two of the four;
    # the system's tie is worth a half.
    assert values == {
        "ann": (pytest.approx((1 + 2 / 3 + 0 + 1) / 4), 2 / 4),
        "bob": (1 / 4, 1 / 4),
        "system": (1 / 2, 1 / 2),
    }
    assert [(each.instances, each.measures["f1"].n) for each in found.scores] == [(4, 4)] * 3
    assert [each.protocol for each in found.scores] == ["answer", "answer", "expected"]
    assert all(each.measures["f1"].interval.low < each.measures["f1"].value for each in found.scores)


def test_a_group_is_the_mean_of_its_people_in_the_tables_of_measures_and_of_skills(
    built: Path, people: list[Path], system: Path, tmp_path: Path
) -> None:
    cleo = lines(tmp_path / "cleo.jsonl", {IDS[1]: "enema"}, annotator="cleo", group="experts")
    labels = tmp_path / "skills.csv"
    labels.write_text("id,skills\nbcr-0.1,bridging|ellipsis\nbcr-0.2,bridging\nbcr-1.2,none\n")
    found = api.agreement(built, [*people, cleo], [system], labels=labels, measures=["f1"])
    experts, novices, ann, bob, third, _ = found.scores
    names = ["experts (mean of 2)", "people", "ann", "bob", "cleo", "system"]
    assert [each.name for each in found.scores] == names
    assert (experts.annotator, experts.group) == (None, "experts")
    measured = experts.measures["f1"]
    assert measured.runs == (ann.measures["f1"].value, third.measures["f1"].value)
    assert measured.value == pytest.approx(((1 + 2 / 3 + 0 + 1) / 4 + (2 / 3) / 4) / 2)
    assert novices.measures["f1"].value == bob.measures["f1"].value
    assert {each.unit for each in found.scores} == {"document"}
    values = np.array([[1, 2 / 3, 0, 1], [0, 2 / 3, 0, 0]]).mean(axis=0)
    by_document = estimate(values, np.array([0, 0, 1, 1]))
    assert measured.interval.low == pytest.approx(by_document.interval.low)
    assert measured.interval.high == pytest.approx(by_document.interval.high)
    (skills,) = (each for each in experts.breakdowns if each.factor == "skills")
    by_skill = {each.label: each.measures["f1"].value for each in skills.slices}
    assert by_skill == pytest.approx({"ellipsis": 1 / 2, "bridging": (5 / 6 + 1 / 3) / 2, "none": 1 / 2})
    blocks = api.report(found).whole
    table = next(
        each for each in blocks if isinstance(each, Table) and each.caption.startswith("F1 of people")
    )
    assert [row[0] for row in table.rows] == names
    assert table.zones == (2, 5)
    pictured = next(
        each for each in blocks if isinstance(each, Plot) and each.title.startswith("F1 by skill")
    )
    assert [column.name for column in pictured.data.columns][2:] == names


def test_to_measures_of_texts_alone_any_answer_is_one(built: Path, people: list[Path]) -> None:
    def page(*measures: str) -> str:
        return render(api.report(api.agreement(built, people, measures=measures)), ".txt")

    assert "unmapped" not in page("f1")
    assert "unmapped 2" in page()  # "an enema" and "fever" are no candidates
