"""The dates of papers for a build: a table of ids and dates, or papers of any format that have dates.

27000083,2016-03-23      an id (the PMID), then YYYY, YYYY-MM or YYYY-MM-DD, with a tab or a comma between them
"""

from __future__ import annotations

import csv
import re

from anagnosis.documents.dates import is_day
from anagnosis.documents.formats.detect import detect
from anagnosis.documents.io.whole import whole_text
from anagnosis.documents.reading import WHOLE, reader_of
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError
from anagnosis.io.files import display_name, open_input
from anagnosis.io.paths import PathLike
from anagnosis.wording import shortened

_ISO_DATE = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?")
_PAPERS = re.compile(rb"\s*[<{\[]|PMID-")


def read_dates(path: PathLike, repairs: Repairs | None = None) -> dict[str, str]:
    """The date of each paper of a file, by its id: "2016", "2016-03" or "2016-03-23".

    InputError: a line of a table is not an id and a date, or a paper cannot be read. Counted: citation_without_date,
    publication_day_impossible (the day is dropped), citation_repeated (the date of the highest version counts, of equal
    versions the last).
    """
    name, counted = display_name(path), Repairs()
    dates, versions, repeated = dict[str, str](), dict[str, int](), 0
    with open_input(path) as stream:  # once, since it may be a pipe
        if not _PAPERS.match(stream.peek(1 << 10)):
            return _of_table(whole_text(stream, name), name)
        read = reader_of(detect(stream, name), WHOLE[-1:])
        for one in read(stream, counted, name):  # pyright: ignore[reportArgumentType]  (a buffered reader is a stream)
            if one.sections:  # and no notice that it was deleted
                given = one.facts.get("version", "")
                version = int(given) if given.isdecimal() and len(given) < 10 else 1
                repeated += one.id in dates
                if version >= versions.get(one.id, 0):
                    dates[one.id], versions[one.id] = one.facts.get("date", ""), version
    if counted.refused:
        where, why = counted.refusals[0]
        raise InputError(why, where, "check how the file was made")
    if not dates:
        raise InputError("no paper in this file", name, "name a file of papers, or a table of two columns")
    if repairs is not None:
        repairs.count("citation_without_date", list(dates.values()).count(""))
        repairs.count("citation_repeated", repeated)
        repairs.count("publication_day_impossible", counted.counts["publication_day_impossible"])
    return {ident: date for ident, date in dates.items() if date}


def _of_table(text: str, name: str) -> dict[str, str]:
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
        if not _ISO_DATE.fullmatch(date) or not is_day(date):
            raise InputError(f"{shortened(date)!r} is not a date", where, "write YYYY, YYYY-MM or YYYY-MM-DD")
        if dates.setdefault(ident, date) != date:
            raise InputError(
                f"{shortened(ident)} has two dates, {dates[ident]} and {date}", where, "leave one of them"
            )
    return dates
