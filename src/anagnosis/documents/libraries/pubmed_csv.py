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
from pathlib import Path
from typing import BinaryIO

from anagnosis.documents.bibliography import listed_people
from anagnosis.documents.io.whole import whole_text
from anagnosis.documents.libraries import LARGEST
from anagnosis.documents.libraries.entry import Entry, entry, names
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError

KIND = "pubmed-csv"
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
    line = head.removeprefix(BOM_UTF8).partition(b"\n")[0]
    return set(_NEEDED) <= set(_cells(line.decode(errors="replace")))


def entries(stream: BinaryIO, repairs: Repairs, name: str = "", folder: Path = Path()) -> Iterator[Entry]:
    text = whole_text(stream, name, LARGEST)
    columns, *rows = map(_cells, text.split("\n"))
    if missing := [column for column in _NEEDED if column not in columns]:
        what = f"no column {', '.join(missing)}"
        raise InputError(what, f"{name}:1", "give the table that PubMed saves")
    for number, cells in enumerate(rows, 2):
        if len(cells) == len(columns):
            row = dict(zip(columns, cells, strict=True))
            yield from entry(KIND, row["PMID"], _fields(row), _NAMES, repairs, f"{name}:{number}")
        elif cells:
            repairs.refuse(f"{name}:{number}", "no row of this table (its cells or quotation marks)")
    if not text.endswith("\n"):
        repairs.refuse(f"{name}:{len(rows) + 1}", "the last line has no end: it may be cut short")


def _cells(line: str) -> list[str]:
    """The cells of a line; the line itself where it is no row of CSV."""
    try:
        return next(csv.reader([line.rstrip("\r")], strict=True), [])
    except csv.Error:
        return [line]


def _fields(row: dict[str, str]) -> Iterator[tuple[str, str]]:
    """(name in _NAMES, value)."""
    if citation := _CITATION.search(row.get("Citation", "")):
        yield from ((name, value or "") for name, value in citation.groupdict().items())
    for name, value in row.items():
        if name == "Authors":
            yield from (("authors", each) for each in listed_people(value.rstrip(".")))
        else:
            yield name.replace(" ", "_"), value
