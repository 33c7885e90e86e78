"""Scores by training size: which systems are one curve, its numbers, and who is in none."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from tests.golds import Row, gold_of
from tests.predictions.matched import match
from tests.reports.stored import check_stored

from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.scoring import score
from anagnosis.evaluation.systems import System, Training
from anagnosis.predictions import Matched
from anagnosis.reports.systems.learning_curves import curve_blocks
from anagnosis.reports.systems.systems import Row as RowOfSystem

N = 20
MakeRow = Callable[..., RowOfSystem]


@pytest.fixture
def gold() -> Gold:
    return gold_of([Row(str(n), ("a", "b"), 0) for n in range(N)])


@pytest.fixture
def row(tmp_path: Path, gold: Gold) -> MakeRow:
    """A system of runs of which so many answers are right. instances: it was trained on."""

    def made(
        name: str, right: Iterable[int], instances: int | None, reader: str | None = "as", **more: Any
    ) -> RowOfSystem:
        runs: list[Matched] = []
        for number, count in enumerate(right):
            path = tmp_path / f"{name}-{number}.jsonl"
            lines = [json.dumps({"id": str(n), "answer": "ab"[n >= count]}) for n in range(N)]
            path.write_text("\n".join(lines) + "\n")
            runs.append(match(path, gold))
        view = more.pop("view", "local")
        known = Training(1, 1.0, instances=instances, reader=reader, **more)
        system = System(name, tuple(runs), view=view, training=known)
        return RowOfSystem(name, {"test": score(gold, system, protocol="answer")}, known, view)

    return made


def test_runs_of_a_reader_on_more_and_more_instances_are_a_curve_with_all_seeds(row: MakeRow) -> None:
    rows = [
        row("whole", (16, 18), 400),
        row("quarter", (10, 12), 100),
        row("quarter-2", (11,), 100),
        row("half", (14,), 200),
        row("old", (9,), None),
        row("nobody", (9,), 300, None),
    ]
    check_stored("learning-curve", curve_blocks(rows, "test"))


def test_other_recipes_views_and_readers_are_other_curves(row: MakeRow) -> None:
    rows = [
        row(f"{name}-{size}", (10,), size, settings=settings, view=view, reader=reader)
        for name, settings, view, reader in (
            ("wide", "w", "local", "as"),
            ("narrow", "n", "local", "as"),
            ("far", "w", "global", "as"),
            ("other", "w", "local", "aoa"),
        )
        for size in (100, 200)
    ]
    check_stored("learning-curves", curve_blocks(rows, "test"))


def test_one_size_is_no_curve_and_a_single_system_without_a_number_is_not_spoken_of(row: MakeRow) -> None:
    for rows, split, count in (
        ([row("a", (10,), 100), row("b", (12,), 100)], "test", 0),
        ([row("a", (10,), 100), row("b", (12,), 200)], "dev", 0),
        ([row("old", (9,), None)], "test", 0),
        ([row("old", (9,), None), row("older", (9,), None)], "test", 1),
    ):
        assert len([*curve_blocks(rows, split)]) == count
