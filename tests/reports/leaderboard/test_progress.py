"""The plot over time: a point for each system, a stair through those shown to be the best, no text on another."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.leaderboard.board import Figure, Step
from anagnosis.reports.leaderboard.progress import (
    BOTTOM,
    HEIGHT,
    LEFT,
    LETTER,
    RIGHT,
    TOP,
    WIDTH,
    Drawing,
    drawing,
)


def steps(*values: float, best: tuple[int, ...] = (0,), days: int = 60) -> list[Step]:
    return [
        Step(
            date(2024, 1, 1) + timedelta(days * number),
            str(number),
            Figure(value, max(value - 0.03, 0), min(value + 0.03, 1), 100),
            number in best,
        )
        for number, value in enumerate(values)
    ]


def drawn(given: list[Step]) -> Drawing:
    found = drawing(given, [f"System {step.submission}" for step in given], "accuracy")
    assert found is not None
    return found


def test_systems_of_one_date_have_no_plot() -> None:
    assert drawing(steps(0.5), ["a"], "accuracy") is None
    assert drawing(steps(0.2, 0.9, days=0), ["a", "b"], "accuracy") is None


def test_the_line_is_a_stair_through_the_best_to_the_right_edge() -> None:
    found = drawn(steps(0.2, 0.9, 0.6, best=(0, 2)))
    first, _, third = found.points
    assert found.path == f"M{first.x} {first.y}H{third.x}V{third.y}H{WIDTH - RIGHT}"
    assert third.y < first.y
    assert [point.best for point in found.points] == [True, False, True]
    assert found.points[1].title == "System 1, 2024-03-01: 90.00"


def test_systems_of_one_day_stand_above_each_other() -> None:
    found = drawn([*steps(0.2, 0.9, days=0), *steps(0.1, 0.3)[1:]])
    assert found.points[0].x == found.points[1].x < found.points[2].x


@pytest.mark.parametrize(
    ("days", "texts"),
    [
        (1, ["2024-01"]),
        (40, ["2024-01", "2024-02", "2024-03"]),
        (250, ["2024-01", "2024-04", "2024-07", "2024-10", "2025-01", "2025-04"]),
        (2000, ["2024", "2026", "2028", "2030", "2032", "2034"]),
    ],
)
def test_dates_are_round_and_at_most_six(days: int, texts: list[str]) -> None:
    assert [tick.text for tick in drawn(steps(0.1, 0.2, 0.3, days=days)).across] == texts


def test_a_name_stands_on_the_line_only_where_there_is_no_room_beside_it() -> None:
    """The interval of another system leaves the name of the second best one no room above."""
    entered = [
        Step(date(2024, 1, 1), "0", Figure(0.272, 0.218, 0.334, 224), True),
        Step(date(2024, 3, 2), "1", Figure(0.451, 0.387, 0.516, 224), True),
        Step(date(2024, 4, 3), "2", Figure(0.522, 0.482, 0.563, 224), False),
        Step(date(2024, 7, 4), "3", Figure(0.853, 0.8, 0.893, 224), True),
        Step(date(2024, 11, 6), "5", Figure(0.942, 0.903, 0.966, 224), True),
        Step(date(2025, 1, 2), "6", Figure(0.576, 0.506, 0.643, 224), False),
    ]
    found = drawing(entered, [f"System number {step.submission}" for step in entered], "accuracy")
    assert found is not None
    second, third = (found.points[place] for place in (1, 3))
    assert second.label == "System number 1"
    assert second.label_y - 9 > second.y or second.label_y + 2 < second.y
    width = LETTER * len(second.label)
    left = second.label_x - {"start": 0, "middle": width / 2, "end": width}[second.anchor]
    assert left > second.x or left + width < second.x  # beside the line that leads up to the point
    assert left + width < third.x


def test_a_time_without_the_beginning_of_a_month_has_a_day() -> None:
    day = date(2024, 1, 16)
    given = [Step(day + timedelta(n), str(n), Figure(0.5, 0.4, 0.6, 9), False) for n in range(2)]
    assert [tick.text for tick in drawn(given).across] == ["2024-01-16"]


@given(
    st.lists(st.floats(0, 1), min_size=2, max_size=40),
    st.integers(1, 700),
    st.sets(st.integers(0, 39), max_size=10),
)
def test_everything_lies_inside_the_picture_and_no_name_on_another(
    values: list[float], days: int, best: set[int]
) -> None:
    found = drawn(steps(*values, best=(0, *best), days=days))
    for point in found.points:
        assert LEFT <= point.x <= WIDTH - RIGHT
        assert TOP - 0.5 <= point.high <= point.y <= point.low <= HEIGHT - BOTTOM + 0.5
    assert 2 <= len(found.up) <= 7
    boxes = [
        (left, left + width, point.label_y - 9, point.label_y + 2)
        for point in found.points
        if point.label
        for width in (LETTER * len(point.label),)
        for left in (point.label_x - {"start": 0, "middle": width / 2, "end": width}[point.anchor],)
    ]
    for place, (left, right, top, bottom) in enumerate(boxes):
        assert left >= 0
        assert right <= WIDTH + 0.1
        for other in boxes[:place]:
            apart = right <= other[0] or other[1] <= left or bottom <= other[2] or other[3] <= top
            assert apart, (boxes[place], other)
