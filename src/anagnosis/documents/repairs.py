"""Counts of what a loader repaired and refused, by name.

docs/receipts.md documents the names. The first hundred different refusals keep their place.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from anagnosis.errors import InputError

KEPT_REFUSALS = 100
ROOM = 64 << 20  # characters

_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class InputPlace:
    """Where something was refused or left out ("file:line"), and why."""

    where: str
    why: str


class Reason(NamedTuple):
    """A reason of refusal: how often it occurred, and where and in what words first."""

    times: int
    where: str
    why: str


class Repairs:
    """Running counts. counts: repairs and observations by name. refused: documents. refusals: the first (where, why) of
    what was refused or left out; left_out: those of them that refuse no document.

    reasons: the first hundred kinds of refusals; messages that differ only in numbers are of one kind. room: characters
    that the values of a library may still have, in which a macro, a row or a link may stand for them many times.
    """

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.refused = 0
        self.refusals: list[tuple[str, str]] = []
        self.left_out: list[tuple[str, str]] = []
        self.reasons: dict[str, Reason] = {}
        self.room = ROOM

    def count(self, name: str, n: int = 1) -> None:
        """Add `n` to the count of `name`; 0 adds no entry."""
        if n:
            self.counts[name] += n

    def take_room(self, size: int, where: str) -> None:
        """Take room for `size` characters. InputError: there is not so much left."""
        self.room -= size
        if self.room < 0:
            what = f"its values would become more than {ROOM >> 20} MiB, and than twice its file"
            raise InputError(what, where, "export the library again")

    def refuse(self, where: str, why: str) -> None:
        """Count and note a document (or what should have been one) that cannot be read."""
        self.refused += 1
        self._keep(where, why)

    def refuse_file(self, where: str, why: str) -> None:
        """Count and note a file, or a member of an archive, that cannot be read at all."""
        self.count("file_refused")
        self.refuse(where, why)

    def note(self, where: str, why: str) -> None:
        """Note what is left out and is no refused document: a line of one, or a book."""
        add_refusals(self.left_out, [(where, why)])
        self._keep(where, why)

    def suspect(self, where: str, why: str) -> None:
        """Note what may be the reason that nothing is left, and refuses nothing."""
        add_reasons(self.reasons, [Reason(1, where, why)])

    def add(self, more: Repairs) -> None:
        """Add what was counted and noted elsewhere, later."""
        self.counts.update(more.counts)
        self.refused += more.refused
        add_refusals(self.refusals, more.refusals)
        add_refusals(self.left_out, more.left_out)
        add_reasons(self.reasons, more.reasons.values())

    def sort(self) -> None:
        """Bring the places of one file into the order of its lines: text is decoded before it is read line by line."""
        self.refusals.sort(key=_line)
        self.left_out.sort(key=_line)

    def places(self) -> tuple[list[InputPlace], list[InputPlace]]:
        """The first places of (what was refused, what was left out)."""
        refused = [InputPlace(*each) for each in self.refusals if each not in self.left_out]
        return refused, [InputPlace(*each) for each in self.left_out]

    def _keep(self, where: str, why: str) -> None:
        add_refusals(self.refusals, [(where, why)])
        self.suspect(where, why)


def _line(place: tuple[str, str]) -> int:
    """The line of "file:line", 0 where there is none."""
    number = place[0].rpartition(":")[2]
    return int(number) if number.isdecimal() else 0


def add_refusals(kept: list[tuple[str, str]], more: Iterable[tuple[str, str]]) -> None:
    """Keep the first hundred refusals, each once."""
    for refusal in more:
        if len(kept) >= KEPT_REFUSALS:
            return
        if refusal not in kept:
            kept.append(refusal)


def add_reasons(kept: dict[str, Reason], more: Iterable[Reason]) -> None:
    """Add up reasons of one kind; the first place of each kind stays."""
    for reason in more:
        kind = _NUMBER.sub("0", reason.why)
        first = kept.get(kind)
        if first is not None:
            kept[kind] = first._replace(times=first.times + reason.times)
        elif len(kept) < KEPT_REFUSALS:
            kept[kind] = reason


def most_frequent(reasons: Iterable[Reason]) -> str:
    """The most frequent reason with its first place, for an error message; "" if there is none."""
    most = max(reasons, key=lambda reason: reason.times, default=None)
    if most is None:
        return ""
    times = f"{most.times:,} times, first at" if most.times > 1 else "at"
    return f"the most frequent reason ({times} {most.where}): {most.why}"


def nothing_read(repairs: Repairs) -> InputError:
    """The error of a run that found no document in its inputs."""
    why = most_frequent(repairs.reasons.values())
    what = f"no document could be read; {why}" if why else "no document in these files"
    return InputError(what, "", "check the files, or name their format with --format")
