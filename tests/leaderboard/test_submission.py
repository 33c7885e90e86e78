"""A submission's folder: which files count, which are faults, and that no link is followed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.leaderboard.boards import TODAY, submit

from anagnosis.leaderboard.submission import LARGEST_FILE, MOST_FILES, submission, submissions

LINE = b'{"id": "1", "answer": "x"}\n'


def test_predictions_in_any_compression_are_files_of_the_system(tmp_path: Path) -> None:
    made = submit(
        tmp_path, "a", {"b.jsonl.gz": LINE, "a.jsonl": LINE, "c.jsonl.zst": LINE, "a.run.json": b"{}"}
    )
    (made / "README.md").write_text("What this is.")
    found = submission(made, TODAY)
    assert [path.name for path in found.files] == ["a.jsonl", "b.jsonl.gz", "c.jsonl.zst"]
    assert found.faults == ()


def test_a_link_is_a_fault_and_is_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "gold.jsonl"
    secret.write_bytes(LINE)
    made = submit(tmp_path, "a", {"a.jsonl": LINE})
    (made / "b.jsonl").symlink_to(secret)
    found = submission(made, TODAY)
    assert [path.name for path in found.files] == ["a.jsonl"]
    assert found.faults == ("b.jsonl: is a link, not a file",)


def test_a_link_for_system_toml_or_for_the_folder_is_a_fault(tmp_path: Path) -> None:
    made = submit(tmp_path, "a", {"a.jsonl": LINE})
    (made / "system.toml").rename(tmp_path / "elsewhere.toml")
    (made / "system.toml").symlink_to(tmp_path / "elsewhere.toml")
    assert submission(made, TODAY).faults == ("system.toml: is a link, not a file",)
    (tmp_path / "submissions" / "b").symlink_to(made)
    assert submission(tmp_path / "submissions" / "b", TODAY).faults == ("is a link, not a folder",)


def test_other_files_folders_and_pipes_are_faults(tmp_path: Path) -> None:
    made = submit(tmp_path, "a", {"a.jsonl": LINE, "a.json": b"{}"})
    (made / "more").mkdir()
    os.mkfifo(made / "p.jsonl")
    assert submission(made, TODAY).faults == (
        "a.json: is neither system.toml nor a predictions file (*.jsonl, *.jsonl.gz or *.jsonl.zst); "
        "take it out of the folder",
        "more: is no file",
        "p.jsonl: is no file",
    )


def test_a_file_of_ten_gigabytes_is_refused_by_its_size(tmp_path: Path) -> None:
    made = submit(tmp_path, "a", {"a.jsonl": LINE})
    with (made / "a.jsonl").open("r+b") as file:
        file.truncate(10 << 30)
    assert submission(made, TODAY).faults == (
        "a.jsonl: has 10,240 MiB, 256 MiB at most, on disk and unpacked",
    )


def test_too_many_files_and_none_are_faults(tmp_path: Path) -> None:
    many = submit(tmp_path, "many", {f"{n}.jsonl": LINE for n in range(MOST_FILES + 1)})
    assert submission(many, TODAY).faults == ("holds 101 predictions files, 100 at most",)
    none = submit(tmp_path, "none", {})
    assert submission(none, TODAY).faults == (
        "holds no predictions file (*.jsonl, *.jsonl.gz or *.jsonl.zst)",
    )


@pytest.mark.parametrize("name", ["a\x1bb", "a\u202eb"])
def test_a_folder_of_unseen_characters_is_a_fault_and_is_shown_masked(tmp_path: Path, name: str) -> None:
    found = submission(submit(tmp_path, name, {"a.jsonl": LINE}), TODAY)
    assert found.faults == (
        "the name of the folder holds characters that are not visible or that steer text",
    )
    assert found.shown.isprintable()


def test_submissions_come_by_name_and_files_beside_them_are_nobodys(tmp_path: Path) -> None:
    for name in ("b", "a", ".hidden"):
        submit(tmp_path, name, {"a.jsonl": LINE})
    (tmp_path / "submissions" / "README.md").write_text("How to enter.")
    assert [each.name for each in submissions(tmp_path / "submissions", TODAY)] == ["a", "b"]


def test_the_limit_itself_is_no_fault(tmp_path: Path) -> None:
    made = submit(tmp_path, "a", {"a.jsonl": LINE})
    with (made / "a.jsonl").open("r+b") as file:
        file.truncate(LARGEST_FILE)
    assert submission(made, TODAY).faults == ()


def test_files_of_unseen_characters_are_faults(tmp_path: Path) -> None:
    made = submit(tmp_path, "a", {"a\x80.jsonl": LINE, "a\x81.jsonl": LINE})
    fault = "a\ufffd.jsonl: the name holds characters that are not visible or that steer text"
    assert submission(made, TODAY).faults == (fault,)
