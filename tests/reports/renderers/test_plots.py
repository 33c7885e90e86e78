from __future__ import annotations

import sys
import warnings
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from tests.reports.samples import NASTY, by_group, by_training_size, every_plot, forest
from tests.rows import each_row

from anagnosis.reports.renderers.picture import DRAWINGS, draw
from anagnosis.reports.renderers.plots import DASHES, HUES, MARKS
from anagnosis.reports.report import Column, Estimate, Plot, Table

PLOTS = every_plot()


def test_every_drawing_is_tried_here() -> None:
    assert {plot.drawing for plot in PLOTS} == set(DRAWINGS)


@each_row("plot", PLOTS, ids=lambda plot: plot.drawing)
def test_a_plot_is_well_formed_and_the_same_twice(plot: Plot) -> None:
    svg = draw(plot, "p1")
    ElementTree.fromstring(svg)
    assert svg == draw(plot, "p1")
    assert "<metadata" not in svg


@each_row("plot", every_plot(NASTY), ids=lambda plot: plot.drawing)
def test_a_name_is_text(plot: Plot) -> None:
    assert "<script" not in draw(plot, "p1")


@pytest.mark.parametrize("name", ["$x_1$", "#010203", 'id="#0072b2"', "a\\b{c}"])
def test_a_name_is_neither_formula_nor_colour_nor_identifier(name: str) -> None:
    root = ElementTree.fromstring(draw(Plot("T", "D", "accuracy_by_candidates", by_group(name)), "p1"))
    assert name in [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]


@each_row("plot", every_plot("\u7814\u7a76 \x1b]0;x\x07"), ids=lambda plot: plot.drawing)
def test_a_letter_that_the_library_does_not_have_is_no_warning(plot: Plot) -> None:
    """Warnings of matplotlib were lines on the terminal, twelve for one report."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert draw(plot, "p1")


def test_a_line_breaks_where_a_group_has_no_instances() -> None:
    root = ElementTree.fromstring(draw(Plot("T", "D", "accuracy_by_candidates", by_group("only")), "p1"))
    lines = [
        path.get("d", "")
        for path in root.iter("{http://www.w3.org/2000/svg}path")
        if "stroke-width: 1.6" in path.get("style", "") and "var(--e0" in path.get("style", "")
    ]
    places = [d.count("M") + d.count("L") for d in lines]
    assert sorted(places)[-2:] == [2, 2] or 2 in places  # groups 4 and 5; group 2 stands alone


@pytest.mark.parametrize("rows", [(), ((2, 0, None),), ((2, 1, Estimate(0.0, 0.0, 0.79)),)])
def test_nothing_and_one_are_drawn(rows: tuple[tuple[int, int, Estimate | None], ...]) -> None:
    table = Table(
        "T", (Column("candidates", "count"), Column("instances", "count"), Column("a", "percent")), rows
    )
    for drawing in DRAWINGS:
        if drawing.startswith("accuracy"):
            ElementTree.fromstring(draw(Plot("T", "D", drawing, table), "p1"))


def test_a_curve_has_a_mark_at_each_mean_and_a_point_for_each_run_at_the_sizes_that_have_room() -> None:
    table = by_training_size("a")
    near = replace(table, rows=(*table.rows, ("a", 4100, 1.0, 1, 0.5, None, 0.5, None)))
    axes = DRAWINGS["score_by_training_size"](near).axes[0]
    drawn = [np.asarray(line.get_xydata()).tolist() for line in axes.lines]
    assert [[round(x) for x, _ in line] for line in drawn] == [
        [1000], [2000], [4000], [4100], [1000, 2000, 4000, 4100],
    ]  # fmt: skip
    assert [y for _, y in drawn[-1]] == pytest.approx([35, 40, 50, 50])
    assert drawn[0][0][1] == pytest.approx(34)
    assert list(axes.get_xticks()) == [1000, 2000, 4000]
    assert axes.get_ylabel() == "mean accuracy (%)"


def test_many_systems_differ_in_more_than_hue() -> None:
    from anagnosis.reports.renderers.plots import _style  # pyright: ignore[reportPrivateUsage]  # the styles are no promise

    styles = [_style(number) for number in range(len(HUES) * len(DASHES))]
    assert len({(style["color"], style["ls"]) for style in styles}) == len(styles)
    assert len({(style["marker"], style["ls"]) for style in styles[: len(MARKS)]}) == len(MARKS)


def test_the_callers_settings_are_left_alone() -> None:
    import matplotlib

    before = dict(matplotlib.rcParams)
    svg = draw(PLOTS[0], "p1")
    assert dict(matplotlib.rcParams) == before
    with matplotlib.rc_context({"lines.linewidth": 9, "axes.spines.top": True, "font.size": 30}):
        assert draw(PLOTS[0], "p1") == svg


def test_pyplot_is_not_loaded() -> None:
    draw(Plot("T", "D", "difference_with_intervals", forest("difference")), "p1")
    assert "matplotlib.pyplot" not in sys.modules


@each_row("name", ["a", "x" * 60])
@each_row("systems", [1, 6])
def test_nothing_is_cut_off(name: str, systems: int) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    names = [f"{name}{number}" for number in range(systems)]
    for drawing, table in (
        ("accuracy_by_candidates", by_group(*names)),
        ("accuracy_by_group", by_group(*names)),
        ("score_by_training_size", by_training_size(*names)),
    ):
        figure = DRAWINGS[drawing](table)
        FigureCanvasAgg(figure).draw()
        inside = figure.get_tightbbox()
        width, height = figure.get_size_inches()
        assert inside.x0 >= -0.01
        assert inside.y0 >= -0.01
        assert inside.x1 <= width + 0.01
        assert inside.y1 <= height + 0.01


def test_a_long_pair_keeps_both_names() -> None:
    pair = "most-frequent-unless-alone over most-frequent-entity"
    table = Table(
        "T", (Column("pair"), Column("difference", "difference")), ((pair, Estimate(0.1, 0.0, 0.2)),)
    )
    shown = draw(Plot("T", "D", "difference_with_intervals", table), "p1")
    assert "most-frequent-unless-alone" in shown
    assert "over most-frequent-entity" in shown
