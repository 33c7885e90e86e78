"""`check` says before an upload what `build` would say of it."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from tests.leaderboard.boards import TODAY, lines, submit

from anagnosis import api
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError


def test_a_sound_submission_is_sound_on_the_public_copy(tmp_path: Path, built: Dataset) -> None:
    public = api.withhold(built, tmp_path / "public").dataset
    place = submit(tmp_path, "a", {"test.jsonl": lines(built, 0.5)})
    found = api.check_submission(place, [public], today=TODAY)
    assert (found.sound, found.name, found.files) == (True, "a", {"test.jsonl": "public test"})
    alone = api.check_submission(place / "test.jsonl", [public], today=TODAY)
    assert (alone.sound, alone.files) == (True, {"test.jsonl": "public test"})


def test_it_reports_what_build_reports(tmp_path: Path, built: Dataset) -> None:
    public = api.withhold(built, tmp_path / "public").dataset
    rows = lines(built, 0.5)
    place = submit(
        tmp_path, "a", {"test.jsonl": [*rows[1:], rows[1]]}, date=date(2027, 1, 1), name="a\u202eb"
    )
    faults = api.check_submission(place, [public], today=TODAY).faults
    board = api.build_leaderboard(tmp_path / "submissions", [built], today=TODAY)
    assert board.refused[0].faults == faults
    assert len(faults) == 4


def test_what_does_no_harm_is_counted(tmp_path: Path, built: Dataset) -> None:
    rows = lines(built, 0.5)
    rows[0]["answer"] = "nothing of the kind"
    place = submit(tmp_path, "a", {"test.jsonl": rows})
    found = api.check_submission(place, [built], today=TODAY)
    assert found.sound
    assert found.notes == {"test.jsonl": {"unmapped": 1}}


def test_a_path_that_is_not_there_and_no_dataset_are_refused(tmp_path: Path, built: Dataset) -> None:
    with pytest.raises(InputError, match="no such file or folder"):
        api.check_submission(tmp_path / "a", [built])
    with pytest.raises(InputError, match="no dataset"):
        api.check_submission(tmp_path, [])


def test_a_new_entry_may_not_be_dated_into_a_month_that_is_past(tmp_path: Path, built: Dataset) -> None:
    place = submit(tmp_path, "a", {"test.jsonl": lines(built, 0.5)}, date=date(2026, 7, 25))
    assert api.check_submission(place, [built], today=TODAY, recent=7).sound
    found = api.check_submission(place, [built], today=TODAY, recent=6)
    assert found.faults == ("system.toml: date: 2026-07-25 is more than 6 days before today, 2026-08-01",)
