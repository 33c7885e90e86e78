from __future__ import annotations

from tests.rows import each_row

from anagnosis.reports.renderers.numbers import best_cells, cell_text, grid
from anagnosis.reports.report import Best, Cell, Column, Estimate, Kind, Table

WRITTEN: list[tuple[Cell, Kind, str]] = [
    (None, "percent", ""),
    (None, "text", ""),
    ("18 × 0.92 h", "text", "18 × 0.92 h"),
    ("not defined", "percent", "not defined"),
    (3, "text", "3"),
    (0, "count", "0"),
    (6250, "count", "6,250"),
    (812_707, "count", "812,707"),
    (6.7251, "number", "6.73"),
    (20, "number", "20"),
    (0.565, "percent", "56.50"),
    (0.0, "percent", "0.00"),
    (1, "percent", "100.00"),
    (Estimate(0.565, 0.5526, 0.5772), "percent", "56.50 [55.26, 57.72]"),
    (-0.0472, "percent", "−4.72"),
    (0.012, "difference", "+1.20"),
    (-0.012, "difference", "−1.20"),
    (0.0, "difference", "0.00"),
    (-0.000001, "difference", "0.00"),
    (Estimate(0.012, -0.001, 0.025), "difference", "+1.20 [−0.10, +2.50]"),
    (Estimate(0.68631, 0.6425, 0.72909), "fraction", "0.6863 [0.6425, 0.7291]"),
    (1, "fraction", "1.0000"),
    (Estimate(0.0121, -0.0004, 0.03), "gain", "+0.0121 [−0.0004, +0.0300]"),
    (-0.00001, "gain", "0.0000"),
    (0.0, "p", "< 0.001"),
    (0.00009999, "p", "< 0.001"),
    (0.000999, "p", "< 0.001"),
    (0.001, "p", "0.001"),
    (0.0412, "p", "0.041"),
    (0.9994, "p", "0.999"),
    (0.9996, "p", "> 0.999"),
    (1.0, "p", "1.000"),
    (1, "p", "1.000"),
    (0.42, "seconds", "0.42 s"),
    (75.4, "seconds", "75 s"),
    (15768.0, "seconds", "4.38 h"),
    (12_872_800, "parameters", "12.87M"),
    (6_818_800, "parameters", "6.82M"),
    (999_500, "parameters", "1.00M"),
    (999_499, "parameters", "999k"),
    (153_801, "parameters", "154k"),
    (10_000, "parameters", "10k"),
    (9_999, "parameters", "9,999"),
    (600, "parameters", "600"),
    (0, "parameters", "0"),
]


@each_row(("value", "kind", "written"), WRITTEN)
def test_a_value_is_written_as_its_column_says(value: Cell, kind: Kind, written: str) -> None:
    assert cell_text(value, kind) == written


def _marked(best: Best, *values: Cell, zones: tuple[int, ...] = ()) -> set[int]:
    rows = tuple((str(number), value) for number, value in enumerate(values))
    table = Table("All", (Column("system"), Column("test", "percent", best)), rows, zones=zones)
    return {row for row, _ in best_cells(table)}


def test_the_highest_is_the_best_where_high_is_good() -> None:
    assert _marked("high", 0.1, 0.3, None, 0.2) == {1}


def test_the_lowest_is_the_best_where_low_is_good() -> None:
    assert _marked("low", 0.1, 0.3, Estimate(0.05, 0, 1)) == {2}


def test_equal_bests_are_marked_together() -> None:
    assert _marked("high", 0.3, 0.1, 0.3) == {0, 2}
    summed = 0.1 + 0.2
    assert _marked("high", Estimate(summed, 0, 1), 0.1, summed, 0.3) == {0, 2, 3}


@each_row("values", [(0.3,), (0.3, 0.3), (None, None), (None, 0.3), ()])
def test_where_nothing_is_better_nothing_is_marked(values: tuple[Cell, ...]) -> None:
    assert _marked("high", *values) == set()


def test_each_zone_has_its_own_best() -> None:
    assert _marked("high", 0.85, 0.82, 0.70, 0.90, zones=(2,)) == {0, 3}


def test_a_column_that_names_no_best_marks_none() -> None:
    assert _marked("", 0.1, 0.2) == set()


def test_a_column_without_a_value_is_left_out_the_first_never() -> None:
    columns = (Column("who"), Column("why"), Column("n", "count", "low"), Column("p", "p"))
    shown = grid(Table("T", columns, ((None, "", 1, None), (None, None, 0, None))))
    assert (shown.columns, shown.rows) == ([columns[0], columns[2]], [["", "1"], ["", "0"]])
    assert shown.best == {(1, 1)}, "the best stands in its column as shown"
    assert grid(Table("T", columns, ())).columns == [*columns]
