"""Sheets that people fill in: CSV which any spreadsheet opens, and reads back what it saved.

    # Read the question and …                instructions, in lines that begin with "#"
    id,question,context,label                a header
    30000001,Does it help?,RESULTS: …,       rows; a person writes into the last column

UTF-8 with a byte order mark, which spreadsheets want. A cell that a spreadsheet would take for a formula begins with an
apostrophe.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from anagnosis.errors import InputError
from anagnosis.io.paths import reason_of
from anagnosis.showing import is_formula, without_formula

_MARK = "\ufeff"


def sheet(instructions: Iterable[str], header: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """The bytes of a sheet. instructions: its first lines."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerows([f"# {line}"] for line in instructions)
    writer.writerow(header)
    writer.writerows([without_formula(cell) for cell in row] for row in rows)
    return (_MARK + stream.getvalue()).encode()


def rows(text: str, name: str) -> Iterator[tuple[str, dict[str, str]]]:
    """("file:line", column → cell) of each row that is not empty; columns in lower case, without needless blanks.

    Spreadsheets of some countries part columns by semicolons. InputError: not CSV, or no column id.
    """
    lines = (line for line in text.splitlines() if line.strip() and not line.lstrip('"').startswith("#"))
    delimiter = max(",;\t", key=next(lines, "").count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    header: list[str] = []
    try:
        for cells in reader:
            where = f"{name}:{reader.line_num}"
            if not any(cell.strip() for cell in cells) or (not header and cells[0].startswith("#")):
                continue
            if not header:
                header = [" ".join(cell.split()).lower() for cell in cells]
                if "id" not in header or len({*header}) < len(header) or "" in header:
                    what = "the header needs a column id, and a name of its own for each column"
                    raise InputError(what, where, "correct the header")
            elif len(cells) != len(header):
                what = f"{len(cells)} cells under a header of {len(header)}"
                raise InputError(what, where, "put cells with a separator in them in quotation marks")
            else:
                yield where, dict(zip(header, cells, strict=True))
    except csv.Error as fault:
        raise InputError(f"not CSV ({fault})", f"{name}:{reader.line_num}", "save it as CSV") from fault


def labels(path: Path, known: Sequence[str], column: str) -> dict[str, str]:
    """id → label of a sheet's column, in lower case, "" where there is none yet; blanks around it do not count.

    InputError: no such sheet, not CSV in UTF-8, without this column, an id twice or missing, an unknown label.
    """
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as fault:
        what = f"no such sheet, or it cannot be read as UTF-8 ({reason_of(fault)})"
        raise InputError(
            what, str(path), "draw sheets with `anagnosis label draw`, save CSV in UTF-8"
        ) from fault
    found: dict[str, str] = {}
    for where, row in rows(text, path.name):
        ident = row["id"].strip()
        if ident.startswith("'") and is_formula(ident[1:]):  # some spreadsheets save the apostrophe
            ident = ident[1:]
        if not ident or ident in found or column not in row:
            what = f"the id {ident} stands twice or is missing, or there is no column {column}"
            raise InputError(what, where, "keep the sheet's header, and give each id one row")
        label = row[column].strip().lower()
        if label and label not in known:
            raise InputError(f"{label!r} is no answer", where, f"write {', '.join(known)}")
        found[ident] = label
    return found
