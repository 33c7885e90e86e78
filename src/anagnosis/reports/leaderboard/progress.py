"""The plot of a board over time: a point for each system, and a line through those that were shown to be the best.

The line rises only where a paired test shows that a system is better than the best one of the dates before it. What is
drawn here is plain geometry for a template: no script and no style of its own, so that the page's policy and colours
hold for it.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from anagnosis.evaluation.measures.measure import named
from anagnosis.leaderboard.board import Figure, Step
from anagnosis.reports.leaderboard.figures import span
from anagnosis.reports.renderers.numbers import cell_text
from anagnosis.reports.renderers.plots import shortened
from anagnosis.reports.systems.measured import cell_kind

WIDTH, HEIGHT = 440, 250
LEFT, RIGHT, TOP, BOTTOM = 46, 14, 20, 34
LETTER = 5.6  # units that a letter takes at the label's size
_STEPS = (1, 2, 2.5, 5, 10)
LEAST = 2  # dates: a plot of one has nothing to show


@dataclass(frozen=True, slots=True)
class Point:
    """A system. label: its name, on the line alone; anchor: on which side of the point it stands."""

    x: float
    y: float
    low: float
    high: float
    best: bool
    title: str
    label: str = ""
    anchor: str = "start"
    label_x: float = 0
    label_y: float = 0


@dataclass(frozen=True, slots=True)
class Tick:
    """A place on an axis and what stands beside it."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """points: in the order of their dates. path: of the line, as SVG has it."""

    points: tuple[Point, ...]
    path: str
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM


def drawing(steps: Sequence[Step], names: Sequence[str], measure: str) -> Drawing | None:
    """The plot of a standing's progress; None where all systems have one date. names: of each step."""
    if len({step.date for step in steps}) < LEAST:
        return None
    kind = cell_kind(named(measure))
    low, high, ticks = _axis([step.figure for step in steps], measure)
    first, last = steps[0].date, steps[-1].date
    if (last - first).days < 28:
        middle = first + (last - first) / 2
        first, last = middle - datetime.timedelta(14), middle + datetime.timedelta(14)
    days = (last - first).days

    def across(date: datetime.date) -> float:
        return round(LEFT + 8 + (WIDTH - LEFT - RIGHT - 16) * (date - first).days / days, 1)

    def up(value: float) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - low) / (high - low), 1)

    points = [
        Point(
            across(step.date),
            up(step.figure.value),
            up(step.figure.low),
            up(step.figure.high),
            step.best,
            f"{name}, {step.date}: {cell_text(step.figure.value, kind)}",
        )
        for step, name in zip(steps, names, strict=True)
    ]
    labelled = _labelled(points, names)
    return Drawing(
        tuple(labelled),
        _path([point for point in points if point.best]),
        tuple(Tick(across(date), text) for date, text in _dates(first, last)),
        tuple(Tick(up(value), cell_text(value, kind).removesuffix(".00")) for value in ticks),
    )


def _path(best: Sequence[Point]) -> str:
    """A stair through the best points, on to the right edge."""
    parts = [f"M{best[0].x} {best[0].y}"] if best else []
    for point in best[1:]:
        parts.append(f"H{point.x}V{point.y}")
    return "".join(parts) + f"H{WIDTH - RIGHT}" if parts else ""


def _labelled(points: Sequence[Point], names: Sequence[str]) -> list[Point]:
    """The best points with their names beside their intervals, those that have room; the newest first.

    A name stands on the line only where there is no room beside it.
    """
    taken = [_Box(point.x - 5, point.x + 5, point.high - 2, point.low + 2) for point in points]
    line = _boxes_of_line([point for point in points if point.best])
    found = list(points)
    for place in reversed(range(len(points))):
        label = shortened(names[place])
        rooms = [
            (anchor, x, y, box)
            for anchor, x, y in (_places(points[place]) if points[place].best else ())
            if (box := _Box.of(anchor, x, y, LETTER * len(label))).is_inside()
            and not any(map(box.meets, taken))
        ]
        # `min` takes the first of those that are alike.
        chosen = min(rooms, key=lambda room: any(map(room[3].meets, line)), default=None)
        if chosen is not None:
            anchor, x, y, box = chosen
            taken.append(box)
            found[place] = replace(
                points[place], label=label, anchor=anchor, label_x=round(x, 1), label_y=round(y, 1)
            )
    return found


def _boxes_of_line(best: Sequence[Point]) -> list[_Box]:
    """Where the stair through the best points runs."""
    boxes: list[_Box] = []
    for before, after in pairwise(best):
        boxes.append(_Box(before.x, after.x, before.y - 2, before.y + 2))
        boxes.append(_Box(after.x - 2, after.x + 2, min(before.y, after.y), max(before.y, after.y)))
    return boxes + [_Box(point.x, WIDTH - RIGHT, point.y - 2, point.y + 2) for point in best[-1:]]


def _places(point: Point) -> Iterator[tuple[str, float, float]]:
    """(anchor, x, y) of where a name may stand: above the interval, beside the point, below."""
    for y in (point.high - 6, point.low + 13):
        yield from (("start", point.x - 4, y), ("end", point.x + 4, y), ("middle", point.x, y))
        yield from (("start", point.x + 8, y), ("end", point.x - 8, y))  # beside the line up to the point
        yield from (("end", point.x - 9, point.y + 4), ("start", point.x + 9, point.y + 4))


class _Box(NamedTuple):
    left: float
    right: float
    top: float
    bottom: float

    @classmethod
    def of(cls, anchor: str, x: float, y: float, width: float) -> _Box:
        """That of a text."""
        left = {"start": x, "middle": x - width / 2, "end": x - width}[anchor]
        return cls(left, left + width, y - 9, y + 2)

    def is_inside(self) -> bool:
        """Whether it lies in the picture, above the axis."""
        return (
            self.left >= LEFT - 6 and self.right <= WIDTH and self.top >= 0 and self.bottom <= HEIGHT - BOTTOM
        )

    def meets(self, other: _Box) -> bool:
        """Whether the two share a place."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


def _axis(figures: Sequence[Figure], measure: str) -> tuple[float, float, list[float]]:
    """The lowest and highest value of the axis, round, and three to six values between them."""
    low, high = span(figures, named(measure))
    step = _round_step((high - low) / 4)
    low, high = math.floor(low / step) * step, math.ceil(high / step) * step
    count = round((high - low) / step)
    return low, high, [low + step * number for number in range(count + 1)]


def _round_step(about: float) -> float:
    power = 10 ** math.floor(math.log10(about))
    return next(step * power for step in _STEPS if step * power >= about * 0.999)


def _dates(first: datetime.date, last: datetime.date) -> list[tuple[datetime.date, str]]:
    """Beginnings of years, of months where there are few, or the middle day where there is none; six at most."""
    years = [datetime.date(year, 1, 1) for year in range(first.year, last.year + 2)]
    inside = [date for date in years if first <= date <= last]
    if len(inside) >= 3:
        every = math.ceil(len(inside) / 6)
        return [(date, str(date.year)) for date in inside[::every]]
    months = [
        datetime.date(year, month, 1) for year in range(first.year, last.year + 1) for month in range(1, 13)
    ]
    inside = [date for date in months if first <= date <= last]
    if not inside:
        middle = first + (last - first) / 2
        return [(middle, middle.isoformat())]
    every = next(step for step in (1, 2, 3, 4, 6, 12) if len(inside) / step <= 6)
    return [(date, f"{date:%Y-%m}") for date in inside if (date.month - 1) % every == 0]
