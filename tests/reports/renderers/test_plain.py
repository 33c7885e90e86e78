from __future__ import annotations

from tests.reports.samples import SYSTEMS, every_plot, everywhere

from anagnosis.reports.renderers.plain import render
from anagnosis.reports.report import Column, Report, Table


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


def test_a_name_cannot_command_the_terminal() -> None:
    shown = render(everywhere("\x1b[31mred\x07\u202e"))
    assert "␛[31mred␇" in shown
    assert not {"\x1b", "\x07", "\u202e"} & set(shown)
