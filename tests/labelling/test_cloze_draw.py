"""The draw of cloze questions: by label, by split, none that shows another's answer; the same study again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from anagnosis import api
from anagnosis.datasets.folder import writing
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.errors import InputError
from anagnosis.labelling.drawn import Drawn, any_drawn, order
from anagnosis.labelling.opened_study import open_study
from anagnosis.labelling.question_page import render
from tests.labelling.cloze_reports import instance, reports
from tests.labelling.studies import asked_ids, drawn, ids

RECIPE = {"dataset": "biomrc", "kind": "cloze", "text_form": "original", "numbering": "global"}


def labelled(ident: str, label: str, report: str = "") -> ClozeInstance:
    """report: its text, another one for each document by default."""
    text = report or f"{ident} had [fever] and [cough]\nThen [fever] went away ."
    made = instance(ident, text, "Of [fever] and @ .", "cough")
    return msgspec.structs.replace(made, labels=(label,) if label else ())


def groups(folder: Path) -> Path:
    """A dataset as TINY: two groups of the test split, whose documents d3 and d4 are in both."""
    made = [labelled(f"d{n}.1", "tiny-a") for n in range(5)]
    made += [
        labelled(f"d{n}.2", "tiny-b", f"d{n}.1 had [fever] and [cough]\nThen [fever] went away .")
        for n in range(3, 8)
    ]
    made += [labelled("d9.1", "")]
    writing.write(folder, {"dev": [labelled("x.1", "")], "test": made}, RECIPE)
    return folder


def test_a_label_names_its_questions_and_the_split_is_found(tmp_path: Path) -> None:
    record = api.label(groups(tmp_path / "d"), tmp_path / "s", kind="answers", only="tiny-a", people=["ann"])
    assert (len(record.ids), record.split) == (5, "test")
    assert sorted(ids(tmp_path / "s")) == [f"d{n}.1" for n in range(5)]
    found = drawn(tmp_path / "s")
    assert (found["only"], found["view"], found["split"]) == ("tiny-a", "names", "test")
    assert found["people"] == [{"name": "ann", "group": "people"}]


def test_what_cannot_be_drawn_is_refused_in_one_line(tmp_path: Path) -> None:
    built, at = groups(tmp_path / "d"), tmp_path / "s"
    refused: list[tuple[dict[str, Any], str]] = [
        ({"only": "tiny-c"}, "no question of the dataset has the label 'tiny-c'; its labels: tiny-a, tiny-b"),
        (
            {"only": "tiny-a", "split": "dev"},
            "no question of dev has the label 'tiny-a'; its labels: tiny-a,",
        ),
        (
            {"only": "tiny-a", "draw": 6},
            "6 questions are asked for, test with the label 'tiny-a' has 5; draw",
        ),
        ({}, "draw: which questions?; draw some with draw N, or name a label with only"),
        ({"only": "tiny-a", "split": "tset"}, "no split 'tset'"),
        ({"draw": 1, "view": "nmaes"}, "unknown view 'nmaes'"),
    ]
    for how, what in refused:
        given: dict[str, Any] = {"kind": "answers", "people": ["ann"], **how}
        with pytest.raises(InputError) as fault:
            api.label(built, at, **given)
        assert what in str(fault.value)
    assert not at.exists()


def test_a_label_of_two_splits_is_refused(tmp_path: Path) -> None:
    writing.write(tmp_path / "d", {"dev": [labelled("x.1", "g")], "test": [labelled("y.1", "g")]}, RECIPE)
    with pytest.raises(InputError, match=r"the label 'g' stands in several splits \(dev, test\); name one"):
        api.label(tmp_path / "d", tmp_path / "s", kind="answers", only="g", people=["ann"])
    api.label(tmp_path / "d", tmp_path / "s", kind="answers", only="g", split="dev", people=["ann"])
    assert ids(tmp_path / "s") == ["x.1"]


@pytest.mark.parametrize("kind", ["answers", "skills"])
def test_the_record_gives_the_study_and_its_pages_again(kind: str, tmp_path: Path) -> None:
    built, sheets = reports(tmp_path / "d"), tmp_path / "s"
    api.label(built, sheets, kind=kind, draw=3, people=["ann", "experts=bea"], seed=5, idle=90)
    opened = open_study(built, sheets)
    assert [person.name for person in opened.studies] == ["ann", "bea"]
    for person, study in opened.studies.items():
        assert render(study, person, opened.drawn.seed) == (sheets / person.page).read_bytes()
    with pytest.raises(InputError, match="the sheets were drawn from another dataset"):
        open_study(reports(tmp_path / "other", 8), sheets)
    (sheets / "drawn.json").write_text(json.dumps({**drawn(sheets), "people": []}))
    with pytest.raises(InputError, match="the study has no people; draw it with --people NAME,NAME"):
        open_study(built, sheets)


def test_a_record_with_names_that_nobody_may_have_is_refused(tmp_path: Path) -> None:
    record = Drawn(kind="answers", dataset="3f", seed=0, ids=("a",))
    fields = json.loads(record.encoded())
    for people in ([{"name": "a\n"}], [{"name": "x"}, {"name": "X"}], [{"name": ""}]):
        (tmp_path / "drawn.json").write_text(json.dumps({**fields, "people": people}))
        with pytest.raises(InputError):
            any_drawn(tmp_path)


def test_seed_and_person_give_an_order_that_does_not_depend_on_the_draw() -> None:
    names = [f"r.{n}" for n in range(40)]
    orders = {
        (person, seed): [names[place] for place in order(names, person, seed)]
        for person in ("ann", "bea")
        for seed in (0, 1)
    }
    assert {tuple(sorted(each)) for each in orders.values()} == {tuple(sorted(names))}
    assert len({tuple(each) for each in orders.values()}) == 4
    rest = [each for each in reversed(names) if each != "r.7"]
    placed = [rest[place] for place in order(rest, "ann", 1)]
    assert placed == [each for each in orders["ann", 1] if each != "r.7"]


def siblings(folder: Path) -> Path:
    """Three questions of one sentence, one of another sentence of the document, one of another document."""
    text = "Some [fever] and [cough] and [pain]\nThen [fever] went away ."
    asked = (
        "@ with [cough] and [pain] .",
        "[fever] with @ and [pain] .",
        "[fever] with [cough] and @ .",
        "No @ .",
    )
    made = [instance(f"d.{n}", text, query, "pain") for n, query in enumerate(asked)]
    made += [instance("e.0", text, asked[0], "pain"), instance("d.9", text, asked[0], "pain")]
    writing.write(folder, {"test": made}, RECIPE)
    return folder


def test_no_question_shows_the_answer_of_another(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The sentence of a question that hides the cough shows the fever, which its sibling hides."""
    built = siblings(tmp_path / "d")
    for seed in range(6):
        at = tmp_path / str(seed)
        api.label(built, at, kind="answers", draw=3, people=["ann"], seed=seed)
        found = {ident for ident in ids(at) if ident in ("d.0", "d.1", "d.2", "d.9")}
        assert len(found) == 1 or found == {"d.0", "d.9"}, "the same gap shows nothing"
    assert "left out, which would show the answer of a drawn one" in capsys.readouterr().err
    with pytest.raises(InputError) as refused:
        api.label(built, tmp_path / "s", kind="answers", draw=6, people=["ann"])
    assert "that show no answer of others; draw fewer" in str(refused.value)


def test_people_may_join_a_study_later(tmp_path: Path) -> None:
    built, sheets = reports(tmp_path / "d"), tmp_path / "s"
    how: dict[str, Any] = {"kind": "answers", "draw": 3}
    api.label(built, sheets, people=["experts=ann"], **how)
    before = (sheets / "ann.html").read_bytes()
    api.label(built, sheets, people=["novices=bea,cleo"], **how)
    assert [(each["name"], each["group"]) for each in drawn(sheets)["people"]] == [
        ("ann", "experts"),
        ("bea", "novices"),
        ("cleo", "novices"),
    ]
    assert (sheets / "ann.html").read_bytes() == before
    assert sorted(asked_ids(sheets, "cleo")) == sorted(asked_ids(sheets, "ann"))
    record = (sheets / "drawn.json").read_bytes()
    for people, what in ((["ann"], "'ann' stands twice"), (["Bea"], "would have one name")):
        with pytest.raises(InputError, match=what):
            api.label(built, sheets, people=people, **how)
    other: dict[str, Any] = {**how, "seed": 1}
    with pytest.raises(InputError, match="there are sheets already"):
        api.label(built, sheets, people=["dan"], **other)
    assert (sheets / "drawn.json").read_bytes() == record
    assert not (sheets / "dan.html").exists()
