"""What the page of a dataset, split and view shows."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from tests.leaderboard import boards
from tests.leaderboard.boards import TODAY, decisions, lines, made_board, submit

from anagnosis import api
from anagnosis.datasets.folder.store import Dataset
from anagnosis.leaderboard.board import Board, Figure
from anagnosis.predictions import notes
from anagnosis.reports.leaderboard.figures import BAR, bars
from anagnosis.reports.leaderboard.index_values import index
from anagnosis.reports.leaderboard.part_values import OFF_SCALE, part_values
from anagnosis.reports.leaderboard.report import report
from anagnosis.reports.leaderboard.system_values import system_values
from anagnosis.reports.leaderboard.words import ONLY_ONE, RUNS_BETTER, SEVERAL_RUNS, WITHOUT_VIEW
from anagnosis.reports.report import Table


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return boards.dataset(tmp_path_factory.mktemp("board"))


def of(board: Board, view: str) -> dict[str, Any]:
    (part,) = (part for part in board.parts if part.view == view)
    return part_values(board, part)["part"]


@pytest.fixture
def two_views(tmp_path: Path, built: Dataset) -> Board:
    """Two systems with a view, and one that states none."""
    for name, share, view in (("a", 0.9, "global"), ("b", 0.1, "global"), ("c", 0.5, "")):
        submit(tmp_path, name, {"test.jsonl": lines(built, share)}, view=view)
    return made_board(tmp_path, built)


def test_the_only_system_has_no_rank_on_any_page(tmp_path: Path, built: Dataset, two_views: Board) -> None:
    (standing,) = of(two_views, "")["standings"]
    assert [row["ranks"] for row in standing["rows"]] == [""]
    assert ONLY_ONE in standing["notes"]
    (result,) = system_values(two_views, two_views.system("c"))["system"]["results"]
    assert (result["has_ranks"], [row["ranks"] for row in result["rows"]]) == (False, [""])
    cards = [card for _, own in index(two_views)["boards"] for card in own]
    assert [[row["ranks"] for row in card["rows"]] for card in cards] == [["1", "2"], [""]]
    (ranked,) = of(two_views, "global")["standings"]
    assert [row["ranks"] for row in ranked["rows"]] == ["1", "2"]
    assert ONLY_ONE not in ranked["notes"]
    api.build_leaderboard(tmp_path / "submissions", [built], tmp_path / "site", today=TODAY)
    pages = {path.name.rpartition("-")[0]: path.read_text() for path in (tmp_path / "site").rglob("*/*.html")}
    assert 'class="rank"' in pages["biomrc-test-global"]
    assert 'class="rank"' in pages["a"]
    assert 'class="rank"' not in pages["biomrc-test"] + pages["c"]


def test_a_table_of_systems_without_a_view_says_why_it_is_one_and_comes_last(two_views: Board) -> None:
    assert [part.view for part in two_views.parts] == ["global", ""]
    assert of(two_views, "")["without_view"] == WITHOUT_VIEW
    assert of(two_views, "global")["without_view"] == ""
    tables = [block for block in report(two_views).blocks if isinstance(block, Table)]
    assert [WITHOUT_VIEW in table.notes for table in tables] == [False, True]


def test_a_value_off_the_scale_has_an_arrow_at_its_end() -> None:
    systems = [Figure(0.8, 0.75, 0.85, 100), Figure(0.9, 0.85, 0.95, 100)]
    beside = [Figure(0.2, 0.1, 0.3, 100), Figure(0.99, 0.98, 1.0, 100), Figure(0.8, 0.5, 0.9, 100)]
    own, aside = bars(systems, "accuracy", beside)
    assert [bar.beyond for bar in own] == ["", ""]
    assert [bar.beyond for bar in aside] == ["low", "high", ""]
    assert all(0 < bar.low <= bar.value <= bar.high < BAR for bar in (*own, *aside))


def test_people_alone_have_a_scale_of_their_own() -> None:
    _, aside = bars([], "accuracy", [Figure(0.2, 0.1, 0.3, 100), Figure(0.5, 0.4, 0.6, 100)])
    assert [bar.beyond for bar in aside] == ["", ""]
    assert aside[0].high < aside[1].low


def test_a_page_draws_every_row_and_says_what_an_arrow_is(tmp_path: Path, built: Dataset) -> None:
    for name in "ab":
        submit(tmp_path, name, {"test.jsonl": lines(built, 1.0)})
    board = made_board(tmp_path, built)
    (standing,) = of(board, "global")["standings"]
    shown = [row["bar"].beyond for _, own in standing["beside"] for row in own]
    assert "low" in shown
    assert OFF_SCALE in standing["notes"]
    api.build_leaderboard(tmp_path / "submissions", [built], tmp_path / "site", today=TODAY)
    (page,) = (tmp_path / "site" / "boards").iterdir()
    text = page.read_text()
    assert text.count('<svg class="bar"') == 2 + len(shown)
    assert text.count('<path d="M0 10L9 5V15Z"/>') == shown.count("low")


def test_a_reader_that_is_not_trained_has_no_mark_for_its_cut_off(tmp_path: Path) -> None:
    built = decisions(tmp_path)
    about = {"view": "question-only", "training_data": "labels alone", "training_cutoff": date(2020, 1, 1)}
    for name in ("trained", "untrained"):
        place = submit(tmp_path, name, {"t.jsonl": lines(built, 0.5)}, **about)
        notes.write(place / "t.jsonl", untrained=name == "untrained")
    board = made_board(tmp_path, built)
    rows = of(board, "question-only")["standings"][0]["rows"]
    found = {row["page"].split("/")[1].split("-")[0]: row["marks"] for row in rows}
    assert found["trained"] == ["100 % of the papers are not newer than the cut-off"]
    assert found["untrained"] == []


def test_nobody_loses_by_showing_all_runs(tmp_path: Path, built: Dataset) -> None:
    """Three runs that scatter, of which each is better than the one run of another team, stand beside that run."""
    submit(tmp_path, "one-run", {"test.jsonl": lines(built, 0.35, 5)}, name="One run")
    several = {f"{seed}.jsonl": lines(built, share, seed) for seed, share in enumerate((0.55, 0.75, 0.98))}
    submit(tmp_path, "runs", several, name="Three runs")
    board = made_board(tmp_path, built)
    (standing,) = of(board, "global")["standings"]
    shown = [
        (row["name"], row["ranks"], row["ranks_of_runs"], row["runs"], row["verdict"], row["of_runs"])
        for row in standing["rows"]
    ]
    assert shown == [
        ("Three runs", "1–2", "1", "3 runs", "not different", RUNS_BETTER),
        ("One run", "1–2", "2", "", "", ""),
    ]
    assert SEVERAL_RUNS in standing["notes"]
    (result,) = system_values(board, board.system("runs"))["system"]["results"]
    (row,) = result["rows"]
    assert (row["ranks"], row["ranks_of_runs"]) == ("1–2 of 2", "by these runs 1")
    assert row["next"]["words"] == f"not different from ({RUNS_BETTER})"
    (table,) = (block for block in report(board).blocks if isinstance(block, Table))
    assert table.rows[0][2] == "1–2 (these runs 1)"
    assert SEVERAL_RUNS in table.notes
    api.build_leaderboard(tmp_path / "submissions", [built], tmp_path / "site", today=TODAY)
    pages = " ".join(path.read_text() for path in (tmp_path / "site").rglob("*/*.html"))
    assert pages.count("by these runs 1<") == 2
    assert pages.count(RUNS_BETTER) == 2


def test_systems_of_one_run_have_one_range_of_ranks(two_views: Board) -> None:
    (standing,) = of(two_views, "global")["standings"]
    assert [(row["ranks_of_runs"], row["runs"], row["of_runs"]) for row in standing["rows"]] == [
        ("", "", "")
    ] * 2
    assert SEVERAL_RUNS not in standing["notes"]
