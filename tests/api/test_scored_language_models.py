"""Predictions of language models as users score them: what the notes beside the files say stands in every result."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.api.systems import answers, said, tables
from tests.golden_files import golden, question
from tests.reports.cloze import instance
from tests.rows import each_row

from anagnosis import api
from anagnosis.datasets.folder import writing
from anagnosis.datasets.folder.store import Dataset
from anagnosis.language_models.spending import Spent
from anagnosis.predictions import notes
from anagnosis.predictions.notes import ModelNote, Note
from anagnosis.reports.records import as_json

pytestmark = pytest.mark.usefixtures("here")

# Around 2018-06 and 2019: the year or month of an instance may hold the cut-off.
DATES = ["2017", "2018-05-31", "2018", "2018-06", "2018-06-01", "2018-12", "2019-01-02", "2020", ""]


@pytest.fixture
def dated(here: Path) -> Dataset:
    test = [msgspec.structs.replace(instance(f"{n}:0"), date=date) for n, date in enumerate(DATES)]
    return writing.write(here / "dated", {"test": test}, {"dataset": "biomrc"})


def llm(dataset: Dataset, name: str, right: range, view: str = "names", **changes: Any) -> str:
    given: dict[str, Any] = {"model": "qwen", "prompts": ("cloze@1-47",), "context": "full"}
    path = answers(dataset, name, right)
    notes.write(path, Note(view=view, language_model=ModelNote(**given | changes)))
    return path


@pytest.fixture
def files(dated: Dataset) -> list[str]:
    """A model in two runs, the model without the text, which somebody paid for, and a heuristic."""
    took: dict[str, Any] = {"spent": Spent(9, 400, 20, 1.5, models=("Qwen2.5",)), "cut_off": "2018-06"}
    llm(dated, "0.jsonl", range(6), **took, unparsed=2, answers=7, outside=1)
    llm(dated, "1.jsonl", range(3, 6), **took, seed=1, truncated=1, answers=8, outside=2)
    paid = Spent(9, 100, 20, 1.0, 0.0125, ("qwen",))
    how: dict[str, Any] = {
        "spent": paid,
        "unasked": 4,
        "refused": 9,
        "temperature": 1.5,
        "examples": 3,
        "train": "0d",
    }
    llm(dated, "closed.jsonl", range(2), context="none", cut_off="2019", **how)
    return ["open=0.jsonl,1.jsonl", "closed.jsonl", answers(dated, "base.jsonl", range(4))]


@each_row("verb", ["score", "compare", "evaluate"])
def test_each_result_says_what_models_were_asked_and_what_it_took(
    verb: str, dated: Dataset, files: list[str]
) -> None:
    found = getattr(api, verb)(dated, files)
    shown = tables(api.report(found))
    assert [list(row.values()) for row in shown["Prompts of language models"]] == [
        ["open", 0, "qwen", "Qwen2.5", "cloze@1-47", "full", "0", "0", "2018-06"],
        ["open", 1, "qwen", "Qwen2.5", "cloze@1-47", "full", "0", "0", "2018-06"],
        ["closed", 0, "qwen", "qwen", "cloze@1-47", "none", "3-0d", "1.5", "2019"],
    ]
    assert [list(row.values()) for row in shown["Replies of language models"]] == [
        ["open", 0, 0, 9, 400, 20, 1.5, "-", 2, 0, 0, 7, 1 / 7],
        ["open", 1, 0, 9, 400, 20, 1.5, "-", 0, 0, 1, 8, 2 / 8],
        ["closed", 0, 4, 9, 100, 20, 1.0, 0.0125, 0, 9, 0, 0, None],
    ]
    told = json.loads(as_json(found))["language_models"]
    assert [(name, run["seed"]) for name, runs in told.items() for run in runs] == [
        *(("open", 0), ("open", 1), ("closed", 0)),
    ]
    assert (told["closed"][0]["unparsed"], told["closed"][0]["spent"]["cost"]) == (0, 0.0125)


def test_the_report_says_how_many_answers_change_with_the_order(dated: Dataset, files: list[str]) -> None:
    opened, *others = tables(api.report(api.score(dated, files)))["Counts on test"]
    assert opened["answers changed (%)"][0] == 3 / 9
    assert [row["answers changed (%)"] for row in others] == [None, None]


@each_row(
    ("date", "until", "after", "neither"),
    [
        ("2018-06", (4, 0.75, 0.5), (3, 1 / 3, 0.0), (2, 0.25, 0.0)),  # a day of that month may be known
        ("2019", (7, 9 / 14, 2 / 7), (1, 0.0, 0.0), (1, 0.0, 0.0)),
    ],
)
def test_scores_until_and_after_each_cut_off(
    date: str, until: Any, after: Any, neither: Any, dated: Dataset, files: list[str]
) -> None:
    found = api.score(dated, files)
    rows = tables(api.report(found))[f"Accuracy by cut-off {date}, the numbers"]
    shown = {row[f"cut-off {date}"]: (row["instances"], row["open"][0], row["closed"][0]) for row in rows}
    assert shown == {f"until {date}": until, f"after {date}": after, "no exact date": neither}
    (cut,) = [each for each in found.systems[1].breakdowns if each.factor == f"cut-off {date}"]
    assert all(own.measures["accuracy"].interval for own in cut.slices)


def test_models_of_two_views_never_share_a_table(dated: Dataset, files: list[str]) -> None:
    local = llm(dated, "local.jsonl", range(9), "local")  # declares no cut-off
    (*_, alone) = api.score(dated, [local]).systems
    assert not any(each.factor.startswith("cut-off") for each in alone.breakdowns)
    shown = tables(api.report(api.evaluate(dated, [*files, local], draws=99)))
    for view, systems in (("local", ["local"]), ("names", ["open", "open", "closed"])):
        assert [row["system"] for row in shown[f"Prompts of language models, {view} view"]] == systems


def test_free_answers_are_scored_though_most_are_no_candidate(dated: Dataset) -> None:
    path = llm(dated, "free.jsonl", range(0))
    Path(path).write_text('{"id": "0:0", "answer": "high fever"}\n')
    model = ModelNote(model="qwen", prompts=("words@1-73",), context="full")
    notes.write(path, Note(view="names", language_model=model))
    (found,) = api.score(dated, [path]).systems
    assert [*found.problems] == ["missing", "unmapped"]


def test_questions_without_dates_are_on_neither_side_and_an_empty_list_is_no_answer(here: Path) -> None:
    folder = golden(here / "golden", {"9B5": [question(number) for number in range(1, 6)]})
    dataset = api.import_dataset(folder, here / "built", layout="bioasq", split="test")
    lines = [{"id": each.id, "answer": ["XYZ"][place:]} for place, each in enumerate(dataset["test"])]
    Path("llm.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    model = ModelNote(model="qwen", prompts=("factoid@1-47",), context="snippets", cut_off="2024")
    notes.write("llm.jsonl", Note(language_model=model))
    found = api.score(dataset, ["llm.jsonl"])
    assert found.systems[0].unanswered == 4
    (cut,) = [each for each in found.systems[0].breakdowns if each.factor == "cut-off 2024"]
    assert [(each.label, each.n) for each in cut.slices] == [("no exact date", 5)]
    assert "By cut-off 2024 all of test is of one group: no exact date." in said(api.report(found))
