"""How many of a team's entries count on a hidden split: its first ones of each calendar month."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from anagnosis.leaderboard.entries import Entry
from anagnosis.leaderboard.golds import Golds, SplitKey
from anagnosis.leaderboard.ledger import dated_lines
from anagnosis.leaderboard.ledger_chain import LedgerLine
from anagnosis.leaderboard.team_names import team_key


@dataclass(frozen=True, slots=True)
class Excess:
    """An entry that is not scored on a split. counted_on: the day by which it counts."""

    entry: Entry
    place: SplitKey
    counted_on: date


@dataclass(frozen=True, slots=True)
class Counted:
    """entries: without the splits on which they are over the limit. days: (entry, split) → its day in the ledger;
    empty without one."""

    entries: tuple[Entry, ...]
    over_limit: tuple[Excess, ...]
    days: dict[tuple[str, SplitKey], date]

    @property
    def first_seen(self) -> dict[str, date]:
        """Entry → its first day in the ledger, on whichever split."""
        found: dict[str, date] = {}
        for (name, _), day in self.days.items():
            found[name] = min(day, found.get(name, day))
        return found


def within_limit(
    entries: Sequence[Entry],
    golds: Golds,
    hidden: frozenset[SplitKey],
    per_month: int,
    ledger: Sequence[LedgerLine] | None = None,
) -> Counted:
    """A team's first entries of each month on each hidden split.

    ledger: with a line for each entry, in whose order and by whose days entries count, whatever became of them since;
    None: by the dates in system.toml, those of one day by name.
    """
    lines = dated_lines(entries, golds, hidden) if ledger is None else ledger
    number = numbers(lines)
    days = {line.identity: line.first_seen for line in reversed(lines)}
    over: list[Excess] = []
    seen: dict[tuple[str, SplitKey], date] = {}
    for each in sorted(entries, key=lambda one: (one.about.date, one.name)):
        for place in each.places:
            for line in dated_lines([each], golds, hidden & {place}):
                day = days[line.identity]
                seen[each.name, place] = day
                if number[line.identity] > per_month:
                    over.append(Excess(each, place, day))
    counted = tuple(_without(each, over) for each in entries)
    return Counted(counted, tuple(over), {} if ledger is None else seen)


def numbers(lines: Iterable[LedgerLine]) -> dict[tuple[object, ...], int]:
    """Identity of a line → which entry of its team on its split in its month it is, from 1."""
    found: dict[tuple[object, ...], int] = {}
    entered: Counter[tuple[object, ...]] = Counter()
    for line in lines:
        if line.identity in found:
            continue  # a file that was joined by hand may have an entry twice
        month = (team_key(line.team), line.split, line.first_seen.year, line.first_seen.month)
        entered[month] += 1
        found[line.identity] = entered[month]
    return found


def _without(each: Entry, over: Sequence[Excess]) -> Entry:
    left = {one.place for one in over if one.entry is each}
    if not left:
        return each
    return replace(
        each,
        systems={place: own for place, own in each.systems.items() if place not in left},
        people={place: own for place, own in each.people.items() if place not in left},
    )
