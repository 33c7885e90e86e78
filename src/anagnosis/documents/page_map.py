"""Where the text of a section stands on the pages of a file: its page map.

    "9f86d081884c7d65 4:0 64 58+3 5:120 70"

The file: the first 16 digits of its SHA-256. P:I: what follows stands on page P (from 1; 0 for none), from PDFium's
character I on. N: the next N characters of the text are a run there; the next run begins N + 1 characters of PDFium's
further on, N+K or N-K: K more or less. Runs are lines; within a line the letters of both are the same, but for what was
left out.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_DIGITS = 16  # of the file's SHA-256
_MAP = re.compile(
    rf"[0-9a-f]{{{_DIGITS}}}(?: \d{{1,7}}:\d{{1,9}}(?: [1-9]\d{{0,8}}(?:[+-]\d{{1,9}})?)+)+", re.ASCII
)
_RUN = re.compile(r"(\d+)(?:(:)(\d+)|([+-]\d+))?", re.ASCII)
_FAR = 1000  # characters of PDFium's from which on a place is written anew


class Run(NamedTuple):
    """Characters [begin, end) of the text stand on a page (from 1; 0: on none) from this character of PDFium's on."""

    begin: int
    end: int
    page: int
    character: int


class PageMap(NamedTuple):
    """The runs of a text, without gaps. file: as in the written form."""

    file: str
    runs: tuple[Run, ...]

    def part(self, begin: int, end: int) -> PageMap:
        """The map of characters [begin, end) of the text."""
        return PageMap(self.file, tuple(_cut(self.runs, begin, end)))

    @property
    def pages(self) -> tuple[int, ...]:
        """The pages, each once."""
        return tuple(dict.fromkeys(run.page for run in self.runs if run.page))

    def written(self) -> str:
        """The written form; "" without runs."""
        return " ".join((self.file, *_words(self.runs))) if self.runs else ""


def read_page_map(written: str) -> PageMap | None:
    """The map of its written form; None if it is none."""
    if not _MAP.fullmatch(written):
        return None
    runs: list[Run] = []
    begin = page = character = 0
    for match in _RUN.finditer(written, _DIGITS + 1):
        number = int(match[1])
        if match[2]:
            page, character = number, int(match[3])
        else:
            runs.append(Run(begin, begin + number, page, character))
            begin += number
            character += number + 1 + int(match[4] or 0)
    return PageMap(file_of(written), tuple(runs))


def file_of(written: str) -> str:
    """The file of a map, "" without one."""
    return written[:_DIGITS]


def pages_of(written: str, begin: int, end: int) -> tuple[int, ...]:
    """The pages on which characters [begin, end) of a text with this map stand; none without a map."""
    found = read_page_map(written) if written else None
    return found.part(begin, end).pages if found else ()


def _cut(runs: Sequence[Run], begin: int, end: int) -> Iterator[Run]:
    first = max(bisect_right(runs, begin, key=lambda run: run.begin) - 1, 0)
    for run in runs[first:]:
        if run.begin >= end:
            return
        if run.end > begin:
            late = max(begin - run.begin, 0)
            yield Run(max(run.begin - begin, 0), min(run.end, end) - begin, run.page, run.character + late)


def _words(runs: Sequence[Run]) -> Iterator[str]:
    is_new = True  # the place is written
    for run, behind in zip(runs, (*runs[1:], None), strict=True):
        if is_new:
            yield f"{run.page}:{run.character}"
        length = run.end - run.begin
        late = behind.character - run.character - length - 1 if behind else 0
        is_new = behind is None or behind.page != run.page or abs(late) >= _FAR
        yield f"{length}{late:+}" if late and not is_new else str(length)
