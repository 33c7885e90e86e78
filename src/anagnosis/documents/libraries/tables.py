"""Tables of CSV that databases of literature save of a search: a citation a row.

    PMID,Title,Authors,Citation,First Author,Journal/Book,Publication Year,Create Date,PMCID,NIHMS ID,DOI
    27000083,Salt.,"Hellinger FR, Smith J.","J Salt. 2016 Mar 23;12(3):817-20. doi: 10.1000/x.",…

    "Authors","Author full names","Author(s) ID","Title","Year","Source title","Volume",…,"Abstract",…,"EID"
    "Hellinger F.R.; Smith J.","Hellinger, Frank R. (57190000001); Smith, Jo (7)","57190000001; 7","Salt","2016",…

PubMed's has no abstracts; volume, issue and pages come from the citation. Scopus has sentences such as "[No abstract
available]" in empty cells. Source: PubMed's help, "Saving citations as a text file"; Scopus' help, "Export".
"""

from __future__ import annotations

import csv
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import BinaryIO, NamedTuple

from anagnosis.documents.bibliography import listed_people, page_range
from anagnosis.documents.io.whole import whole_text
from anagnosis.documents.libraries import LARGEST
from anagnosis.documents.libraries.entry import LONGEST_FIELD, Entry, authors, entry, names
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError

_MOST_LINES = 50  # of a row
_NOTHING = re.compile(r"\[No [a-z ]+ available\](?: \(\[.*\]\))?")
# "J Salt. 2016 Mar 23;12(3):817-20. doi: …"; an electronic paper may lack pages, volume and issue.
_CITATION = re.compile(
    r"\. (?P<date>\d{4}[^;:.]*)(?:;(?P<volume>[^;:.()]*)(?:\((?P<issue>[^()]*)\))?(?::(?P<pages>[^;:. ]+))?)?\."
)
_NUMBER_OF_AUTHOR = re.compile(r",? ?\(\d+\)(?=;|\Z)")
# Older exports have no semicolons: "Hellinger F.R., Smith J.", "Hellinger, F.R., Smith, J.".
_BETWEEN_AUTHORS = re.compile(r"(?<=\.), (?!(?:[JS]r|I+V?)\b)")
_POINT_OF_INITIAL = re.compile(r"(?<=\b[A-Z])\.")


class Table(NamedTuple):
    """A kind of table. key: the column with a row's key. fields: of a row, what no cell has as it stands."""

    kind: str
    program: str
    needed: tuple[str, ...]
    key: str
    names: Mapping[str, str]
    fields: Callable[[dict[str, str]], Iterator[tuple[str, str]]]

    def sniff(self, head: bytes) -> bool:
        line = head.removeprefix(BOM_UTF8).partition(b"\n")[0]
        return set(self.needed) <= set(_cells(line.decode(errors="replace")))

    def entries(
        self, stream: BinaryIO, repairs: Repairs, name: str = "", folder: Path = Path()
    ) -> Iterator[Entry]:
        # The limit holds for the process; its default of 128 KiB is less than some lists of references.
        csv.field_size_limit(max(csv.field_size_limit(), LONGEST_FIELD))
        text = whole_text(stream, name, LARGEST)
        lines = text.split("\n")
        columns = _cells(lines[0])
        if missing := [column for column in self.needed if column not in columns]:
            what = f"no column {', '.join(missing)}"
            raise InputError(what, f"{name}:1", f"give the table that {self.program} saves")
        for number, cells in _rows(lines, len(columns)):
            if len(cells) == len(columns):
                row = {c: "" if _NOTHING.fullmatch(v) else v for c, v in zip(columns, cells, strict=True)}
                as_they_stand = ((column.replace(" ", "_"), cell) for column, cell in row.items())
                fields = chain(self.fields(row), as_they_stand)
                key = row.get(self.key, "")
                yield from entry(self.kind, key, fields, self.names, repairs, f"{name}:{number}")
            elif cells:
                repairs.refuse(f"{name}:{number}", "no row of this table (its cells or quotation marks)")
        if not text.endswith("\n"):
            repairs.refuse(f"{name}:{len(lines)}", "the last line has no end: it may be cut short")


def _rows(lines: list[str], width: int) -> Iterator[tuple[int, list[str]]]:
    """(line, cells) of each row, in whose cells lines may end. A line that begins no whole row is a row by itself."""
    at = 1
    while at < len(lines):
        end, marks = at + 1, lines[at].count('"')
        while marks % 2 and end < min(len(lines), at + _MOST_LINES):
            marks += lines[end].count('"')
            end += 1
        cells = _cells("\n".join(lines[at:end]))
        if len(cells) != width:
            end, cells = at + 1, _cells(lines[at])
        yield at + 1, cells
        at = end


def _cells(row: str) -> list[str]:
    """The cells of a row; the row itself where it is no CSV."""
    try:
        return next(csv.reader([row.rstrip("\r")], strict=True), [])
    except csv.Error:
        return [row]


def _of_pubmed(row: dict[str, str]) -> Iterator[tuple[str, str]]:
    if citation := _CITATION.search(row.get("Citation", "")):
        yield from ((name, value or "") for name, value in citation.groupdict().items())
    yield from (("authors", each) for each in listed_people(row["Authors"].rstrip(".")))


def _of_scopus(row: dict[str, str]) -> Iterator[tuple[str, str]]:
    full = _NUMBER_OF_AUTHOR.sub("", row.get("Author full names", ""))
    for name in (full or _BETWEEN_AUTHORS.sub(";", row["Authors"])).split(";"):
        yield from authors(name.strip() if full else _POINT_OF_INITIAL.sub("", name))
    yield from (("keywords", each) for each in row.get("Author Keywords", "").split(";"))
    yield "pages", page_range(row.get("Page start", ""), row.get("Page end", "")) or row.get("Art. No.", "")


PUBMED = Table(
    "pubmed-csv",
    "PubMed",
    ("PMID", "Title", "Authors", "Journal/Book"),
    "PMID",
    names(
        title="Title",
        journal="Journal/Book",
        date="date Publication_Year",
        pmid="PMID",
        pmcid="PMCID",
        doi="DOI",
    ),
    _of_pubmed,
)
SCOPUS = Table(
    "scopus-csv",
    "Scopus",
    ("Authors", "Title", "Year", "Source title"),
    "EID",
    names(
        title="Title",
        abstract="Abstract",
        journal="Source_title Abbreviated_Source_Title",
        date="Year",
        volume="Volume",
        issue="Issue",
        doi="DOI",
        pmid="PubMed_ID",
        types="Document_Type",
        language="Language_of_Original_Document",
    ),
    _of_scopus,
)
