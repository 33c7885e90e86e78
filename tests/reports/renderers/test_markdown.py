from __future__ import annotations

from tests.reports.samples import NASTY, SYSTEMS, everywhere
from tests.rows import each_row

from anagnosis.reports.renderers.markdown import escape, render
from anagnosis.reports.report import Item, Listing, Report, Run


@each_row(
    ("text", "escaped"),
    [
        ("a|b", r"a\|b"),
        ("*bold* _it_", r"\*bold\* \_it\_"),
        ("<b>&", "&lt;b&gt;&amp;"),
        ("- no list", r"\- no list"),
        ("1. no list", r"1\. no list"),
        ("# no heading", r"\# no heading"),
        ("two\nlines", "two lines"),
        ("0.5", "0.5"),
        ("−1.20", "−1.20"),
    ],
)
def test_a_text_is_shown_as_it_is(text: str, escaped: str) -> None:
    assert escape(text) == escaped


def test_no_html_of_a_name_comes_through() -> None:
    assert "<script>" not in render(everywhere(NASTY)).replace(f"`{NASTY}`", "")


def test_every_row_of_a_table_has_as_many_cells() -> None:
    rows = [line for line in render(Report("R", (SYSTEMS,))).splitlines() if line.startswith("|")]
    assert len(rows) == 4
    assert {row.count("|") for row in rows} == {8}
    assert "**56.50 \\[55.26, 57.72\\]**" in rows[-1]


def test_blanks_stay_outside_the_stars() -> None:
    listing = Listing((Item("passage", (Run("from "), Run(" lung ", 1, "@entity1"), Run("."))),))
    assert "from  **lung** `@entity1` ." in render(Report("R", (listing,)))
