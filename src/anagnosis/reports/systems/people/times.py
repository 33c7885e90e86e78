"""How long people take for a question."""

from __future__ import annotations

from collections.abc import Iterator

from anagnosis.evaluation.people.times import Spent, Times
from anagnosis.reports.report import Block, Cell, Column, Estimate, Heading, Table


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
    rows = tuple(
        (
            own.who,
            own.all.answers,
            own.all.median,
            mean_time(own.all),
            own.all.total,
            *(None if part is None else part.median for part in (own.right, own.wrong, own.unanswered)),
        )
        for own in times.timings
    )
    columns = (
        Column("who"),
        Column("answers", "count"),
        Column("median", "seconds"),
        Column("mean", "seconds"),
        Column("in all", "seconds"),
        Column("median, right", "seconds"),
        Column("median, wrong", "seconds"),
        Column("median, unanswered", "seconds"),
    )
    note = (
        "Of a question. A group's mean is the mean of its people's, its median that of all their answers. In "
        "brackets: 95 % intervals over other questions, by t on the scale of logarithms."
    )
    zones = (groups,) if 0 < groups < len(rows) else ()
    return Table("Seconds for a question", columns, rows, (note,), (signature,), zones)
