"""Dates as PubMed writes them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.searching.filters import date_number, is_date
from anagnosis.searching.queries.fields import date_range


@each_row(
    ("written", "since", "until"),
    [
        ("2015/3", "2015-03", "2015-03"),
        ("2015-03-09", "2015-03-09", "2015-03-09"),
        ("2019/03:2020/05/12", "2019-03", "2020-05-12"),
        ("2015:3000", "2015", ""),
        (":2020/1", "", "2020-01"),
        ("2015\u20132020", "2015", "2020"),
        ("2020:2020/05", "2020", "2020-05"),
    ],
)
def test_dates_are_read(written: str, since: str, until: str) -> None:
    assert date_range(written) == (since, until)


@each_row(
    "written",
    [
        *("", ":", "tea", "20150101", "0000", "15:20", "2015:tea", "2015:2016:2017", "2015/1/2/3"),
        *("2019/02/30", "2020:2015", "3000:2000", "3000:", "3000"),
    ],
)
def test_other_texts_are_no_dates(written: str) -> None:
    assert date_range(written) is None


@given(st.text("0123456789/:-.", max_size=24))
def test_a_range_has_dates_in_order(written: str) -> None:
    if dates := date_range(written):
        assert all(not date or is_date(date) for date in dates)
        if all(dates):
            assert date_number(dates[0]) <= date_number(dates[1], last=True)
