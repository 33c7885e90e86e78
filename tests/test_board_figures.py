"""A figure that both the board and a page of results show is one figure.

docs/figures/ holds the figures of the pages; the board is built of submissions/ and of the public sets, so most of this
needs their files. What holds without them is that both were made for the same questions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from benchmarks.board_entries import ROOT, SUFFIX, board_sets

import anagnosis
from anagnosis import predictions
from anagnosis.leaderboard.board import Board, Figure
from tests.rows import each_row

FIGURES = ROOT / "docs" / "figures"
SUBMISSIONS = ROOT / "submissions"
# Name of a row in docs/figures/ → the submission.
BASELINES = {
    "random": "random-candidate",
    "BASE1": "first-entity",
    "BASE2": "last-entity",
    "BASE3": "most-frequent-entity",
    "BASE3+": "most-frequent-unless-alone",
    "BASE4": "neighbour-overlap",
    "bioread-BASE4": "ngram-occurrences",
    "question-words": "question-words",
    "entity-prior": "entity-prior",
    "best-position": "best-position",
}
BIOREAD = {
    "BASE1 most frequent": "most-frequent-entity",
    "BASE2 first": "first-entity",
    "BASE3 last": "last-entity",
    "BASE4 n-grams": "ngram-occurrences",
}
MIRAGE = {
    "gpt35_cot": "mirage-gpt-35",
    "gpt4_cot": "mirage-gpt-4",
    "gpt35_medrag32": "mirage-medrag-gpt-35",
    "gpt4_medrag32": "mirage-medrag-gpt-4",
}
ANNOTATORS = {
    "reasoning_required": "pubmedqa-annotators-required",
    "reasoning_free": "pubmedqa-annotators-free",
}
REQUIRED = "reasoning-required"
SHALLOW = {"shallow": "shallow-features", "shallow, auxiliary": "shallow-features-auxiliary"}
# Part of a data file, with a set of the board that its signatures name.
SIGNED = [
    ("baselines", "biomrc", "biomrc-corpora"),
    ("baselines", "biomrc-strict", "biomrc-corpora-strict"),
    ("pubmedqa", "published", "pqal"),
    ("pubmedqa", "people", "pqal"),
    ("pubmedqa", REQUIRED, "pqal"),
]
# The sets whose figures are compared: they take a minute to build, and the board of them another.
COMPARED = (
    "biomrc-corpora",
    "biomrc-corpora-strict",
    "biomrc-lite-10",
    "biomrc-tiny-10",
    "bioread-craft-lite",
    "pqal",
)


def tables(file: str, part: str) -> list[dict[str, Any]]:
    return json.loads((FIGURES / f"{file}.json").read_text("utf-8"))[part]


def column(table: dict[str, Any], name: str) -> dict[str, str]:
    """First cell of each row → the cell of a column."""
    place = table["columns"].index(name)
    return {row[0]: row[place].strip("*") for row in table["rows"]}


@each_row(("file", "part", "of"), SIGNED)
def test_a_page_and_the_submissions_are_of_the_same_questions(file: str, part: str, of: str) -> None:
    signatures = [
        line for table in tables(file, part) for line in table.get("signatures", ()) if "|split:test|" in line
    ]
    named = {match[1] for line in signatures if (match := re.match(r"\w+@(\w+)\|", line))}
    made_for = {
        next(iter(predictions.read(path))).dataset
        for path in SUBMISSIONS.glob(f"*/{of}.*{SUFFIX.removeprefix('.')}")
    }
    assert len(named) == len(made_for) == 1
    assert next(iter(made_for) or "").startswith(named.pop())


@pytest.fixture(scope="module")
def board(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Board:
    out = tmp_path_factory.mktemp("sets")
    for name in COMPARED:
        assert board_sets.made(name, board_sets.table().sets[name], out, shared / "data") == "made"
    return anagnosis.build_leaderboard(
        SUBMISSIONS, [f"{name}={out / name}" for name in COMPARED], leave_out_others=True
    )


def on_board(board: Board, of: str, view: str, measure: str) -> dict[str, Figure]:
    """Submission → its figure; that of a group of people too."""
    (part,) = (each for each in board.parts if (each.dataset, each.split, each.view) == (of, "test", view))
    (standing,) = (each for each in part.standings if each.measure == measure)
    return {row.submission: row.figure for row in (*standing.rows, *standing.people)}


def percent(figure: Figure) -> str:
    return f"{100 * figure.value:.2f} [{100 * figure.low:.2f}, {100 * figure.high:.2f}]"


def pairs(
    shown: dict[str, str], names: dict[str, str], figures: dict[str, Figure]
) -> Iterator[tuple[str, str, str]]:
    """(row, what the page shows, what the board shows)."""
    for row, submission in names.items():
        yield row, shown[row], percent(figures[submission])


# Of a page: its data file and part, how a table's caption begins, the column. Of the board: set, view, measure.
ACCURACY, QUESTION = "test accuracy (%)", "question-only"
ON_PAGES = (
    ("baselines", "biomrc", "Accuracy of all", ACCURACY, "biomrc-corpora", "", "accuracy", BASELINES),
    ("baselines", "biomrc-strict", "Accuracy of all", ACCURACY, "biomrc-corpora-strict", "", "accuracy", BASELINES),
    ("pubmedqa", "published", "The same", "accuracy, fixed (%)", "pqal", QUESTION, "accuracy", MIRAGE),
    ("pubmedqa", "published", "The same", "macro-F1, fixed (%)", "pqal", QUESTION, "macro_f1", MIRAGE),
    ("pubmedqa", REQUIRED, "On test", "accuracy (%)", "pqal", REQUIRED, "accuracy", SHALLOW),
    ("pubmedqa", REQUIRED, "On test", "accuracy (%)", "pqal", "", "accuracy", {"majority": "majority"}),
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.shared
@pytest.mark.parametrize(("file", "part", "caption", "name", "of", "view", "measure", "names"), ON_PAGES)
def test_a_page_s_figures_with_their_intervals_are_the_board_s(
    board: Board,
    file: str,
    part: str,
    caption: str,
    of: str,
    view: str,
    measure: str,
    name: str,
    names: dict[str, str],
) -> None:
    (table,) = (each for each in tables(file, part) if each["caption"].startswith(caption))
    shown = column(table, name)
    found = list(pairs(shown, names, on_board(board, of, view, measure)))
    assert [(row, page) for row, page, _ in found] == [(row, ours) for row, _, ours in found]


@pytest.mark.slow
@pytest.mark.shared
def test_macro_f1_over_ten_folds_is_the_board_s(board: Board) -> None:
    """Without its interval: it is drawn from the answers of runs, and those of the page are gone."""
    (table,) = (each for each in tables("pubmedqa", REQUIRED) if each["caption"].startswith("On test"))
    shown = column(table, "macro-F1 (%)")
    figures = on_board(board, "pqal", REQUIRED, "macro_f1")
    assert {row: shown[row].partition(" ")[0] for row in SHALLOW} == {
        row: f"{100 * figures[submission].value:.2f}" for row, submission in SHALLOW.items()
    }


@pytest.mark.slow
@pytest.mark.shared
@pytest.mark.parametrize(("row", "submission"), ANNOTATORS.items())
def test_people_s_figures_are_the_board_s(board: Board, row: str, submission: str) -> None:
    table = tables("pubmedqa", "people")[0]
    view = row.replace("_", "-")
    for measure, name in (("accuracy", "accuracy (%)"), ("macro_f1", "macro-F1 (%)")):
        assert column(table, name)[row] == percent(on_board(board, "pqal", view, measure)[submission])


@pytest.mark.slow
@pytest.mark.shared
def test_crafts_baselines_are_the_board_s(board: Board) -> None:
    shown = column(tables("bioread_craft", "baselines-bioread-lite")[0], "test, random")
    figures = on_board(board, "bioread-craft-lite", "", "accuracy")
    assert shown == {row: f"{100 * figures[submission].value:.2f}" for row, submission in BIOREAD.items()}


@pytest.mark.slow
@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "of"),
    [("lite/dataset_test_small.json", "biomrc-lite-10"), ("tiny/dataset_tiny.json", "biomrc-tiny-10")],
)
def test_the_right_answers_on_published_instances_are_the_board_s(board: Board, file: str, of: str) -> None:
    table = tables("baselines", "published")[0]
    (row,) = (dict(zip(table["columns"], each, strict=True)) for each in table["rows"] if each[0] == file)
    figures = on_board(board, of, "", "accuracy")
    names = {name: submission for name, submission in BASELINES.items() if name in row}
    assert {name: row[name] for name in names} == {
        name: f"{figures[submission].value * figures[submission].n:.4f}" for name, submission in names.items()
    }
