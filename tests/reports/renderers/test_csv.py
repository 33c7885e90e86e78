from __future__ import annotations

import csv
import io

from tests.reports.samples import SYSTEMS, everywhere
from tests.rows import each_row

from anagnosis.reports.renderers.csv import HEADER, render
from anagnosis.reports.report import Column, Heading, Item, Listing, Report, Run, Table


def _rows(report: Report) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(render(report))))


@each_row("formula", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", '=HYPERLINK("http://x")'])
def test_a_formula_in_a_name_is_not_run(formula: str) -> None:
    cells = [cell for row in _rows(everywhere(formula)) for cell in row.values()]
    assert "'" + formula.replace("\t", " ").replace("\r", " ") in cells
    assert not any(cell.lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r")) for cell in cells)


def test_a_negative_number_of_ours_is_a_number() -> None:
    table = Table("T", (Column("pair"), Column("difference", "difference")), (("a, b", -0.012),))
    assert _rows(Report("R", (table,)))[2]["value"] == "-0.012"


def test_a_value_with_its_interval_is_one_line() -> None:
    rows = _rows(Report("R", (Heading("Systems"), SYSTEMS)))
    (row,) = [row for row in rows if row["label"] == "overlap" and row["column"] == "test"]
    assert tuple(row) == HEADER
    assert row == dict(
        zip(
            HEADER,
            ("Systems", "2", "All systems", "2", "overlap", "test", "percent", "0.565", "0.5526", "0.5772"),
        )
    )


def test_a_missing_value_is_empty() -> None:
    (row,) = [
        row for row in _rows(Report("R", (SYSTEMS,))) if row["label"] == "overlap" and row["column"] == "p"
    ]
    assert row["value"] == ""


def test_a_listing_keeps_its_words_and_numbers() -> None:
    listing = Listing((Item("passage", (Run("from "), Run("lung", 1, "@entity1"))),))
    assert _rows(Report("R", (listing,)))[1]["value"] == "from lung [@entity1]"
