"""Skills of questions: the page, shares with intervals, the mean, kappas, and faults in one line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from anagnosis import api, labelling
from anagnosis.cli import run
from anagnosis.evaluation.intervals import wilson
from anagnosis.labelling.opened_study import open_study
from anagnosis.labelling.skills import SKILLS
from tests.labelling.cloze_reports import reports
from tests.labelling.returned_files import page_line, save
from tests.labelling.studies import ids


@pytest.fixture
def built(tmp_path: Path) -> Path:
    return reports(tmp_path / "built", 6)


def sheets_of(built: Path, people: str = "ann", count: int = 5) -> Path:
    sheets = built.parent / "s"
    api.label(built, sheets, kind="skills", draw=count, people=[people])
    return sheets


def saved(sheets: Path, skills: Mapping[str, list[str]], name: str = "ann") -> None:
    opened = open_study(sheets.parent / "built", sheets)
    (person,) = (each for each in opened.studies if each.name == name)
    places = opened.questions(person).places
    lines = [page_line(opened, name, places[ident][0], skills=given) for ident, given in skills.items()]
    save(sheets, name, lines, f"skills-{name}.jsonl")


def test_the_page_shows_the_answers_and_the_command_says_so(
    built: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (sheets_of(built, count=3) / "ann.html").read_text()
    assert page.count("<bdi>phosphate enema</bdi></p>") == 3
    assert page.count("<bdi>phosphate clyster; sodium phosphate enema</bdi>") == 3
    assert all(f"{name}" in page and meaning in page for name, meaning in SKILLS.items())
    said = "the pages show the right answers: give them only to people who have answered these questions"
    assert said in capsys.readouterr().err


def test_shares_have_intervals(built: Path) -> None:
    sheets = sheets_of(built)
    one, two, three, four, _ = ids(sheets)
    saved(
        sheets,
        {one: ["bridging", "ellipsis"], two: ["none"], three: ["bridging"], four: ["bridging", "analogy"]},
    )
    record = api.label(built, sheets)
    (file,) = record.files
    assert (record.drawn, record.split, file.file, file.labelled) == (5, "dev", "skills-ann.jsonl", 4)
    shares = {name: share.value for name, share in file.shares.items() if share.value}
    assert shares == {"analogy": 1 / 4, "ellipsis": 1 / 4, "bridging": 3 / 4, "none": 1 / 4}
    assert list(file.shares) == list(SKILLS)
    for share in file.shares.values():
        assert share.interval == wilson(share.value, 4), "by question, though two are of one report"
    assert file.mean == 5 / 4
    lines = labelling.find("skills").summary(record)
    assert lines[:2] == ["5 questions of dev", "skills-ann.jsonl: 4 labelled, 1.25 skills a question"]
    assert len(lines) == 2 + len(SKILLS)


@pytest.mark.parametrize("option", ["--no-knowledge", "--ask-knowledge", "--entities-only", "--free-answers"])
def test_an_option_that_the_kind_lacks_is_named_as_it_was_given(
    option: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    built = str(reports(tmp_path / "built", 6))
    words = ["label", "draw", built, "--kind", "skills", "--draw", "2", "--people", "ann", option]
    assert run(words) == 2
    assert f"{option}: sheets of the kind skills have no such option" in capfd.readouterr().err


def test_two_people_agree_by_skill_on_what_both_labelled(built: Path) -> None:
    sheets = sheets_of(built, "ann,bob")
    one, two, three, four, five = ids(sheets)
    saved(
        sheets, {one: ["bridging"], two: ["bridging"], three: ["ellipsis"], four: ["none"], five: ["analogy"]}
    )
    assert api.label(built, sheets).kappas == {}
    saved(sheets, {one: ["bridging"], two: ["ellipsis"], three: ["ellipsis"], four: ["none"]}, "bob")
    record = api.label(built, sheets)
    kappas = record.kappas
    # bridging: of 4 questions, 2 against 1, 3 agree; by chance (2 * 1 + 2 * 3) / 16
    assert kappas["bridging"].value == pytest.approx((3 / 4 - 1 / 2) / (1 - 1 / 2))
    assert kappas["ellipsis"].value == pytest.approx((3 / 4 - 1 / 2) / (1 - 1 / 2))
    assert kappas["none"].value == 1
    assert {kappa.instances for kappa in kappas.values()} == {4}
    lines = labelling.find("skills").summary(record)
    start = next(place for place, line in enumerate(lines) if line.startswith("Cohen's kappa"))
    assert [line.split()[0] for line in lines[start + 1 :]] == ["analogy", "ellipsis", "bridging", "none"]
