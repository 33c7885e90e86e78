"""How long people take for a question, and whether right answers come sooner than wrong ones."""

from __future__ import annotations

from collections.abc import Iterator

from anagnosis.evaluation.people.times import RightAndWrong, Spent, Times
from anagnosis.reports.report import Block, Cell, Column, Estimate, Heading, Table
from anagnosis.reports.systems.measured import sentences
from anagnosis.reports.systems.people.comparisons import TESTS


def time_blocks(times: Times | None, signature: str) -> Iterator[Block]:
    """A table of groups and people, and of groups the time of right answers compared with that of wrong ones."""
    if times is None:
        return
    yield Heading("Time")
    yield _table(times, signature)
    if times.right_and_wrong:
        yield sentences((own.who, _words(own, times.alpha)) for own in times.right_and_wrong)
        yield _ratios(times, signature)


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


def _ratios(times: Times, signature: str) -> Table:
    rows = tuple(
        (
            own.who,
            own.answers,
            Estimate(own.ratio, own.interval.low, own.interval.high),
            own.p_these,
            own.p_others,
            own.holm,
            _verdict(own, times.alpha),
        )
        for own in times.right_and_wrong
    )
    left_out = sum(own.left_out for own in times.right_and_wrong)
    notes = [
        "Right over wrong: the ratio of the geometric means inside people, with a 95 % interval for these people. "
        "The errors are those of the jackknife of documents (these people) and of people (other people); the larger "
        "p decides, corrected for the groups. Hard questions take long and go wrong, so that the ratio says nothing "
        "of a cause."
    ]
    notes += [f"Answers of 0 seconds are left out: {left_out:,}."] if left_out else []
    columns = (
        Column("who"),
        Column("answers", "count"),
        Column("right over wrong", "number"),
        *TESTS,
        Column("verdict"),
    )
    return Table("Time of right and of wrong answers", columns, rows, tuple(notes), (signature,))


def _verdict(own: RightAndWrong, alpha: float) -> str:
    if own.holm > alpha:
        return "not different"
    return "right answers take longer" if own.ratio > 1 else "wrong answers take longer"


def _words(own: RightAndWrong, alpha: float) -> str:
    verdict = _verdict(own, alpha)
    slower = "right" if own.ratio > 1 else "wrong"
    if verdict != "not different":
        holds = "" if own.people > 1 else "; this holds for this person"
        return f"{verdict}, {max(own.ratio, 1 / own.ratio):.2f} times as long{holds}"
    if own.holm_these <= alpha:
        these = "these people" if own.people > 1 else "this person"
        return f"{slower} answers of {these} take longer; those of others may not"
    return "the time of right and wrong answers is not different"
