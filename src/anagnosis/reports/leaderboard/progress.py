"""The plot of a board over time: a point for each system, and a line through those that were shown to be the best.

The line rises only where a paired test shows that a system is better than the best one of the dates before it. The
page's policy forbids styles of a picture, so that they become attributes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from anagnosis.evaluation.measures.measure import named
from anagnosis.leaderboard.board import Step
from anagnosis.reports.leaderboard.figures import estimate
from anagnosis.reports.renderers.picture import draw
from anagnosis.reports.report import Column, Plot, Table
from anagnosis.reports.systems.measured import measured_column

LEAST = 2  # dates: a plot of one has nothing to show
_STYLE = re.compile(r'style="([^"]*)"')
_FONT = re.compile(r"\bfont: [^;]*;?")  # the page has its own


def drawing(steps: Sequence[Step], names: Sequence[str], measure: str, name: str) -> str:
    """The <svg> element of a standing's progress; "" where all systems have one date.

    names: of each step. name: keeps the identifiers of several pictures on a page apart.
    """
    if len({step.date for step in steps}) < LEAST:
        return ""
    of = named(measure)
    columns = (Column("system"), Column("date"), measured_column(of), Column("best"))
    rows = tuple(
        (called, step.date.isoformat(), estimate(step.figure), "best" if step.best else "")
        for step, called in zip(steps, names, strict=True)
    )
    title = (
        f"{of.heading} of {len(steps)} systems by date. The line goes through the best system of a date where it was "
        "shown to be better than the best one of the dates before."
    )
    said = "; ".join(f"{called}, {step.date}" for step, called in zip(steps, names, strict=True))
    svg = draw(Plot(title, said, "best_over_time", Table(f"{of.heading} over time", columns, rows)), name)
    svg = re.sub(r"<style.*?</style>", "", svg, flags=re.DOTALL)
    return _STYLE.sub(lambda style: _attributes(style[1]), svg)


def _attributes(style: str) -> str:
    """A style as presentation attributes of an element."""
    pairs = (part.partition(":") for part in _FONT.sub("", style).split(";") if ":" in part)
    return " ".join(f'{key.strip()}="{value.strip()}"' for key, _, value in pairs)
