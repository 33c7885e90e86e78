"""How long people take for a question."""

from __future__ import annotations

from collections.abc import Iterator

from anagnosis.evaluation.people.times import Spent, Times
from anagnosis.reports.report import Block, Cell, Estimate, Heading, Table, table


def time_blocks(times: Times | None, signature: str) -> Iterator[Block]:
    """A table of groups and people."""
    if times is None:
        return
    yield Heading("Time")
    yield _table(times, signature)


def mean_time(spent: Spent | None) -> Cell:
    """A mean with its interval, where it has one."""
    if spent is None or spent.interval is None:
        return None if spent is None else spent.mean
    return Estimate(spent.mean, spent.interval.low, spent.interval.high)


def _table(times: Times, signature: str) -> Table:
    groups = sum(own.people > 1 for own in times.timings)
    return table(
        "Seconds for a question",
        [
            ("who", "text", lambda own: own.who),
            ("answers", "count", lambda own: own.all.answers),
            ("median", "seconds", lambda own: own.all.median),
            ("mean", "seconds", lambda own: mean_time(own.all)),
            ("in all", "seconds", lambda own: own.all.total),
            ("median, right", "seconds", lambda own: own.right and own.right.median),
            ("median, wrong", "seconds", lambda own: own.wrong and own.wrong.median),
            ("median, unanswered", "seconds", lambda own: own.unanswered and own.unanswered.median),
        ],
        times.timings,
        notes=(
            "Of a question. A group's mean is the mean of its people's, its median that of all their answers. In "
            "brackets: 95 % intervals over other questions, by t on the scale of logarithms.",
        ),
        signatures=(signature,),
        zones=(groups,) if 0 < groups < len(times.timings) else (),
    )
