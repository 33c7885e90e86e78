from __future__ import annotations

import io
import re

import pytest
from tests.reports.samples import SYSTEMS, every_block, every_plot, everywhere
from tests.rows import each_row

from anagnosis.reports.renderers.text import render, show, width_of
from anagnosis.reports.report import Cell, Column, Estimate, Report, Table


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def _shown(report: Report, width: int, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setenv("COLUMNS", str(width))
    screen = Screen()
    show(report, screen)
    return [line.rstrip() for line in re.sub(r"\x1b\[[0-9;]*m", "", screen.getvalue()).splitlines()]


def test_columns_are_aligned_numbers_to_the_right() -> None:
    table = Table("T", (Column("who"), Column("n", "count")), (("a", 5), ("蛋白", 12_345)))
    assert render(Report("R", (table,))).splitlines()[-4:] == [
        "who        n",
        "----  ------",
        "a          5",
        "蛋白  12,345",
    ]


def test_the_best_carries_a_star() -> None:
    shown = render(Report("R", (SYSTEMS,)))
    assert "56.50 [55.26, 57.72]*" in shown
    assert "* The best of its column" in shown


def test_a_plot_is_its_title_and_its_table() -> None:
    (plot, *_) = every_plot()
    lines = render(Report("R", (plot,))).splitlines()
    assert lines[3] == "By candidates. Accuracy falls."
    assert lines[4].split()[:2] == ["candidates", "instances"]


def test_a_signature_is_one_line_however_long() -> None:
    long = "biomrc@3f0c|" + "|".join(f"key{n}:value" for n in range(40))
    table = Table("T", (Column("a"),), (("b",),), signatures=(long,))
    assert long in render(Report("R", (table,))).splitlines()


def test_a_wide_terminal_shows_the_lines_of_a_pipe_with_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = io.StringIO()
    show(every_block(), pipe)
    assert pipe.getvalue() == render(every_block())
    plain = [line.rstrip() for line in pipe.getvalue().splitlines()]
    assert _shown(every_block(), 140, monkeypatch) == plain
    monkeypatch.setenv("TERM", "xterm-256color")
    screen = Screen()
    show(every_block(), screen)
    assert "\x1b[1m56.50 [55.26, 57.72]*" in screen.getvalue()


def test_a_name_cannot_command_the_terminal() -> None:
    name = "\x1b[31mred\x07\u202e[bold]x[/bold]"
    screen = Screen()
    show(everywhere(name), screen)
    for shown in (screen.getvalue(), render(everywhere(name))):
        assert "\x1b[31mred" not in shown
        assert not {"\x07", "\u202e"} & set(shown)
        assert "[bold]x[/bold]" in shown
    assert "␛[31mred␇" in render(everywhere(name))


def _wide(name: str, systems: int) -> Report:
    row: tuple[Cell, ...] = (name, None, *[Estimate(0.5, 0.4, 0.6)] * systems)
    columns = (
        Column("system"),
        Column("never said"),
        *(Column(f"part {n}", "percent") for n in range(systems)),
    )
    return Report("R", (Table("T", columns, (row,)),))


def test_a_table_that_is_too_wide_goes_on_in_further_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    wide = _wide("first-entity of all entities", 2)
    line = "first-entity of all entities  50.00 [40.00, 60.00]  50.00 [40.00, 60.00]"
    assert _shown(wide, 100, monkeypatch)[-1] == line
    for width in (62, 36):
        shown = _shown(wide, width, monkeypatch)
        assert max(map(len, shown)) <= width
        assert "".join(shown).count("50.00") == 2
        assert "never said" not in " ".join(shown)


@each_row("width", [40, 60, 80, 100, 140])
def test_no_line_is_wider_than_the_terminal_but_a_signature(
    width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed = set(SYSTEMS.signatures)
    assert all(len(line) <= width for line in _shown(every_block(), width, monkeypatch) if line not in signed)


def test_wide_letters_are_broken_by_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table("", (Column("system"), Column("answer")), (("a", "中文" * 40),))
    assert all(width_of(line) <= 60 for line in _shown(Report("R", (table,)), 60, monkeypatch))
