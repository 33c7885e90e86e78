"""Submissions that a leaderboard does not take, as whoever submits and whoever holds the board sees them.

`check` prints a line for each fault and ends with 2. `build` names the submission, scores the others, and ends with 2
where it is asked to be strict.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.leaderboard import boards
from tests.leaderboard.boards import jsonl, lines, submit
from tests.refusals import refused
from tests.rows import each_row

from anagnosis.cli import run
from anagnosis.datasets.folder.store import Dataset


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return boards.dataset(tmp_path_factory.mktemp("board"))


def broken(built: Dataset) -> bytes:
    """A predictions file whose last line is no JSON."""
    return jsonl(lines(built, 1)) + b"\xff\xfe\n"


def test_check_prints_a_line_for_each_fault_and_ends_with_2(
    built: Dataset, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """What is a fault is tested in tests/leaderboard: of a file, of its folder, of system.toml."""
    place = submit(tmp_path, "bad", {"test.jsonl": broken(built), "run.sh": b"#!/bin/sh"}, trainingdata="x")
    capfd.readouterr()
    assert run(["leaderboard", "check", str(place), "--dataset", str(built.folder)]) == 2
    out, err = capfd.readouterr()
    for line in (
        "not JSON (",
        "unknown key 'trainingdata' (did you mean",
        "run.sh: is neither system.toml nor",
    ):
        assert [each for each in out.splitlines() if line in each], out
    assert out.splitlines()[-1].startswith("NOT sound: ")
    assert not err
    assert all(len(each) < 500 for each in out.splitlines())


def test_build_names_it_scores_the_others_and_ends_with_2_where_it_is_strict(
    built: Dataset, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    submit(tmp_path, "bad", {"test.jsonl": broken(built)})
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


MISTAKES: list[tuple[list[str], str]] = [
    (["build", "{at}", "--gold", "{built}", "--hidden", "tset"], "unknown split 'tset'"),
    (["build", "{at}", "--gold", "{built}", "--per-month", "0"], "--per-month"),
    (["biuld"], "No such command 'biuld'"),
]


@each_row("words, line", MISTAKES, ids=lambda value: value[0] if isinstance(value, list) else "")
def test_a_mistake_of_the_holder_is_one_line(
    words: list[str], line: str, built: Dataset, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "submissions").mkdir()
    given = [word.format(built=built.folder, at=tmp_path / "submissions") for word in words]
    assert line in refused(["-q", "leaderboard", *given], capfd)
