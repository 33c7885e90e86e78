"""Dates in words, never more exact than these."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.documents.dates import earliest, written_date

# words → (date, whether its day exists); the forms are those of MEDLINE's PubDate
WRITTEN = [
    ("1998", "1998", True),
    ("1998 Dec", "1998-12", True),
    ("1998 Dec 05", "1998-12-05", True),
    ("2019 04 5", "2019-04-05", True),
    ("1998 Dec-1999 Jan", "1998-12", True),
    ("1975 May-1976 Jun 3", "1975-05", True),
    ("2000 Dec 15-30", "2000-12-15", True),
    ("1999 May 19-Jun 2", "1999-05-19", True),
    ("2003 May - Jun", "2003-05", True),
    ("1976 Jan-Mar", "1976-01", True),
    ("2000 Sept 3", "2000-09-03", True),
    ("2000 March", "2000-03", True),
    ("1998-1999", "1998", True),
    ("2019-07-16", "2019-07-16", True),
    ("bioRxiv 2019-07-16: 7", "2019-07-16", True),
    ("2019-02-30", "2019-02", False),
    ("2019-07", "2019", True),
    ("2000 Spring", "2000", True),
    ("1976 Spring-Summer", "1976", True),
    ("Winter 1998", "1998", True),
    ("1998 13", "1998", True),
    ("1998 Ma", "1998", True),
    ("2001 Feb 31", "2001-02", False),
    ("", "", True),
    ("in press", "", True),
    ("2016 " + "1" * 5000, "2016", True),
    ("19981", "", True),
]


@each_row(("words", "date", "exists"), WRITTEN, ids=[row[0][:30] for row in WRITTEN])
def test_words_give_their_first_date(words: str, date: str, exists: bool) -> None:
    assert written_date(words) == (date, exists)


@given(st.dates())
def test_every_whole_date_is_read_back(date: object) -> None:
    year, month, day = str(date).split("-")
    names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    assert written_date(f"{year} {month} {day}") == (str(date), True)
    assert written_date(f"{year} {names[int(month) - 1]} {day}") == (str(date), True)


EARLIEST = [
    ([], ""),
    (["", ""], ""),
    (["2014", "2014-11-10"], "2014-11-10"),
    (["2014-11-10", "2014-12", "2014"], "2014-11-10"),
    (["2014-11", "2014-12-01"], "2014-11"),
    (["2014", "2015-01-03"], "2014"),
    (["2014-02", "2014-02-20", "2014-02-03"], "2014-02-03"),
]


@each_row(("dates", "expected"), EARLIEST)
def test_the_earliest_date_is_as_exact_as_known(dates: list[str], expected: str) -> None:
    assert earliest(dates) == earliest(reversed(dates)) == expected
