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


def labels(path: Path, known: Sequence[str], column: str) -> dict[str, str]:
    """id → label of a sheet's column, in lower case, "" where there is none yet; blanks around it do not count.

    InputError: no such sheet, not CSV in UTF-8, without these columns, an id twice or missing, an unknown label.
    """
    try:
        text = path.read_text("utf-8-sig")
    except FileNotFoundError as fault:
        raise InputError("no such sheet", str(path), "draw sheets with `anagnosis label draw`") from fault
    except OSError as fault:
        raise InputError(f"cannot be read ({reason_of(fault)})", str(path), "let it be read") from fault
    except UnicodeDecodeError as fault:
        what = f"cannot be read as UTF-8 ({fault})"
        raise InputError(what, str(path), "save it as CSV in UTF-8") from fault
    found: dict[str, str] = {}
    header: list[str] | None = None
    for line, row in _rows(text, path.name):
        where = f"{path.name}:{line}"
        if not any(cell.strip() for cell in row) or (header is None and row[0].startswith("#")):
            continue
        if header is None:
            header = [cell.strip().lower() for cell in row]
            if not {"id", column} <= set(header):
                raise InputError(f"no columns id and {column}", where, "keep the sheet's header")
            continue
        cells = dict(zip(header, row))
        ident = cells.get("id", "").strip()
        if ident.startswith("'") and is_formula(ident[1:]):
            ident = ident[1:]  # some spreadsheets save the apostrophe of a cell that is no formula
        if not ident or ident in found:
            what = f"the id {ident} stands twice" if ident else "a row without id"
            raise InputError(what, where, "give each id one row")
        label = cells.get(column, "").strip().lower()
        if label and label not in known:
            raise InputError(f"{label!r} is no answer", where, f"write {', '.join(known)}")
        found[ident] = label
    return found


def _rows(text: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """(line where it ends, cells) of each row."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text))
    try:
        for row in reader:
            yield reader.line_num, row
    except csv.Error as fault:
        raise InputError(f"not CSV ({fault})", f"{name}:{reader.line_num}", "save it as CSV") from fault


def _delimiter(text: str) -> str:
    """What parts the columns of the header: spreadsheets of some countries write semicolons."""
    header = next((line for line in text.splitlines() if line and not line.lstrip('"').startswith("#")), "")
    return max(",;\t", key=header.count)
