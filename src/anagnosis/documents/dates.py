"""Publication dates, from a table of ids and dates or from the citations of a MEDLINE or PubMed XML file.

27000083,2016-03-23                                          a table: id, then YYYY, YYYY-MM or YYYY-MM-DD
<PubDate><Year>1998</Year><Month>Dec</Month></PubDate>       1998-12
<PubDate><MedlineDate>1998 Dec-1999 Jan</MedlineDate>        1998-12, the first of the two
<PubDate><Year>1976</Year><Season>Fall</Season></PubDate>    1976; a season is no month
"""

from __future__ import annotations

import csv
import datetime
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, BinaryIO

from anagnosis.documents.io.whole import whole_text
from anagnosis.documents.io.xml_stream import elements
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError
from anagnosis.io.files import display_name, open_input
from anagnosis.io.paths import PathLike
from anagnosis.wording import shortened

if TYPE_CHECKING:
    from lxml.etree import _Element

_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_ISO_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")
_VERSION = re.compile(r"\d{1,9}")
_TIME = re.compile(r"\s*([0-9]{4}-[0-9]{2}-[0-9]{2})[T ]\d\d:?\d\d.*", re.DOTALL)
_WRITTEN = re.compile(r"\b([0-9]{4})\b(?:\s+(\w+)(?:\s+(\d{1,2})\b)?)?")


def read_dates(path: PathLike, repairs: Repairs | None = None) -> dict[str, str]:
    """The date of each paper of a file, by its id (the PMID): "2016", "2016-03" or "2016-03-23".

    InputError: a line of a table is not an id and a date, or XML has no citation.
    Counted: citation_without_date, publication_day_impossible (the day is dropped), citation_repeated (the date of
    the highest version counts, of equal versions the last).
    """
    name = display_name(path)
    with open_input(path) as stream:
        if stream.peek(1).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<"):
            return _from_citations(stream, name, Repairs() if repairs is None else repairs)
        return _from_table(whole_text(stream, name), name)


def written_date(text: str) -> tuple[str, bool]:
    """(ISO date, whether its day exists) of the first date in words such as "1998 Dec 15-30"; "" for no date.

    The date is as exact as the words: "2000 Spring" is 2000, "2001 Feb 31" is 2001-02.
    """
    match = _WRITTEN.search(text)
    if match is None:
        return "", True
    year, month = match[1], _month(match[2] or "")
    if not month:
        return year, True
    if match[3] is None:
        return f"{year}-{month:02}", True
    date = f"{year}-{month:02}-{int(match[3]):02}"
    return (date, True) if _exists(date) else (date[:7], False)


def iso_day(words: str) -> str:
    """The day of an ISO time such as "2020-03-11T10:00:00Z"; other words stay as they are."""
    match = _TIME.fullmatch(words)
    return match[1] if match else words


def earliest(dates: Iterable[str]) -> str:
    """The earliest of ISO dates, as exact as known: 2014-11-10 of 2014 and 2014-11-10, since 2014 contains it.

    Empty strings are ignored; "" if there is no date.
    """
    known = [date for date in dates if date]
    for length in (4, 7, 10):
        # A shorter date is dropped if a longer one lies in the same year or month.
        longer = [date for date in known if len(date) >= length]
        if not longer:
            break
        first = min(date[:length] for date in longer)
        known = [date for date in known if date[:length] == first]
    return max(known, key=len, default="")


def publication_words(date: _Element | None) -> str:
    """The words of a <PubDate> for `written_date`, in its order: "1998 Dec 15", "1998 Dec-1999 Jan"."""
    if date is None:
        return ""
    return " ".join([words for part in date if (words := (part.text or "").strip())])


def _from_citations(stream: BinaryIO, name: str, repairs: Repairs) -> dict[str, str]:
    dates: dict[str, str] = {}
    versions: dict[str, int] = {}
    for where, element in elements(stream, ("MedlineCitation",), name, repairs):
        pmid = element.find("PMID")
        ident = (pmid.text or "").strip() if pmid is not None else ""
        if pmid is None or not ident:
            raise InputError("a citation without PMID", where, "check how the file was made")
        version = int(given) if _VERSION.fullmatch(given := pmid.get("Version", "")) else 1
        if ident in versions:
            repairs.count("citation_repeated")
            if version < versions[ident]:
                continue
        versions[ident] = version
        date, exists = written_date(publication_words(element.find("Article/Journal/JournalIssue/PubDate")))
        repairs.count("publication_day_impossible", int(not exists))
        repairs.count("citation_without_date", int(not date))
        if date:
            dates[ident] = date
    if not versions:
        raise InputError(
            "no citation in this XML", name, "name a MEDLINE or PubMed file, or a two-column table"
        )
    return dates


def _from_table(text: str, name: str) -> dict[str, str]:
    dates: dict[str, str] = {}
    for number, line in enumerate(text.replace("\r", "").split("\n"), 1):
        where = f"{name}:{number}"
        try:
            cells = line.split("\t") if "\t" in line else next(csv.reader([line], strict=True), [])
        except csv.Error as fault:
            raise InputError(f"not a row of CSV ({fault})", where, "a row is one line") from fault
        ident, date, *_ = (*map(str.strip, cells), "", "")
        if not line.strip() or (number == 1 and len(cells) == 2 and not any(c.isdigit() for c in date)):
            continue
        if len(cells) != 2 or not ident:
            remedy = "write two columns with a tab or a comma between them"
            raise InputError("not an id and a date", where, remedy)
        if not _ISO_DATE.fullmatch(date) or not _exists(date):
            raise InputError(f"{shortened(date)!r} is not a date", where, "write YYYY, YYYY-MM or YYYY-MM-DD")
        if dates.setdefault(ident, date) != date:
            raise InputError(
                f"{shortened(ident)} has two dates, {dates[ident]} and {date}", where, "leave one of them"
            )
    return dates


def _month(text: str) -> int:
    """1 to 12 for a number or an English name, short or long; 0 for anything else."""
    if text.isdecimal():
        return int(text) if len(text) <= 2 and int(text) <= 12 else 0
    named = (number for number, month in enumerate(_MONTHS, 1) if month.startswith(text.lower()))
    return next(named, 0) if len(text) >= 3 else 0


def _exists(date: str) -> bool:
    """Whether a full or shortened ISO date is in the calendar."""
    try:
        datetime.date.fromisoformat(f"{date}-01-01"[:10])
    except ValueError:
        return False
    return True
