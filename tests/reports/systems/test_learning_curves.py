"""Scores by training size: which systems are one curve, its numbers, and who is in none."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from tests.golds import Row, gold_of

from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.scoring import score
from anagnosis.evaluation.systems import System, Training
from anagnosis.predictions import Matched, match
from anagnosis.reports import RENDERERS, render
from anagnosis.reports.report import Block, Plot, Report, Text
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


def plots(blocks: Iterable[Block]) -> list[Plot]:
    return [block for block in blocks if isinstance(block, Plot)]


def test_runs_of_a_reader_on_more_and_more_instances_are_a_curve_with_all_seeds(row: MakeRow) -> None:
    rows = [row("whole", (16, 18), 400), row("quarter", (10, 12, 11), 100), row("half", (14,), 200)]
    (plot,) = plots(curve_blocks(rows, "test"))
    assert plot.title == "Accuracy by training size on test"
    assert [column.name for column in plot.data.columns][-3:] == ["run 1", "run 2", "run 3"]
    assert plot.data.rows == (
        ("as", 100, 0.25, 3, pytest.approx(0.55), pytest.approx(0.05), 0.5, 0.6, 0.55),
        ("as", 200, 0.5, 1, 0.7, None, 0.7, None, None),
        ("as", 400, 1.0, 2, pytest.approx(0.85), pytest.approx(0.05 * 2**0.5), 0.8, 0.9, None),
    )
    assert len(plot.data.signatures) == 3


def test_seeds_that_were_given_one_by_one_stand_together(row: MakeRow) -> None:
    rows = [row("a0", (10,), 100), row("a1", (12,), 100), row("b0", (14,), 200), row("b1", (16,), 200)]
    (plot,) = plots(curve_blocks(rows, "test"))
    assert [cells[1:5] for cells in plot.data.rows] == [(100, 0.5, 2, 0.55), (200, 1.0, 2, 0.75)]


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
    (plot,) = plots(curve_blocks(rows, "test"))
    assert list(dict.fromkeys(cells[0] for cells in plot.data.rows)) == [
        "as (wide-200)", "as (narrow-200)", "as (far-200)", "aoa",
    ]  # fmt: skip


def test_one_size_is_no_curve(row: MakeRow) -> None:
    assert list(curve_blocks([row("a", (10,), 100), row("b", (12,), 100)], "test")) == []
    assert list(curve_blocks([row("a", (10,), 100), row("b", (12,), 200)], "dev")) == []


def test_who_has_no_number_is_named_with_what_to_do(row: MakeRow) -> None:
    rows = [
        row("a", (10,), 100),
        row("b", (12,), 200),
        row("old", (9,), None),
        row("nobody", (9,), 300, None),
    ]
    *_, note = curve_blocks(rows, "test")
    assert isinstance(note, Text)
    assert note.text.startswith("In no curve by training size: old, nobody. ")
    assert "predict again from the run folders" in note.text


def test_a_single_system_without_a_number_is_not_spoken_of(row: MakeRow) -> None:
    assert list(curve_blocks([row("old", (9,), None)], "test")) == []
    assert len(list(curve_blocks([row("old", (9,), None), row("older", (9,), None)], "test"))) == 1


@pytest.mark.parametrize("ending", RENDERERS)
def test_every_renderer_shows_it(row: MakeRow, ending: str) -> None:
    report = Report("T", tuple(curve_blocks([row("a", (10,), 100), row("b", (13,), 200)], "test")))
    if ending != ".json":
        assert "65" in render(report, ending)
