from __future__ import annotations

import io

from tests.reports.samples import SYSTEMS, every_block, everywhere

from anagnosis.reports.report import Column, Report, Table
from anagnosis.reports.terminal import render, show


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_columns_are_aligned_numbers_to_the_right() -> None:
    table = Table("T", (Column("who"), Column("n", "count")), (("a", 5), ("蛋白", 12_345)))
    assert render(Report("R", (table,))).splitlines()[-4:] == [
        "who        n",
        "----  ------",
        "a          5",
        "蛋白  12,345",
    ]


def test_the_best_carries_a_star() -> None:
    assert "56.50 [55.26, 57.72]*" in render(Report("R", (SYSTEMS,)))


def test_a_name_cannot_command_the_terminal() -> None:
    nasty = "\x1b[31mred\x07\u202e[bold]x[/bold]"
    for stream in (io.StringIO(), Screen()):
        show(everywhere(nasty), stream)
        shown = stream.getvalue()
        assert "\x1b[31mred" not in shown
        assert "\x07" not in shown
        assert "\u202e" not in shown
        assert "[bold]" in shown


def test_a_pipe_gets_plain_text_and_a_terminal_everything() -> None:
    pipe, screen = io.StringIO(), Screen()
    show(every_block(), pipe)
    show(every_block(), screen)
    assert pipe.getvalue() == render(every_block())
    for words in ("A report", "plain words", "warning", "56.50", "0.041", "lung cancer", "Wilson"):
        assert words in screen.getvalue()
