"""`check` says before an upload what `build` would say of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from tests.leaderboard.boards import TODAY, decisions, jsonl, lines, people, submit
from tests.rows import each_row

from anagnosis import api
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError


@pytest.fixture(scope="module")
def labelled(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return decisions(tmp_path_factory.mktemp("labelled"))


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


def unlabelled(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**rows[0], "answer": "perhaps"}, *rows[1:]]


def of_one_annotator_with_a_long_name(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return people(rows[:5], "x" * 200)


def of_a_group_with_a_long_name(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return people(rows[:5], "ann", "g" * 81)


def of_nobody_and_somebody(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [*people(rows[:5], "ann"), *rows[5:]]


def without_a_line(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return rows[1:]


def unchanged(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return rows


@each_row(
    ("change", "fault"),
    [
        (unlabelled, "p.jsonl: answers that are none of "),
        (of_one_annotator_with_a_long_name, "the annotator or group "),
        (of_a_group_with_a_long_name, "the annotator or group "),
        (of_nobody_and_somebody, "p.jsonl: some lines have an annotator"),
        (without_a_line, "p.jsonl: 1 id has no line"),
        (unchanged, None),
    ],
)
def test_a_file_has_the_verdict_of_its_folder_and_of_build(
    tmp_path: Path,
    labelled: Dataset,
    change: Callable[[list[dict[str, Any]]], list[dict[str, Any]]],
    fault: str | None,
) -> None:
    place = submit(tmp_path, "a", {"p.jsonl": change(lines(labelled, 0.5))}, view="question-only")
    of_file, of_folder = (
        api.check_submission(path, [labelled], today=TODAY) for path in (place / "p.jsonl", place)
    )
    board = api.build_leaderboard(tmp_path / "submissions", [labelled], today=TODAY)
    refused = board.refused[0].faults if board.refused else ()
    assert of_file.faults == of_folder.faults == refused
    assert of_file.name == "p.jsonl"
    assert [each.startswith(fault or "") for each in refused] == ([True] if fault else [])


def test_a_file_that_a_folder_may_not_hold_is_not_sound(tmp_path: Path, built: Dataset) -> None:
    path = tmp_path / "p.json"
    path.write_bytes(jsonl(lines(built, 0.5)))
    (fault,) = api.check_submission(path, [built], today=TODAY).faults
    assert fault.startswith("p.json: is neither system.toml nor a predictions file (*.jsonl, ")


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


def test_a_file_alone_has_no_date_to_be_recent(tmp_path: Path, built: Dataset) -> None:
    place = submit(tmp_path, "a", {"test.jsonl": lines(built, 0.5)})
    with pytest.raises(InputError, match="a file alone names no date, which --recent asks for"):
        api.check_submission(place / "test.jsonl", [built], recent=0)
