from __future__ import annotations

import io
import re

import pytest
from tests.reports.samples import SYSTEMS, every_block, everywhere
from tests.rows import each_row

from anagnosis.reports.renderers.plain import render
from anagnosis.reports.renderers.terminal import show
from anagnosis.reports.report import Cell, Column, Estimate, Report, Table


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def _shown(report: Report, width: int, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setenv("COLUMNS", str(width))
    screen = Screen()
    show(report, screen)
    return [line.rstrip() for line in re.sub(r"\x1b\[[0-9;]*m", "", screen.getvalue()).splitlines()]


def test_a_pipe_gets_plain_text_and_a_terminal_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = io.StringIO()
    show(every_block(), pipe)
    assert pipe.getvalue() == render(every_block())
    screen = "\n".join(_shown(every_block(), 120, monkeypatch))
    for words in (
        "A report",
        "plain words",
        "warning",
        "56.50",
        "0.041",
        "lung cancer",
        "Wilson",
        "3fa92c",
        "77b1d0",
    ):
        assert words in screen


def test_a_name_cannot_command_the_terminal() -> None:
    screen = Screen()
    show(everywhere("\x1b[31mred\x07\u202e[bold]x[/bold]"), screen)
    shown = screen.getvalue()
    assert "\x1b[31mred" not in shown
    assert not {"\x07", "\u202e"} & set(shown)
    assert "[bold]x[/bold]" in shown


def _wide(systems: int) -> Report:
    row: tuple[Cell, ...] = ("first-entity", None, *[Estimate(0.5, 0.4, 0.6)] * systems)
    columns = (
        Column("system"),
        Column("never said"),
        *(Column(f"part {n}", "percent") for n in range(systems)),
    )
    return Report("R", (Table("T", columns, (row,)),))


def test_a_table_that_fits_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = _shown(_wide(2), 100, monkeypatch)
    assert lines[3].split() == ["system", "never", "said", "part", "0", "part", "1"]
    assert lines[5].split("  ")[0] == "first-entity"


def test_one_too_wide_loses_its_empty_columns_first(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = _shown(_wide(3), 85, monkeypatch)
    assert lines[3].split() == ["system", "part", "0", "part", "1", "part", "2"]
    assert lines[5].count("50.00 [40.00, 60.00]") == 3


def test_then_its_intervals_go_to_a_second_line(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = _shown(_wide(3), 70, monkeypatch)
    assert lines[5].split() == ["first-entity", "50.00", "50.00", "50.00"]
    assert lines[6].split("   ")[-3:] == ["[40.00, 60.00]"] * 3


def test_then_its_rows_stand_one_below_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _shown(_wide(3), 40, monkeypatch)[3:] == [
        "first-entity",
        "  part 0  50.00 [40.00, 60.00]",
        "  part 1  50.00 [40.00, 60.00]",
        "  part 2  50.00 [40.00, 60.00]",
    ]


@each_row("width", [40, 60, 80, 100, 140])
def test_no_line_is_wider_than_the_terminal_but_a_signature(
    width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed = set(SYSTEMS.signatures)
    assert all(len(line) <= width for line in _shown(every_block(), width, monkeypatch) if line not in signed)
