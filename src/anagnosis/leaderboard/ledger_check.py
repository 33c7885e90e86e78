"""What the ledger of a board says of one entry before somebody merges it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from anagnosis.leaderboard.entries import Entry
from anagnosis.leaderboard.golds import Golds
from anagnosis.leaderboard.hidden_splits import withheld_splits
from anagnosis.leaderboard.ledger import dated_lines, extended
from anagnosis.leaderboard.ledger_chain import LedgerLine
from anagnosis.leaderboard.monthly_limit import numbers
from anagnosis.wording import counted


@dataclass(frozen=True, slots=True)
class LedgerCheck:
    """faults: each a line. seen: of each hidden split, when the ledger has the entry first. is_known: whether it has it
    on all of them."""

    faults: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    is_known: bool = False


def ledger_check(
    entry: Entry, golds: Golds, ledger: Sequence[LedgerLine], per_month: int, today: date
) -> LedgerCheck:
    """Of an entry without faults, on the splits that the datasets withhold."""
    hidden = withheld_splits(golds.datasets)
    days = {line.identity: line.first_seen for line in ledger}
    faults: list[str] = []
    seen: list[str] = []
    is_known = True
    for place in entry.places:
        for line in dated_lines([entry], golds, hidden & {place}):
            called = golds.called(*place)
            if line.identity in days:
                seen.append(f"{called}: first seen on {days[line.identity]}")
                continue
            is_known = False
            found = extended(ledger, [line], today)
            number = numbers(found)[line.identity]
            month = f"{found[-1].first_seen:%Y-%m}"
            if number > per_month:
                faults.append(
                    f"{called}: over the limit: of {line.team} the ledger has {number - 1:,} in {month}, and a team "
                    f"may enter {counted(per_month, 'system')} a month"
                )
            else:
                seen.append(f"{called}: new, number {number:,} of {per_month:,} of {line.team} in {month}")
    return LedgerCheck(tuple(faults), tuple(seen), is_known and bool(seen))
