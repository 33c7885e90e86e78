"""Submissions that a leaderboard does not take, as whoever submits and whoever holds the board sees them.

`check` prints a line for each fault and ends with 2. `build` names the submission, scores the others, and ends with 2
where it is asked to be strict.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.builds import contents
from tests.disk import full_after
from tests.leaderboard import boards
from tests.leaderboard.boards import jsonl, lines, submit
from tests.refusals import refused

from anagnosis.cli import run
from anagnosis.datasets.folder.store import Dataset


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return boards.dataset(tmp_path_factory.mktemp("board"))


def with_file(at: Path, built: Dataset, content: Any, name: str = "test.jsonl") -> Path:
    return submit(at, "bad", {name: content})


def fields_of_the_gold(at: Path, built: Dataset) -> None:
    with_file(at, built, [{**row, "label": "yes", "candidates": []} for row in lines(built, 1)])


def the_dataset_itself(at: Path, built: Dataset) -> None:
    from anagnosis import api

    api.export(built, at / "rows", layout="jsonl")
    with_file(at, built, (at / "rows" / "test.jsonl").read_bytes())


def ten_gigabytes(at: Path, built: Dataset) -> None:
    place = with_file(at, built, lines(built, 1))
    with (place / "test.jsonl").open("r+b") as file:
        file.truncate(10 << 30)


def a_bomb(at: Path, built: Dataset) -> None:
    with_file(at, built, gzip.compress(b" " * (1 << 30), 9), "test.jsonl.gz")


def an_endless_line(at: Path, built: Dataset) -> None:
    with_file(at, built, b'{"id": "' + b"x" * (17 << 20))


def a_name_of_control_characters(at: Path, built: Dataset) -> None:
    submit(at, "bad", {"test.jsonl": lines(built, 1)}, name="\x1b]0;owned\x07")


def a_name_that_turns_the_line_round(at: Path, built: Dataset) -> None:
    submit(at, "bad", {"test.jsonl": lines(built, 1)}, team="\u202eabc")


def dated_tomorrow(at: Path, built: Dataset) -> None:
    submit(at, "bad", {"test.jsonl": lines(built, 1)}, date=date.today() + timedelta(1))


def broken_toml(at: Path, built: Dataset) -> None:
    place = with_file(at, built, lines(built, 1))
    (place / "system.toml").write_text('name = "a\nteam')


def deep_toml(at: Path, built: Dataset) -> None:
    place = with_file(at, built, lines(built, 1))
    (place / "system.toml").write_text("name = " + "[" * 20_000)


def no_toml(at: Path, built: Dataset) -> None:
    (with_file(at, built, lines(built, 1)) / "system.toml").unlink()


def an_unknown_key(at: Path, built: Dataset) -> None:
    submit(at, "bad", {"test.jsonl": lines(built, 1)}, trainingdata="x")


def a_link_to_the_gold(at: Path, built: Dataset) -> None:
    place = with_file(at, built, lines(built, 1))
    (place / "gold.jsonl").symlink_to(built.folder / "receipt.json")


def a_link_for_a_folder(at: Path, built: Dataset) -> None:
    (at / "submissions").mkdir()
    (at / "submissions" / "bad").symlink_to(built.folder)


def another_dataset(at: Path, built: Dataset) -> None:
    with_file(at, built, [{**row, "dataset": "0" * 64} for row in lines(built, 1)])


def ids_that_are_missing_repeated_and_unknown(at: Path, built: Dataset) -> None:
    rows = lines(built, 1)
    with_file(at, built, [*rows[2:], rows[2], {"id": "x", "answer": "y"}])


def scores_that_are_no_numbers(at: Path, built: Dataset) -> None:
    rows = jsonl([{**row, "scores": {"a": 7}} for row in lines(built, 1)])
    with_file(at, built, rows.replace(b"7}", b"NaN}", 1))


def not_json(at: Path, built: Dataset) -> None:
    with_file(at, built, jsonl(lines(built, 1)) + b"\xff\xfe\n")


def truncated_gzip(at: Path, built: Dataset) -> None:
    with_file(at, built, gzip.compress(jsonl(lines(built, 1)))[:-20], "test.jsonl.gz")


def nothing(at: Path, built: Dataset) -> None:
    with_file(at, built, b"")


def a_file_of_another_sort(at: Path, built: Dataset) -> None:
    submit(at, "bad", {"test.jsonl": lines(built, 1), "run.sh": b"#!/bin/sh\n"})


BAD: list[tuple[Callable[[Path, Dataset], None], str]] = [
    (fields_of_the_gold, "have fields of the dataset, as its gold has ('label'"),
    (the_dataset_itself, "have fields of the dataset, as its gold has ("),
    (ten_gigabytes, "test.jsonl: has 10,240 MiB, 256 MiB at most, on disk and unpacked"),
    (a_bomb, "test.jsonl.gz: has more than 256 MiB unpacked"),
    (an_endless_line, "test.jsonl: line 1: the line is longer than 16 MiB"),
    (
        a_name_of_control_characters,
        "name: holds characters that are not visible or that steer text (U+0007, U+001B)",
    ),
    (
        a_name_that_turns_the_line_round,
        "team: holds characters that are not visible or that steer text (U+202E)",
    ),
    (dated_tomorrow, f"date: {date.today() + timedelta(1)} is after today, {date.today()}"),
    (broken_toml, "system.toml: is not TOML: "),
    (deep_toml, "system.toml: is not TOML: "),
    (no_toml, "system.toml: is missing"),
    (an_unknown_key, "unknown key 'trainingdata' (did you mean training_data or training_cutoff?)"),
    (a_link_to_the_gold, "gold.jsonl: is a link, not a file"),
    (a_link_for_a_folder, "is a link, not a folder"),
    (another_dataset, "made for another dataset or split (000000000000; here: built train "),
    (ids_that_are_missing_repeated_and_unknown, "2 ids have no line ("),
    (ids_that_are_missing_repeated_and_unknown, "1 line repeats an id ("),
    (ids_that_are_missing_repeated_and_unknown, "1 id is not in the dataset ('x')"),
    (scores_that_are_no_numbers, "line 1: NaN and Infinity are no numbers in JSON"),
    (not_json, "not JSON ("),
    (truncated_gzip, "the compressed file ends too early"),
    (nothing, "test.jsonl: holds no predictions"),
    (a_file_of_another_sort, "run.sh: is neither system.toml nor a predictions file"),
]


@pytest.mark.parametrize(("make", "line"), BAD, ids=lambda value: getattr(value, "__name__", ""))
def test_check_prints_a_line_for_each_fault_and_ends_with_2(
    make: Callable[[Path, Dataset], None],
    line: str,
    built: Dataset,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    make(tmp_path, built)
    capfd.readouterr()
    assert (
        run(["leaderboard", "check", str(tmp_path / "submissions" / "bad"), "--dataset", str(built.folder)])
        == 2
    )
    out, err = capfd.readouterr()
    assert [each for each in out.splitlines() if line in each], out
    assert out.splitlines()[-1].startswith("NOT sound: ")
    assert not err
    assert all(len(each) < 500 for each in out.splitlines())


@pytest.mark.parametrize(
    "make", list(dict.fromkeys(make for make, _ in BAD)), ids=lambda value: getattr(value, "__name__", "")
)
def test_build_names_it_scores_the_others_and_ends_with_2_where_it_is_strict(
    make: Callable[[Path, Dataset], None], built: Dataset, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    make(tmp_path, built)
    submit(tmp_path, "good", {"test.jsonl": lines(built, 0.5)}, name="The good one")
    words = ["leaderboard", "build", str(tmp_path / "submissions"), "--gold", str(built.folder)]
    capfd.readouterr()
    assert run([*words, "--out", str(tmp_path / "site")]) == 0
    out = capfd.readouterr().out
    assert "BioMRC test global: 1 system\n" in out
    assert "not scored: bad: " in out
    index = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert "The good one" in index
    assert "<strong>bad</strong>" in index
    assert run([*words, "--strict", "--json"]) == 2
    assert json.loads(capfd.readouterr().out)["refused"][0]["submission"] == "bad"


def test_a_full_disk_ends_a_build_in_one_line_and_leaves_the_earlier_site(
    built: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """(Both streams stay in memory: a file of theirs would be full, too.)"""
    submit(tmp_path, "good", {"test.jsonl": lines(built, 0.5)})
    words = [
        "-q",
        "leaderboard",
        "build",
        str(tmp_path / "submissions"),
        "--gold",
        str(built.folder),
        "--out",
    ]
    site = tmp_path / "site"
    assert run([*words, str(site)]) == 0
    before = contents(site)
    submit(tmp_path, "second", {"test.jsonl": lines(built, 0.6)})
    for size in (0, 3000):
        capsys.readouterr()
        with full_after(size):
            assert run([*words, str(site)]) == 2
        line = capsys.readouterr().err
        assert line.count("\n") == 1
        assert "writing failed" in line
        assert contents(site) == before


MISTAKES: list[tuple[list[str], str]] = [
    (["build", "nowhere", "--gold", "{built}"], "nowhere: no such file or directory"),
    (["build", "{at}", "--gold", "nowhere"], "nowhere: no such dataset folder"),
    (["build", "{at}", "--gold", "{built}"], "holds no folder of a submission"),
    (["build", "{at}", "--gold", "{built}", "--hidden", "tset"], "unknown split 'tset'"),
    (["build", "{at}", "--gold", "{built}", "--measure", "acuracy"], "unknown measure 'acuracy'"),
    (["build", "{at}", "--gold", "{built}", "--per-month", "0"], "--per-month"),
    (["check", "nowhere", "--dataset", "{built}"], "nowhere: no such file or folder"),
    (["withhold", "{built}", "--out", "{at}/public", "--split", "tset"], "unknown split 'tset'"),
    (["withhold", "{built}", "--out", "{at}/public", "--hide", "label"], "unknown part of the gold 'label'"),
    (["withhold", "{built}", "--out", "{built}/public"], "which holds nothing else"),
    (["biuld"], "No such command 'biuld'"),
]


@pytest.mark.parametrize(
    ("words", "line"), MISTAKES, ids=lambda value: value[0] if isinstance(value, list) else ""
)
def test_a_mistake_of_the_holder_is_one_line(
    words: list[str], line: str, built: Dataset, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "submissions").mkdir()
    given = [word.format(built=built.folder, at=tmp_path / "submissions") for word in words]
    assert line in refused(["-q", "leaderboard", *given], capfd)
