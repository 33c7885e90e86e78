"""What a submission's files are to a board."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tests.leaderboard.boards import TODAY, lines, people, submit

from anagnosis.datasets.folder.store import Dataset
from anagnosis.leaderboard.entries import Entry, entry
from anagnosis.leaderboard.golds import Golds
from anagnosis.leaderboard.submission import LARGEST_FILE, submission
from anagnosis.predictions import Problem, notes


def entered(folder: Path, built: Dataset, name: str, files: dict[str, Any], **about: Any) -> Entry:
    return entry(submission(submit(folder, name, files, **about), TODAY), Golds((built,)))


def test_a_note_that_names_another_view_is_a_fault(tmp_path: Path, built: Dataset) -> None:
    made = submit(tmp_path, "a", {"test.jsonl": lines(built, 0.5)}, view="names")
    notes.write(made / "test.jsonl", notes.Note(view="local"))
    assert entry(submission(made, TODAY), Golds((built,))).faults == (
        "--view: a saw the local view, not names",
    )


def test_answers_to_the_train_part_are_a_fault(tmp_path: Path, built: Dataset) -> None:
    found = entered(tmp_path, built, "a", {"t.jsonl": lines(built, 0.5, split="train")})
    assert found.faults == ("answers built train, which is for training and has no board",)


def test_a_view_of_another_kind_is_a_fault(tmp_path: Path, built: Dataset) -> None:
    found = entered(tmp_path, built, "a", {"test.jsonl": lines(built, 0.5)}, view="reasoning-required")
    assert found.faults[0].startswith(
        "system.toml: view: cloze questions have no view 'reasoning-required' (views: "
    )


def test_a_note_beside_predictions_says_what_the_system_was_trained_on(
    tmp_path: Path, built: Dataset
) -> None:
    made = submit(tmp_path, "a", {"test.jsonl": lines(built, 0.5)})
    notes.write(made / "test.jsonl", notes.Note(trained_on=Problem(7, ("x",))))
    found = entry(submission(made, TODAY), Golds((built,)))
    (system,) = found.systems.values()
    assert system.runs[0].problems["trained_on"].count == 7


def test_people_and_a_system_in_one_folder_are_a_fault(tmp_path: Path, built: Dataset) -> None:
    rows = lines(built, 0.5)
    found = entered(tmp_path, built, "a", {"a.jsonl": rows, "b.jsonl": people(rows, "ann")})
    assert found.faults == ("files of people and of a system are for one split; give each a folder",)


def test_two_files_of_one_person_are_a_fault(tmp_path: Path, built: Dataset) -> None:
    rows = people(lines(built, 0.5), "ann")
    assert entered(tmp_path, built, "a", {"a.jsonl": rows, "b.jsonl": rows}).faults == (
        "annotator 'ann' has two files",
    )


def test_faults_of_the_folder_and_of_every_file_are_reported_together(tmp_path: Path, built: Dataset) -> None:
    rows = lines(built, 0.5)
    found = entered(tmp_path, built, "a", {"a.jsonl": rows[1:], "b.jsonl": b"{}\n", "c.txt": b""}, team="")
    assert [fault.partition(":")[0] for fault in found.faults] == [
        "c.txt",
        "system.toml",
        "a.jsonl",
        "b.jsonl",
    ]


def test_a_fault_of_a_file_is_reported_once(tmp_path: Path, built: Dataset) -> None:
    made = submit(tmp_path, "a", {"test.jsonl": b""})
    os.truncate(made / "test.jsonl", LARGEST_FILE + 1)  # sparse
    (fault,) = entry(submission(made, TODAY), Golds((built,))).faults
    assert fault == "test.jsonl: has 256 MiB, 256 MiB at most, on disk and unpacked"
