"""Predictions of datasets that a board does not have: faults, or left out and counted where that is asked for."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner
from tests.leaderboard.boards import TODAY, lines, submit

from anagnosis.cli.commands.leaderboard import leaderboard
from anagnosis.datasets.folder.store import Dataset
from anagnosis.leaderboard.board import OtherDatasets
from anagnosis.leaderboard.building import board

ELSEWHERE = [{"id": "q1", "answer": "yes", "dataset": "ab" * 32}]


def test_they_are_faults_unless_they_are_to_be_left_out(tmp_path: Path, built: Dataset) -> None:
    submit(tmp_path, "both", {"here.jsonl": lines(built, 0.5), "there.jsonl": ELSEWHERE})
    submit(tmp_path, "other", {"there.jsonl": ELSEWHERE})
    refused = board(tmp_path / "submissions", [built], today=TODAY)
    assert [each.submission for each in refused.refused] == ["both", "other"]
    assert refused.other_datasets == ()
    found = board(tmp_path / "submissions", [built], today=TODAY, leave_out_others=True)
    assert [system.submission for system in found.systems] == ["both"]
    assert found.refused == ()
    assert found.other_datasets == (
        OtherDatasets("both", ("there.jsonl",)),
        OtherDatasets("other", ("there.jsonl",)),
    )


def test_what_names_no_dataset_or_has_other_faults_is_refused_as_ever(tmp_path: Path, built: Dataset) -> None:
    rows = lines(built, 0.5)
    submit(tmp_path, "mixed", {"test.jsonl": [*rows[1:], *ELSEWHERE]})
    submit(tmp_path, "unnamed", {"test.jsonl": [{"id": "q1", "answer": "yes"}]})
    submit(tmp_path, "broken", {"test.jsonl": b"\x1f\x8b no gzip"})
    submit(tmp_path, "undated", {"there.jsonl": ELSEWHERE}, date=None)
    found = board(tmp_path / "submissions", [built], today=TODAY, leave_out_others=True)
    assert [each.submission for each in found.refused] == ["broken", "mixed", "undated", "unnamed"]


def test_the_command_counts_them(tmp_path: Path, built: Dataset) -> None:
    submit(tmp_path, "both", {"here.jsonl": lines(built, 0.5), "there.jsonl": ELSEWHERE})
    call = [
        "build",
        str(tmp_path / "submissions"),
        "--gold",
        str(built.folder),
        "--leave-out-others",
        "--strict",
    ]
    said = CliRunner().invoke(leaderboard, call)
    assert said.exit_code == 0
    assert (
        said.stdout.splitlines()[-1]
        == "left out: 1 file of 1 submission, made for datasets that no --gold names"
    )
