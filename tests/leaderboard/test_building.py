"""From submissions to a board: who is ranked where, what is not scored, and that nothing depends on order."""

from __future__ import annotations

import json
import os
from datetime import date
from pathlib import Path

import pytest
from tests.leaderboard.boards import decisions, lines, made_board, people, submit

from anagnosis import api
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.leaderboard.board import Board, Standing


def only(found: Board) -> Standing:
    ((standing,),) = (part.standings for part in found.parts)
    return standing


def test_systems_that_no_test_tells_apart_share_a_range_of_ranks(tmp_path: Path, built: Dataset) -> None:
    for name, share, seed in (("good", 0.97, 1), ("twin", 0.97, 2), ("poor", 0.3, 3)):
        submit(tmp_path, name, {"test.jsonl": lines(built, share, seed)})
    found = only(made_board(tmp_path, built))
    assert {row.submission: row.ranks for row in found.rows} == {
        "good": (1, 2),
        "twin": (1, 2),
        "poor": (3, 3),
    }
    assert [row.against_next for row in found.rows] == ["tied", "better", ""]
    assert found.family == 3


def test_views_are_never_mixed(tmp_path: Path, built: Dataset) -> None:
    for name, view in (("a", "global"), ("b", "names"), ("c", "")):
        submit(tmp_path, name, {"test.jsonl": lines(built, 0.5, 1)}, view=view)
    found = made_board(tmp_path, built)
    assert [(part.view, [row.submission for row in part.standings[0].rows]) for part in found.parts] == [
        ("global", ["a"]),
        ("names", ["b"]),
        ("", ["c"]),
    ]
    assert all(part.standings[0].family == 0 for part in found.parts)
    assert all(
        part.standings[0].rows[0].ranks is None for part in found.parts
    )  # nothing is ranked against them


def test_files_of_one_split_are_runs_of_one_system(tmp_path: Path, built: Dataset) -> None:
    submit(tmp_path, "runs", {f"seed-{n}.jsonl": lines(built, 0.6, n) for n in range(3)})
    found = made_board(tmp_path, built)
    assert found.parts[0].results[0].files == ("seed-0.jsonl", "seed-1.jsonl", "seed-2.jsonl")
    assert len(only(found).rows) == 1


def test_splits_have_tables_of_their_own(tmp_path: Path, built: Dataset) -> None:
    files = {"test.jsonl": lines(built, 0.6), "dev.jsonl": lines(built, 0.6, split="dev")}
    submit(tmp_path, "both", files)
    assert [part.split for part in made_board(tmp_path, built).parts] == ["dev", "test"]


def test_the_line_of_progress_rises_only_where_a_difference_is_earned(tmp_path: Path, built: Dataset) -> None:
    for name, share, seed, day in (
        ("first", 0.5, 1, date(2024, 1, 1)),
        ("twin", 0.52, 1, date(2024, 2, 1)),
        ("better", 0.95, 3, date(2024, 3, 1)),
        ("worse", 0.4, 4, date(2024, 4, 1)),
    ):
        submit(tmp_path, name, {"test.jsonl": lines(built, share, seed)}, date=day)
    steps = only(made_board(tmp_path, built)).progress
    assert [(step.submission, step.best) for step in steps] == [
        ("first", True),
        ("twin", False),
        ("better", True),
        ("worse", False),
    ]


def test_people_stand_apart_as_the_mean_of_a_group(tmp_path: Path, built: Dataset) -> None:
    submit(tmp_path, "system", {"test.jsonl": lines(built, 0.5)})
    asked = lines(built, 1.0)[:20]
    wrong = [{**row, "answer": None} for row in asked[10:]]
    submit(
        tmp_path, "people", {"a.jsonl": people(asked, "ann"), "b.jsonl": people([*asked[:10], *wrong], "bea")}
    )
    found = only(made_board(tmp_path, built))
    assert [row.submission for row in found.rows] == ["system"]
    (row,) = found.people
    assert (row.group, row.people, row.figure.value, row.figure.n) == ("experts", 2, 0.75, 20)


def test_a_bad_submission_is_named_and_stops_nothing(tmp_path: Path, built: Dataset) -> None:
    submit(tmp_path, "good", {"test.jsonl": lines(built, 0.5)})
    submit(tmp_path, "bad", {"test.jsonl": lines(built, 0.5)[1:]}, date=date(2026, 8, 2))
    found = made_board(tmp_path, built)
    assert [system.submission for system in found.systems] == ["good"]
    ((refused,),) = ([*found.refused],)
    assert refused.submission == "bad"
    assert [fault.partition(" (")[0] for fault in refused.faults] == [
        "system.toml: date: 2026-08-02 is after today, 2026-08-01",
        "test.jsonl: 1 id has no line",
    ]


def test_the_name_of_a_refused_folder_is_shown_as_one_line(tmp_path: Path, built: Dataset) -> None:
    place = submit(tmp_path, "esc\x1b[31m\nred", {"t.jsonl": b"{}\n"})
    (place.parent / os.fsdecode(b"bad\xff")).mkdir()
    names = [refused.submission for refused in made_board(tmp_path, built).refused]
    assert len(names) == 2
    assert all(name.isprintable() for name in names)
    assert json.dumps(names).encode()


def test_the_order_of_folders_changes_nothing(tmp_path: Path, built: Dataset) -> None:
    rows = {name: lines(built, 0.6, seed) for seed, name in enumerate("abc")}
    for folder, order in ((tmp_path / "one", "abc"), (tmp_path / "other", "cab")):
        for name in order:
            submit(folder, name, {"test.jsonl": rows[name]})
    assert made_board(tmp_path / "one", built) == made_board(tmp_path / "other", built)


def test_a_folder_without_submissions_is_refused(tmp_path: Path, built: Dataset) -> None:
    (tmp_path / "submissions").mkdir()
    with pytest.raises(InputError, match="holds no folder of a submission"):
        made_board(tmp_path, built)


def test_a_hidden_split_that_no_dataset_has_is_refused(tmp_path: Path, built: Dataset) -> None:
    submit(tmp_path, "a", {"test.jsonl": lines(built, 0.5)})
    with pytest.raises(InputError, match="unknown split 'tset'"):
        made_board(tmp_path, built, hidden=["tset"])


def test_a_dataset_without_answers_is_refused(tmp_path: Path, built: Dataset) -> None:
    public = api.withhold(built, tmp_path / "public").dataset
    submit(tmp_path, "a", {"test.jsonl": lines(built, 0.5)})
    with pytest.raises(InputError, match="is a public copy, which holds no answers to score against"):
        made_board(tmp_path, public)


def test_files_find_their_dataset_among_several(tmp_path: Path, built: Dataset) -> None:
    other = decisions(tmp_path)
    submit(tmp_path, "a", {"cloze.jsonl": lines(built, 0.5), "decisions.jsonl": lines(other, 0.5)}, view="")
    found = made_board(tmp_path, built, other)
    assert [(part.dataset, part.kind) for part in found.parts] == [
        ("BioMRC", "cloze"),
        ("PubMedQA", "decision"),
    ]
