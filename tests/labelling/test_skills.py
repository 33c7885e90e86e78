"""Skills of questions: the sheets, shares with intervals, the mean, and faults in one line."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from anagnosis import api, labelling
from anagnosis.cli import run
from anagnosis.errors import InputError
from anagnosis.evaluation.intervals import wilson
from anagnosis.labelling.skills import SKILLS
from tests.labelling.cloze_reports import dataset, instance, reports
from tests.labelling.studies import ids


@pytest.fixture
def built(tmp_path: Path) -> Path:
    return reports(tmp_path / "built", 6)


def saved(sheets: Path, skills: Mapping[str, list[str]], name: str = "ann") -> None:
    lines = [json.dumps({"id": ident, "skills": given}) + "\n" for ident, given in skills.items()]
    (sheets / f"skills-{name}.jsonl").write_text("".join(lines))


def test_the_page_shows_the_answers_and_the_sheet_is_an_empty_file_of_labels(
    built: Path, tmp_path: Path
) -> None:
    api.label(built, tmp_path / "s", kind="skills", draw=3, people=["ann"])
    page = (tmp_path / "s/ann.html").read_text()
    assert page.count("<bdi>phosphate enema</bdi></p>") == 3
    assert page.count("<bdi>phosphate clyster; sodium phosphate enema</bdi>") == 3
    lines = (tmp_path / "s/skills.csv").read_text("utf-8-sig").splitlines()
    assert all(any(f"# {name}: {meaning}" in line for line in lines) for name, meaning in SKILLS.items())
    rows = [*csv.reader(line for line in lines if not line.lstrip('"').startswith("#"))]
    assert rows == [["id", "skills"], *([ident, ""] for ident in ids(tmp_path / "s"))]


def test_shares_and_the_mean_have_intervals(built: Path, tmp_path: Path) -> None:
    sheets = tmp_path / "s"
    api.label(built, sheets, kind="skills", draw=5)
    one, two, three, four, _ = ids(sheets)
    saved(
        sheets,
        {one: ["bridging", "ellipsis"], two: ["none"], three: ["Bridging"], four: ["bridging", "analogy"]},
    )
    record = api.label(built, sheets, kind="skills")
    (file,) = record.files
    assert (record.drawn, record.split, file.file, file.labelled) == (5, "dev", "skills-ann.jsonl", 4)
    shares = {name: share.value for name, share in file.shares.items() if share.value}
    assert shares == {"analogy": 1 / 4, "ellipsis": 1 / 4, "bridging": 3 / 4, "none": 1 / 4}
    assert list(file.shares) == list(SKILLS)
    for share in file.shares.values():
        assert share.interval == wilson(share.value, 4), "by question, though two are of one report"
    assert file.mean is not None
    assert file.mean.value == pytest.approx(5 / 4)
    assert 0 < file.mean.interval.low < 5 / 4 < file.mean.interval.high < 13
    summary = labelling.find("skills").summary(record, built, sheets, None)
    assert summary.lines[1] == "skills-ann.jsonl: 4 labelled, 1.25 skills a question"
    assert len(summary.lines) == 3 + len(SKILLS)
    assert summary.lines[-1] == "In brackets: 95 % intervals by question."
    assert summary.counts == {"not labelled": {"skills-ann.jsonl": 1}}


def test_a_filled_in_sheet_is_read_beside_the_page_s_files_and_stays(tmp_path: Path) -> None:
    built = dataset(tmp_path / "built", [instance("=r.1"), instance("r.2")])
    sheets = tmp_path / "s"
    api.label(built, sheets, kind="skills", draw=2)
    text = (sheets / "skills.csv").read_text("utf-8-sig")
    filled = text.replace("'=r.1,", "'=r.1,bridging|object tracking")
    assert filled != text
    (sheets / "skills.csv").write_text(filled)
    saved(sheets, {"=r.1": ["none"], "r.2": ["none"]})
    record = api.label(built, sheets, kind="skills")
    assert [(file.file, file.labelled) for file in record.files] == [
        ("skills-ann.jsonl", 2),
        ("skills.csv", 1),
    ]
    assert record.files[1].shares["object tracking"].value == 1
    api.label(built, sheets, kind="skills", draw=2)  # again: what people wrote stays
    assert (sheets / "skills.csv").read_text() == filled


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (
            '{"id": "{first}", "skills": ["briding"]}\n',
            "skills-ann.jsonl:1: 'briding' is no skill; write object",
        ),
        ('{"id": "{first}", "skills": ["none", "bridging"]}\n', "'none' stands beside another skill"),
        ('{"id": "x.1", "skills": ["none"]}\n{"id": "{first}", "skills": "none"}\n', "'x.1' is no question"),
        ('{"id": "{first}", "skill": "none"}\n', "skills-ann.jsonl: no column skills"),
        ("", "skills-ann.jsonl: the file is empty"),
    ],
    ids=["an unknown skill", "none beside another", "another question", "another column", "empty"],
)
def test_a_fault_of_a_file_is_one_line(text: str, what: str, built: Path, tmp_path: Path) -> None:
    sheets = tmp_path / "s"
    api.label(built, sheets, kind="skills", draw=2)
    (sheets / "skills-ann.jsonl").write_text(text.replace("{first}", ids(sheets)[0]))
    with pytest.raises(InputError) as refused:
        api.label(built, sheets, kind="skills")
    assert what in str(refused.value)
    assert "\n" not in str(refused.value)


def test_two_people_agree_by_skill_on_what_both_labelled(built: Path, tmp_path: Path) -> None:
    sheets = tmp_path / "s"
    api.label(built, sheets, kind="skills", draw=5)
    one, two, three, four, five = ids(sheets)
    saved(
        sheets, {one: ["bridging"], two: ["bridging"], three: ["ellipsis"], four: ["none"], five: ["analogy"]}
    )
    assert api.label(built, sheets, kind="skills").kappas == {}
    saved(sheets, {one: ["bridging"], two: ["ellipsis"], three: ["ellipsis"], four: ["none"]}, "bob")
    record = api.label(built, sheets, kind="skills")
    kappas = record.kappas
    # bridging: of 4 questions, 2 against 1, 3 agree; by chance (2 * 1 + 2 * 3) / 16
    assert kappas["bridging"].value == pytest.approx((3 / 4 - 1 / 2) / (1 - 1 / 2))
    assert kappas["ellipsis"].value == pytest.approx((3 / 4 - 1 / 2) / (1 - 1 / 2))
    assert kappas["none"].value == 1
    assert {kappa.instances for kappa in kappas.values()} == {4}
    lines = labelling.find("skills").summary(record, built, sheets, None).lines
    start = next(place for place, line in enumerate(lines) if line.startswith("Cohen's kappa"))
    assert [line.split()[0] for line in lines[start + 1 :]] == ["analogy", "ellipsis", "bridging", "none"]


def test_the_command_says_that_the_pages_show_the_right_answers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    built = str(reports(tmp_path / "d"))
    said = "the pages show the right answers: give them only to people who have answered these questions"
    for name, options in (("sheet", []), ("pages", ["--people", "ann"])):
        sheets = str(tmp_path / name)
        assert (
            run(["label", "draw", built, "--kind", "skills", "--draw", "2", "--sheets", sheets, *options])
            == 0
        )
        assert (said in capsys.readouterr().err) == bool(options)
