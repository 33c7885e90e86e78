"""What the pages of a board show: names of files, ranks, values on their scale, the best systems over time."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.leaderboard import boards
from tests.leaderboard.boards import decisions, lines, made_board, people, submit

from anagnosis.datasets.folder.store import Dataset
from anagnosis.leaderboard.board import Board, Figure
from anagnosis.predictions import notes
from anagnosis.reports.leaderboard.drawn import BAR, over_time, scale
from anagnosis.reports.leaderboard.report import report
from anagnosis.reports.leaderboard.site import OFF_SCALE, contents, page_name
from anagnosis.reports.leaderboard.words import ONLY_ONE, RUNS_BETTER, SEVERAL_RUNS, WITHOUT_VIEW
from anagnosis.reports.report import Table


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return boards.dataset(tmp_path_factory.mktemp("board"))


def pages(board: Board) -> dict[str, str]:
    """The readable part of a page's name → the page."""
    return {re.sub(r"-[0-9a-f]{8}\.html$", "", name): data.decode() for name, data in contents(board)}


def tables(board: Board) -> list[Table]:
    return [block for block in report(board).blocks if isinstance(block, Table)]


def test_a_name_stays_readable() -> None:
    found = [
        page_name(*names)[:-9] for names in (("GPT-4 with MedRAG",), ("lite", "test"), ("Über",), ("系统",))
    ]
    assert found == ["gpt-4-with-medrag", "lite-test", "uber", "page"]
    assert page_name("a", "test", "b") != page_name("a-test", "b", "")
    assert page_name("a", "b", "") != page_name("a", "", "b")


strange = [
    "../../etc/passwd",
    "..",
    ".",
    "con",
    "NUL",
    "a\x00b",
    "\udcff",
    "a" * 300,
    "A",
    "a",
    "a ",
    " a",
    "--a",
]
names = st.text(st.characters(), max_size=120) | st.sampled_from(strange)


@given(st.lists(names, unique=True, max_size=30))
def test_whatever_names_are_each_page_is_a_plain_file_and_none_is_that_of_two(given_names: list[str]) -> None:
    found = [page_name(name).casefold() for name in given_names]
    assert len(set(found)) == len(found)
    for name in found:
        assert re.fullmatch(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?-[0-9a-f]{8}", name)
        assert len(name) <= 60


def test_a_ranking_has_ranks_and_a_single_system_none_nor_does_a_view_that_nobody_states(
    tmp_path: Path, built: Dataset
) -> None:
    for name, share, view in (("a", 0.9, "global"), ("b", 0.1, "global"), ("c", 0.5, "")):
        submit(tmp_path, name, {"test.jsonl": lines(built, share)}, view=view)
    board = made_board(tmp_path, built)
    assert [part.view for part in board.parts] == ["global", ""]
    found = pages(board)
    ranked, alone = found["boards/biomrc-test-global"], found["boards/biomrc-test"]
    assert re.findall(r'<td class="rank">(\d*)', ranked)[:2] == ["1", "2"]
    assert (ONLY_ONE in ranked, ONLY_ONE in alone) == (False, True)
    assert (WITHOUT_VIEW in ranked, WITHOUT_VIEW in alone) == (False, True)
    assert [WITHOUT_VIEW in table.notes for table in tables(board)] == [False, True]
    assert 'class="rank"' in found["systems/a"]
    assert 'class="rank"' not in alone + found["systems/c"]
    assert re.findall(r"Rank </span>(\d)", found["index.html"]) == ["1", "2"]
    assert not {SEVERAL_RUNS, "by these runs", RUNS_BETTER} & {*ranked.split("<small>")}
    assert SEVERAL_RUNS not in ranked


def test_a_value_off_the_scale_has_an_arrow_at_its_end() -> None:
    systems = [Figure(0.8, 0.75, 0.85, 100), Figure(0.9, 0.85, 0.95, 100)]
    aside = [Figure(0.2, 0.1, 0.3, 100), Figure(0.99, 0.98, 1.0, 100), Figure(0.8, 0.5, 0.9, 100)]
    bars = [*map(scale(systems, "accuracy"), (*systems, *aside))]
    assert [bar.beyond for bar in bars] == ["", "", "low", "high", ""]
    assert all(0 < bar.low <= bar.value <= bar.high < BAR for bar in bars)
    low, high = map(scale([aside[0], systems[0]], "accuracy"), (aside[0], systems[0]))
    assert (low.beyond, high.beyond, low.high < high.low) == ("", "", True)


def test_a_page_draws_every_row_and_says_what_an_arrow_is(tmp_path: Path, built: Dataset) -> None:
    for name in "ab":
        submit(tmp_path, name, {"test.jsonl": lines(built, 1.0)})
    submit(tmp_path, "people", {"p.jsonl": people(lines(built, 0.1), "ann")})
    page = pages(made_board(tmp_path, built))["boards/biomrc-test-global"]
    assert page.count('<svg class="bar"') == len(re.findall('<td class="n value">', page)) > 3
    assert '<path d="M0 10L9 5V15Z"/>' in page
    assert OFF_SCALE in page.replace("&#39;", "'")


def test_a_reader_that_is_not_trained_has_no_mark_for_its_cut_off(tmp_path: Path) -> None:
    built = decisions(tmp_path)
    about = {"view": "question-only", "training_data": "labels alone", "training_cutoff": date(2020, 1, 1)}
    for name in ("trained", "untrained"):
        place = submit(tmp_path, name, {"t.jsonl": lines(built, 0.5)}, **about)
        notes.write(place / "t.jsonl", notes.Note(untrained=name == "untrained"))
    found = pages(made_board(tmp_path, built))
    (marked,) = {
        *re.findall(
            r"(\w+)-[0-9a-f]{8}\.html(?:(?!</tr>).)*class=\"mark\"",
            found["boards/pubmedqa-test-question-only"],
            re.S,
        )
    }
    assert marked == "trained"
    assert "100 % of this split" in found["systems/trained"]
    assert "100 % of this split" not in found["systems/untrained"]


def test_nobody_loses_by_showing_all_runs(tmp_path: Path, built: Dataset) -> None:
    """Three runs that scatter, of which each is better than the one run of another team, stand beside that run."""
    submit(tmp_path, "one-run", {"test.jsonl": lines(built, 0.35, 5)}, name="One run")
    several = {f"{seed}.jsonl": lines(built, share, seed) for seed, share in enumerate((0.55, 0.75, 0.98))}
    submit(tmp_path, "runs", several, name="Three runs")
    board = made_board(tmp_path, built)
    found = pages(board)
    page = found["boards/biomrc-test-global"]
    ranks = re.findall(r'<td class="rank">(1–2)<small>by these runs (\d)</small>', page)
    assert ranks == [("1–2", "1"), ("1–2", "2")]
    assert page.index("Three runs") < page.index("<small>3 runs</small>") < page.index("One run")
    assert (page.count(RUNS_BETTER), SEVERAL_RUNS in page) == (1, True)
    system = found["systems/runs"]
    assert "1–2 of 2<small>by these runs 1</small>" in system
    assert f"not different from ({RUNS_BETTER})" in system
    (table,) = tables(board)
    assert table.rows[0][2] == "1–2 (these runs 1)"
    assert SEVERAL_RUNS in table.notes


def test_the_plot_over_time_names_the_best_and_has_no_style(tmp_path: Path, built: Dataset) -> None:
    submit(tmp_path, "a", {"t.jsonl": lines(built, 0.2)}, name="One", date=date(2024, 1, 1))
    submit(tmp_path, "b", {"t.jsonl": lines(built, 0.1)}, name="Two <b>", date=date(2024, 1, 1))
    (part,) = (board := made_board(tmp_path, built)).parts
    assert over_time(board, part.standings[0], "p") == ""
    submit(tmp_path, "c", {"t.jsonl": lines(built, 0.9)}, name="Three", date=date(2024, 4, 30))
    (part,) = (board := made_board(tmp_path, built)).parts
    svg = over_time(board, part.standings[0], "p")
    texts = [text.text for text in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]
    assert [name for name in ("One", "Two <b>", "Three") if name in texts] == ["One", "Three"]
    assert {"2024-01-01", "2024-04-30"} <= set(texts)
    assert "style" not in svg
    assert "Two &lt;b&gt;, 2024-01-01" in svg
