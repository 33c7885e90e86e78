"""The file that a person's page saves: a JSON line for each answer that the person committed.

    {"id": "12:0", "answer": "gene/672", "dataset": "3f0c…", "annotator": "ann", "group": "experts", "seconds": 9.5, "place": 2}
    {"id": "12:0", "answer": null, "dataset": "3f0c…", "annotator": "ann", "group": "experts", "seconds": 14.1, "place": 2}

The last line of an id is valid. Its `seconds` are all those that the page has counted for the question.
"""  # noqa: E501  (a line of the saved file, whole)

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from anagnosis.errors import InputError
from anagnosis.io.files import open_input

Line = dict[str, Any]
Check = Callable[[bytes, str], Line]
LONGEST_LINE = 1 << 16  # bytes: ten times what a page saves
SECONDS, PLACE = "seconds", "place"
_NO_ANSWER = frozenset((SECONDS, PLACE))


@dataclass(slots=True)
class SavedFile:
    """What a file holds. last: id → its last line, in the order of their first lines. lines: how many there are.

    changed: id → how often its answer became another. blank: empty lines.
    """

    last: dict[str, Line] = field(default_factory=dict[str, Line])
    lines: int = 0
    changed: dict[str, int] = field(default_factory=dict[str, int])
    blank: int = 0

    @property
    def seconds(self) -> float:
        """The seconds of all questions."""
        return round(sum(line[SECONDS] for line in self.last.values()), 1)

    def add(self, line: Line) -> None:
        """Take the next line."""
        ident: str = line["id"]
        before = self.last.get(ident)
        if before is not None and answer_of(before) != answer_of(line):
            self.changed[ident] = self.changed.get(ident, 0) + 1
        self.last[ident] = line
        self.lines += 1


def answer_of(line: Line) -> Line:
    """A line without its seconds and place: what the person answered."""
    return {name: value for name, value in line.items() if name not in _NO_ANSWER}


def read(path: Path, check: Check) -> SavedFile:
    """The lines of a file in any compression, in memory bounded by the ids.

    check: makes the line of its bytes and place ("answers-ann.jsonl:3"), or refuses it (InputError).

    InputError: what `check` refuses, or a line that is too long.
    """
    found = SavedFile()
    number = 0
    with open_input(path) as stream:
        while data := stream.readline(LONGEST_LINE + 1):
            number += 1
            where = f"{path.name}:{number}"
            if len(data) > LONGEST_LINE:
                raise InputError(f"a line of more than {LONGEST_LINE >> 10} KiB", where, "take the file away")
            if data.isspace():
                found.blank += 1
            else:
                found.add(check(data, where))
    return found
