"""Counts of what a loader repaired and refused, by name, with the first hundred places (docs/receipts.md)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from anagnosis.errors import InputError
from anagnosis.io.counts import MOST

ROOM = 64 << 20  # characters


@dataclass(frozen=True, slots=True)
class InputPlace:
    """Where something was refused or left out ("file:line"), and why."""

    where: str
    why: str


class Repairs:
    """Running counts. counts: repairs and observations by name. refused: documents. refusals: the first places of what
    was refused or left out, each once; left_out: those of them that refuse no document.

    room: characters that the values of a library may still have, in which a macro or a row may stand many times.
    """

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.refused = 0
        self.refusals: list[tuple[str, str]] = []
        self.left_out: list[tuple[str, str]] = []
        self.room = ROOM

    def count(self, name: str, n: int = 1) -> None:
        """Add `n` to the count of `name`; 0 adds no entry."""
        if n:
            self.counts[name] += n

    def refuse(self, where: str, why: str) -> None:
        """Count and note a document (or what should have been one) that cannot be read."""
        self.refused += 1
        _keep(self.refusals, [(where, why)])

    def refuse_file(self, where: str, why: str) -> None:
        """Count and note a file, or a member of an archive, that cannot be read at all."""
        self.count("file_refused")
        self.refuse(where, why)

    def note(self, where: str, why: str) -> None:
        """Note what is left out and is no refused document: a line of one, or a book."""
        _keep(self.left_out, [(where, why)])
        _keep(self.refusals, [(where, why)])

    def take_room(self, size: int, where: str) -> None:
        """Take room for `size` characters. InputError: there is not so much left."""
        self.room -= size
        if self.room < 0:
            what = f"its values would become more than {ROOM >> 20} MiB, and than twice its file"
            raise InputError(what, where, "export the library again")

    def add(self, more: Repairs) -> None:
        """Add what was counted and noted elsewhere, later."""
        self.counts.update(more.counts)
        self.refused += more.refused
        _keep(self.refusals, more.refusals)
        _keep(self.left_out, more.left_out)

    def sort(self) -> None:
        """Bring the places of one file into the order of its lines: text is decoded before it is read line by line."""
        self.refusals.sort(key=_line)
        self.left_out.sort(key=_line)

    def places(self) -> tuple[list[InputPlace], list[InputPlace]]:
        """The first places of (what was refused, what was left out)."""
        refused = (each for each in self.refusals if each not in self.left_out)
        return [InputPlace(*each) for each in refused], [InputPlace(*each) for each in self.left_out]


def nothing_read(repairs: Repairs) -> InputError:
    """The error of a run that found no document in its inputs."""
    first = next((f"; first at {where}: {why}" for where, why in repairs.refusals), "")
    return InputError(
        f"no document could be read{first}", "", "check the files, or name their format with --format"
    )


def _keep(kept: list[tuple[str, str]], more: list[tuple[str, str]]) -> None:
    for place in more:
        if len(kept) < MOST and place not in kept:
            kept.append(place)


def _line(place: tuple[str, str]) -> int:
    """The line of "file:line", 0 where there is none."""
    number = place[0].rpartition(":")[2]
    return int(number) if number.isdecimal() else 0
