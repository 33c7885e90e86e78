"""Tables of two columns: a tab between them, or a comma (CSV).

27000083<TAB>2016-03
27000083,"Surgery, general"
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import BinaryIO

from anagnosis.errors import InputError

LONGEST_LINE = 1 << 16  # bytes


def rows(stream: BinaryIO, name: str) -> Iterator[tuple[int, list[str]]]:
    """(line, cells without outer white space) of every row that is not empty; a row may have any number of cells.

    InputError: a line that is not UTF-8, longer than 64 KiB, or no CSV.
    """
    number = 0
    while line := stream.readline(LONGEST_LINE + 1):
        number += 1
        where = f"{name}:{number}"
        if len(line) > LONGEST_LINE:
            raise InputError("a line longer than 64 KiB", where, "write two columns, a row a line")
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8").strip("\r\n")
        except UnicodeDecodeError as fault:
            raise InputError("not UTF-8", where, "recode the table") from fault
        if not text.strip():
            continue
        try:
            cells = text.split("\t") if "\t" in text else next(csv.reader([text], strict=True))
        except csv.Error as fault:
            raise InputError(f"not a row of CSV ({fault})", where, "a row is one line") from fault
        yield number, [cell.strip() for cell in cells]
