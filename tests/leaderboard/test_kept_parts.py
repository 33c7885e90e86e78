"""The finished parts of a build that was killed are taken up, and never for anything else."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.leaderboard.boards import TODAY, lines, submit
from tests.rows import each_row

from anagnosis.datasets.folder.store import Dataset
from anagnosis.leaderboard import building, parts, shortcut_gains
from anagnosis.leaderboard.board import Board, LedgerEnd
from anagnosis.leaderboard.building import board
from anagnosis.leaderboard.kept_parts import KeptParts
from anagnosis.leaderboard.ledger import Ledger
from anagnosis.leaderboard.ledger_chain import LedgerLine


def made(folder: Path, built: Dataset, **how: Any) -> Board:
    (folder / "kept").mkdir(exist_ok=True)
    return board(folder / "submissions", [built], today=TODAY, kept=KeptParts(folder / "kept"), **how)


def parts_of(folder: Path) -> list[Path]:
    """The files of whole parts; those of pieces have two dots."""
    return [path for path in (folder / "kept").iterdir() if path.name.count(".") == 1]


def test_a_part_is_made_once_and_comes_back_as_it_was(
    tmp_path: Path, built: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    submit(tmp_path, "a", {"test.jsonl": lines(built, 0.5), "dev.jsonl": lines(built, 0.5, split="dev")})
    first = made(tmp_path, built)
    assert len(parts_of(tmp_path)) == 2

    def fails(*given: object) -> None:
        raise AssertionError("made again")

    monkeypatch.setattr(building, "part", fails)
    assert made(tmp_path, built) == first


def test_another_day_in_the_ledger_makes_the_part_anew(tmp_path: Path, built: Dataset) -> None:
    submit(tmp_path, "a", {"test.jsonl": lines(built, 0.5)})
    for day in (TODAY, TODAY - timedelta(1)):

        def seen(own: Sequence[LedgerLine], _: date, day: date = day) -> Ledger:
            return Ledger([replace(line, first_seen=day) for line in own], LedgerEnd(0, ""))

        (part,) = made(tmp_path, built, hidden=["test"], ledger=seen).parts
        assert [step.date for step in part.standings[0].progress] == [day]


@each_row("change", ["predictions", "note", "system", "setting", "submission"])
def test_whatever_changes_makes_the_part_anew(tmp_path: Path, built: Dataset, change: str) -> None:
    place = submit(tmp_path, "a", {"test.jsonl": lines(built, 0.5)})
    made(tmp_path, built)
    before = {path.name for path in parts_of(tmp_path)}
    how: dict[str, Any] = {}
    if change == "predictions":
        (place / "test.jsonl").write_bytes((place / "test.jsonl").read_bytes() + b"\n")
    elif change == "note":
        (place / "test.run.json").write_text("{}")
    elif change == "system":
        (place / "system.toml").write_text((place / "system.toml").read_text().replace("A system", "Another"))
    elif change == "setting":
        how["hidden"] = ["test"]
    else:
        submit(tmp_path, "b", {"test.jsonl": lines(built, 0.6)})
    made(tmp_path, built, **how)
    assert len({path.name for path in parts_of(tmp_path)} - before) == 1


def test_a_damaged_part_is_made_anew(tmp_path: Path, built: Dataset) -> None:
    submit(tmp_path, "a", {"test.jsonl": lines(built, 0.5)})
    first = made(tmp_path, built)
    for kept in (tmp_path / "kept").iterdir():
        kept.write_text('{"dataset": 3}')
    assert made(tmp_path, built) == first


def test_the_finished_pieces_of_a_part_that_is_not_are_taken_up(
    tmp_path: Path, built: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "ab":
        submit(tmp_path, name, {"test.jsonl": lines(built, 0.5)})
    first = made(tmp_path, built)
    (whole,) = parts_of(tmp_path)
    pieces = {path.name.split(".")[1] for path in (tmp_path / "kept").iterdir() if path != whole}
    assert pieces == {"gains-0", "standing-0"}
    whole.unlink()

    def fails(*given: object) -> None:
        raise AssertionError("made again")

    monkeypatch.setattr(parts, "standing", fails)
    monkeypatch.setattr(shortcut_gains, "_gains", fails)
    monkeypatch.setattr(shortcut_gains, "shortcut_readers", fails)
    assert made(tmp_path, built) == first


@pytest.mark.parametrize("piece", ["gains-0", "standing-0"])
def test_a_damaged_piece_is_made_anew(tmp_path: Path, built: Dataset, piece: str) -> None:
    submit(tmp_path, "a", {"test.jsonl": lines(built, 0.5)})
    first = made(tmp_path, built)
    for whole in parts_of(tmp_path):
        whole.unlink()
    (damaged,) = (tmp_path / "kept").glob(f"*.{piece}.json")
    damaged.write_bytes(damaged.read_bytes()[:-20])
    assert made(tmp_path, built) == first
