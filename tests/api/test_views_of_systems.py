"""Where what a system saw is known from, and that two views never share a column, a picture or a test."""

from __future__ import annotations

import shutil
from collections.abc import Sequence

import pytest
from tests.api.systems import answers, said, tables
from tests.reports.samples import blocks_of

from anagnosis import api
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.evaluation.signature import parsed
from anagnosis.predictions import notes
from anagnosis.reports.report import Report

TOLD = "Systems are ranked and tested within a view only, and no column holds two views"


pytestmark = pytest.mark.usefixtures("here")


@pytest.fixture
def mixed(dataset: Dataset) -> list[str]:
    """Two systems of the local view, two of the names view, and a heuristic."""
    return [
        answers(dataset, "own.jsonl", range(40), "names"),
        answers(dataset, "max.jsonl", range(30), "names"),
        answers(dataset, "as.jsonl", range(20), "local"),
        answers(dataset, "aoa.jsonl", range(10), "local"),
        answers(dataset, "base.jsonl", range(5)),
    ]


def first_cells(report: Report) -> dict[str, list[str]]:
    """Caption → the first cell of each row."""
    return {caption: [next(iter(row.values())) for row in rows] for caption, rows in tables(report).items()}


def views(dataset: Dataset, files: Sequence[str]) -> list[str | None]:
    return [parsed(score.signature)["view"] for score in api.score(dataset, files).on("test")]


def test_the_view_is_known_from_the_note(dataset: Dataset, mixed: list[str]) -> None:
    assert views(dataset, mixed) == ["names", "names", "local", "local", None]


def test_the_view_is_known_from_the_run_and_goes_with_its_predictions(dataset: Dataset) -> None:
    pytest.importorskip("torch")
    settings = {"epochs": 1, "hidden": 8, "view": "local"}
    api.train("attention-sum", dataset, "as", settings=settings, limit=20)
    api.predict("as", dataset, "copy.jsonl")
    assert notes.read("copy.jsonl").view == "local"
    assert views(dataset, ["as", "copy.jsonl", "both=as,copy.jsonl"]) == ["local"] * 3


def test_the_runs_of_a_system_are_of_one_view(dataset: Dataset, mixed: list[str]) -> None:
    told = r"the runs of all saw different views \(own\.jsonl: names; as\.jsonl: local\)"
    with pytest.raises(InputError, match=told) as caught:
        api.score(dataset, ["all=own.jsonl,as.jsonl"])
    assert "\n" not in str(caught.value)
    assert views(dataset, ["all=own.jsonl,base.jsonl"]) == ["names"]


@pytest.mark.parametrize("verb", ["score", "compare", "evaluate"])
def test_a_view_that_contradicts_what_is_known_is_refused(
    verb: str, dataset: Dataset, mixed: list[str]
) -> None:
    with pytest.raises(InputError, match=r"^view: as saw the local view, not names; leave it out") as caught:
        getattr(api, verb)(dataset, mixed, view="names")
    assert "\n" not in str(caught.value)


def test_a_view_that_is_given_holds_for_those_that_do_not_tell(dataset: Dataset, mixed: list[str]) -> None:
    scores = api.score(dataset, ["own.jsonl", "base.jsonl"], view="names").on("test")
    assert [parsed(score.signature)["view"] for score in scores] == ["names", "names"]
    for files, view in ((["own.jsonl", "base.jsonl"], "names"), (["base.jsonl", "base.jsonl"], None)):
        (comparison,) = api.compare(dataset, files, draws=9).comparisons
        assert parsed(comparison.signature)["view"] == comparison.view == view


def test_each_view_has_its_table_pictures_ranking_and_break_downs(dataset: Dataset, mixed: list[str]) -> None:
    made = api.report(api.evaluate(dataset, mixed, draws=99))
    found = first_cells(made)
    local, names = ["as", "aoa", "base"], ["own", "max", "base"]
    for what in ("Accuracy of all systems", "Accuracy on test", "Counts on test", "Ranking"):
        assert (found[f"{what}, local view"], found[f"{what}, names view"]) == (local, names)
        assert what not in found
    pairs = ["own over max", "max over base", "own over base"]
    assert found["Each beside the next best, names view"] == pairs[:2]
    assert (
        said(made).count(
            f"{TOLD} (local: as, aoa; names: own, max). In every part, since their view is not known: base."
        )
        == 1
    )
    columns = [
        {column["name"] for column in block["data"]["columns"]}
        for block in blocks_of(made)
        if block["block"] == "plot" and "candidates" in block["title"]
    ]
    assert [column & {"own", "max", "as", "aoa", "base"} for column in columns] == [set(local), set(names)]
    headings = [block["text"] for block in blocks_of(made) if block["block"] == "heading"]
    assert headings[0] == "Views"
    assert headings.index("Which is better, local view") < headings.index("Which is better, names view")
    assert headings[-2:] == ["Dataset", "Lines that do not fit"]


def test_holm_corrects_for_the_pairs_of_a_view(dataset: Dataset, mixed: list[str]) -> None:
    alone = api.report(api.compare(dataset, [*mixed[:2], "base.jsonl"], draws=99))
    both = api.report(api.compare(dataset, mixed, draws=99))
    assert tables(alone)["Each beside the next best"] == tables(both)["Each beside the next best, names view"]
    assert "|view:local|" in said(both)
    assert TOLD in said(both)


def test_a_view_with_one_system_has_nothing_to_compare(dataset: Dataset, mixed: list[str]) -> None:
    told = r"nothing to compare within a view \(local: as; names: own\); give two or more systems of one view"
    with pytest.raises(InputError, match=told):
        api.report(api.compare(dataset, ["own.jsonl", "as.jsonl"]))
    found = first_cells(api.report(api.compare(dataset, ["own.jsonl", "as.jsonl", "aoa.jsonl"], draws=9)))
    assert [caption for caption in found if "Ranking" in caption] == ["Ranking, local view"]
    assert "Ranking" not in str(tables(api.report(api.evaluate(dataset, ["own.jsonl", "as.jsonl"], draws=9))))


def test_files_of_one_name_are_rows_of_their_own_called_by_their_paths(
    dataset: Dataset, mixed: list[str]
) -> None:
    for name, view in (("a/x.jsonl", "local"), ("b/x.jsonl", "names"), ("c/x.jsonl", "names")):
        answers(dataset, name, view=view)
    answers(dataset, "x-dev.jsonl", view="names", split="dev")
    found = first_cells(
        api.report(api.evaluate(dataset, ["a/x.jsonl", "b/x.jsonl", "c/x.jsonl", "x-dev.jsonl"], draws=9))
    )
    assert found["Accuracy of all systems, local view"] == ["a/x"]
    assert found["Accuracy of all systems, names view"] == ["b/x", "c/x", "x"]


def test_a_note_that_does_not_fit_leaves_the_view_unknown_and_is_told(
    dataset: Dataset, mixed: list[str]
) -> None:
    shutil.copy("base.jsonl", "own.jsonl")
    made = api.report(api.compare(dataset, ["own.jsonl", "base.jsonl"], draws=9))
    assert (
        said(made).count("What own saw is not known: own.run.json: it was written for other predictions") == 1
    )
