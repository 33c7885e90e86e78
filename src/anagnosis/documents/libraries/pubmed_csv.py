"""The table that PubMed saves of a search (CSV): a citation a row, without abstracts.

    PMID,Title,Authors,Citation,First Author,Journal/Book,Publication Year,Create Date,PMCID,NIHMS ID,DOI
    27000083,Salt.,"Hellinger FR, Smith J.","J Salt. 2016 Mar 23;12(3):817-20. doi: 10.1000/x.",…

Volume, issue and pages come from the citation. Source: PubMed's help, "Saving citations as a text file".
"""

from __future__ import annotations

import csv
import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO

from anagnosis.documents.bibliography import listed_people
from anagnosis.documents.io.malformed import empty_file
from anagnosis.documents.libraries.entry import Entry, entry, names
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError

KIND = "pubmed-csv"
LONGEST_LINE = 1 << 20
_NEEDED = ("PMID", "Title", "Authors", "Journal/Book")
_NAMES = names(
    title="Title",
    journal="Journal/Book",
    date="date Publication_Year",
    pmid="PMID",
    pmcid="PMCID",
    doi="DOI",
)
# "J Salt. 2016 Mar 23;12(3):817-20. doi: …"; an electronic paper may lack pages, volume and issue.
_CITATION = re.compile(
    r"\. (?P<date>\d{4}[^;:.]*)(?:;(?P<volume>[^;:.()]*)(?:\((?P<issue>[^()]*)\))?(?::(?P<pages>[^;:. ]+))?)?\."
)


def sniff(head: bytes) -> bool:
    """Whether a file that starts with these decompressed bytes is PubMed's table."""
    line, _, _ = head.partition(b"\n")
    return set(_NEEDED) <= set(_cells(line))


def entries(stream: BinaryIO, repairs: Repairs, name: str = "", folder: Path = Path()) -> Iterator[Entry]:
    """The entry of each row, in order, in memory bounded by one. folder: unused, since the table has no files.

    repairs: gets the names of `entry`, and by "name:line" the refused rows, and a last one without line end.
    InputError: a column is missing, or a line is longer than 1 MiB.
    """
    number, columns, line = 0, list[str](), b""
    for number, line in enumerate(iter(partial(stream.readline, LONGEST_LINE + 1), b""), 1):
        where = f"{name}:{number}"
        if len(line) > LONGEST_LINE:
            raise InputError("a line longer than 1 MiB", where, "write one citation a line")
        cells = _cells(line)
        if not columns:
            columns = cells
            if missing := [column for column in _NEEDED if column not in columns]:
                raise InputError(f"no column {', '.join(missing)}", where, "give the table that PubMed saves")
        elif len(cells) == len(columns):
            row = dict(zip(columns, cells, strict=True))
            yield from entry(KIND, row["PMID"], _fields(row), _NAMES, repairs, where)
        elif line.strip():
            repairs.refuse(where, "no row of this table (its cells, quotation marks or encoding)")
    if not number:
        raise empty_file(name)
    if not line.endswith(b"\n"):
        repairs.refuse(f"{name}:{number}", "the last line has no end: it may be cut short")


def _cells(line: bytes) -> list[str]:
    """The cells of a line; [] where it is no row of CSV in UTF-8."""
    try:
        return next(csv.reader([line.removeprefix(BOM_UTF8).decode().rstrip("\r\n")], strict=True), [])
    except (csv.Error, UnicodeDecodeError):
        return []


def _fields(row: dict[str, str]) -> Iterator[tuple[str, str]]:
    """(name in _NAMES, value)."""
    if citation := _CITATION.search(row.get("Citation", "")):
        yield from ((name, value or "") for name, value in citation.groupdict().items())
    for name, value in row.items():
        if name == "Authors":
            yield from (("authors", each) for each in listed_people(value.rstrip(".")))
        else:
            yield name.replace(" ", "_"), value
