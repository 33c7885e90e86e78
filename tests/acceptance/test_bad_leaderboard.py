"""Submissions that a leaderboard does not take, as whoever submits and whoever holds the board sees them.

`check` prints a line for each fault and ends with 2. `build` names the submission, scores the others, and ends with 2
where it is asked to be strict.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

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


def with_file(at: Path, built: Dataset, content: Any, name: str = "test.jsonl") -> Path:
    return submit(at, "bad", {name: content})


def a_bomb(at: Path, built: Dataset) -> None:
    with_file(at, built, gzip.compress(b" " * (1 << 30), 9), "test.jsonl.gz")


def broken_toml(at: Path, built: Dataset) -> None:
    place = with_file(at, built, lines(built, 1))
    (place / "system.toml").write_text('name = "a\nteam')


def no_toml(at: Path, built: Dataset) -> None:
    (with_file(at, built, lines(built, 1)) / "system.toml").unlink()


def an_unknown_key(at: Path, built: Dataset) -> None:
    submit(at, "bad", {"test.jsonl": lines(built, 1)}, trainingdata="x")


def not_json(at: Path, built: Dataset) -> None:
    with_file(at, built, jsonl(lines(built, 1)) + b"\xff\xfe\n")


BAD: list[tuple[Callable[[Path, Dataset], None], str]] = [
    (a_bomb, "test.jsonl.gz: has more than 256 MiB unpacked"),
    (broken_toml, "system.toml: is not TOML: "),
    (no_toml, "system.toml: is missing"),
    (an_unknown_key, "unknown key 'trainingdata' (did you mean training_data or training_cutoff?)"),
    (not_json, "not JSON ("),
]


@each_row("make, line", BAD, ids=lambda value: getattr(value, "__name__", ""))
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


def test_build_names_it_scores_the_others_and_ends_with_2_where_it_is_strict(
    built: Dataset, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    not_json(tmp_path, built)
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
