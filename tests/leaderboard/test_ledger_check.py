"""What `check` says with the ledger of a board: whether an entry is new, and whether the team may make it."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from tests.leaderboard.boards import TODAY, jsonl, lines, submit

from anagnosis import api
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError


@pytest.fixture
def held(tmp_path: Path, built: Dataset) -> dict[str, Any]:
    """What `check` is called with; the ledger knows an entry of another team in May and one of ours of today."""
    ledger = tmp_path / "entries.jsonl"
    ledger.touch()
    submit(tmp_path, "old", {"test.jsonl": lines(built, 0.5)}, team="Other", date=date(2026, 5, 1))
    submit(tmp_path, "ours", {"test.jsonl": lines(built, 0.5, 1)}, date=TODAY)
    how: dict[str, Any] = {"ledger": ledger, "today": TODAY}
    api.build_leaderboard(tmp_path / "submissions", [built], tmp_path / "site", hidden=["test"], **how)
    public = api.withhold(built, tmp_path / "public").dataset
    return {"datasets": [public], **how}


def test_a_new_entry_is_counted_and_one_too_many_is_a_fault(
    tmp_path: Path, built: Dataset, held: dict[str, Any]
) -> None:
    place = submit(tmp_path, "new", {"test.jsonl": lines(built, 0.5, 2)}, date=TODAY)
    before = held["ledger"].read_bytes()
    found = api.check_submission(place, **held)
    assert (found.faults, found.seen) == ((), ("public test: new, number 2 of 2 of Example Lab in 2026-08",))
    found = api.check_submission(place, **held, per_month=1)
    assert found.faults == (
        "public test: over the limit: of Example Lab the ledger has 1 in 2026-08, "
        "and a team may enter 1 system a month",
    )
    assert held["ledger"].read_bytes() == before


def test_an_entry_that_the_ledger_has_may_be_old_and_one_with_other_answers_may_not(
    tmp_path: Path, built: Dataset, held: dict[str, Any]
) -> None:
    place = tmp_path / "submissions" / "old"
    found = api.check_submission(place, **held, recent=14)
    assert (found.faults, found.seen) == ((), ("public test: first seen on 2026-05-01",))
    (place / "test.jsonl").write_bytes(jsonl(lines(built, 0.9, 5)))
    (fault,) = api.check_submission(place, **held, recent=14).faults
    assert fault.endswith("is more than 14 days before today, 2026-08-01")


def test_an_entry_on_open_splits_alone_is_not_known(
    tmp_path: Path, built: Dataset, held: dict[str, Any]
) -> None:
    place = submit(tmp_path, "dev", {"dev.jsonl": lines(built, 0.5, split="dev")}, date=date(2026, 5, 1))
    found = api.check_submission(place, **held, recent=14)
    assert found.seen == ()
    assert len(found.faults) == 1


def test_a_file_alone_and_a_dataset_that_withholds_nothing_are_refused(
    tmp_path: Path, built: Dataset, held: dict[str, Any]
) -> None:
    with pytest.raises(InputError, match="a file alone names no team, which --ledger asks for"):
        api.check_submission(tmp_path / "submissions" / "ours" / "test.jsonl", **held)
    held["datasets"] = [built]
    with pytest.raises(InputError, match="--ledger: no dataset withholds the answers of a split"):
        api.check_submission(tmp_path / "submissions" / "ours", **held)


def test_a_file_alone_has_no_date_to_be_recent(tmp_path: Path, built: Dataset) -> None:
    place = submit(tmp_path, "a", {"test.jsonl": lines(built, 0.5)})
    with pytest.raises(InputError, match="a file alone names no date, which --recent asks for"):
        api.check_submission(place / "test.jsonl", [built], recent=0)
