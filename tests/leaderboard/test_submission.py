"""The folder of a submission: what a stranger puts there is named, and never followed."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.leaderboard.boards import submit
from tests.rows import each_row

from anagnosis.errors import InputError
from anagnosis.leaderboard import submission as module
from anagnosis.leaderboard.submission import SystemFile, submission, submissions

SOUND = 'name = "Ours"\nview = "names"\n'


@each_row(
    ("system", "fault"),
    [
        (SOUND, ""),
        ('name = "Ours"\n', ""),
        ('name = " "\n', "name: is no visible line"),
        (f'name = "{"x" * 81}"\n', "name: is no visible line"),
        ('name = "a\\nb"\n', "name: is no visible line"),
        ('name = "a\\u202eb"\n', "name: is no visible line"),
        ('view = "names"\n', "name"),
        ("name = 3\n", "name"),
        ('name = "Ours"\nview = "nmes"\n', "there is no view 'nmes'"),
        ('name = "Ours"\nteam = "x"\n', "team"),
        ("name = [", "system.toml: "),
        ("[" * 5000, "system.toml: "),
        ("#" * (module.LARGEST + 1), "is larger than 64 KiB"),
    ],
)
def test_each_fault_of_system_toml_is_named(tmp_path: Path, system: str, fault: str) -> None:
    found = submission(submit(tmp_path, "ours", {"test.jsonl": b"{}"}, system))
    if not fault:
        assert found.faults == ()
        assert found.system == SystemFile("Ours", "names" if "view" in system else "")
    else:
        assert found.system is None
        assert [fault in line for line in found.faults] == [True]
        assert "\n" not in found.faults[0]


def test_files_that_are_no_part_of_a_submission_are_faults(tmp_path: Path) -> None:
    place = submit(tmp_path, "ours", {"test.jsonl": b"{}", "notes.docx": b"", "README.md": b""}, SOUND)
    (place / "folder").mkdir()
    (place / "link.jsonl").symlink_to(place / "test.jsonl")
    (place / "a\u202eb.jsonl").write_text("{}")
    found = submission(place)
    assert [path.name for path in found.files] == ["a\u202eb.jsonl", "test.jsonl"]
    faults = sorted(found.faults)
    assert len(faults) == 4
    assert any("not visible" in fault for fault in faults)
    assert "folder: is no file" in faults
    assert "link.jsonl: is no file" in faults
    assert any(fault.startswith("notes.docx: is neither") for fault in faults)


def test_a_submission_without_system_or_answers_and_a_linked_one_are_refused(tmp_path: Path) -> None:
    (tmp_path / "submissions" / "empty").mkdir(parents=True)
    (tmp_path / "submissions" / "linked").symlink_to(tmp_path)
    empty, linked = submissions(tmp_path / "submissions")
    assert empty.faults == (
        "holds no predictions file (*.jsonl, *.jsonl.gz or *.jsonl.zst)",
        "system.toml: is missing, or is no file",
    )
    assert linked.faults == ("is a link, not a folder",)


def test_a_folder_without_submissions_is_refused(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("")
    with pytest.raises(InputError, match="holds no folder of a submission"):
        submissions(tmp_path)
