"""The systems of a standing by date, and which of them were shown to be better than all before."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from itertools import groupby

from anagnosis.evaluation.comparison import EveryPair
from anagnosis.leaderboard.board import Row, Step


def progress(rows: Sequence[Row], tested: EveryPair | None, dates: Mapping[str, datetime.date]) -> list[Step]:
    """The systems by date. tested: the comparison of the rows, None where there is one row or none.

    Those of one date are simultaneous: the best of them is compared with the best one before it.
    """
    places = {row.submission: place for place, row in enumerate(rows)}
    best: int | None = None
    found: list[Step] = []
    for date, own in groupby(sorted(places, key=lambda one: (dates[one], one)), key=lambda one: dates[one]):
        names = [*own]
        shown = [
            place
            for place in map(places.__getitem__, names)
            if best is None or (tested is not None and (place, best) in tested.better.by_verdict)
        ]
        best = min(shown, default=best)
        found += (
            Step(date, name, rows[place].figure, bool(shown) and place == best)
            for name in names
            for place in (places[name],)
        )
    return found
