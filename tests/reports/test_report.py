from __future__ import annotations

import math

import pytest

from anagnosis.reports.report import Column, Estimate, Table

COLUMNS = (Column("system"), Column("test", "percent"))


def test_a_row_with_too_few_cells_is_refused() -> None:
    with pytest.raises(ValueError, match="a row of 1 cells, 2 columns"):
        Table("All", COLUMNS, (("first",),))


@pytest.mark.parametrize("cell", [math.nan, math.inf, Estimate(0.5, math.nan, 0.6)])
def test_a_value_that_is_no_number_is_refused(cell: float | Estimate) -> None:
    with pytest.raises(ValueError, match="None says that there is none"):
        Table("All", COLUMNS, (("first", cell),))


def test_a_table_without_rows_is_a_table() -> None:
    assert Table("All", COLUMNS, ()).rows == ()
