"""The plot over time: a point for each system, a stair through those shown to be the best, no style on the page."""

from __future__ import annotations

from datetime import date, timedelta
from xml.etree import ElementTree

from anagnosis.leaderboard.board import Figure, Step
from anagnosis.reports.leaderboard.progress import drawing


def steps(*values: float, days: int = 60) -> list[Step]:
    return [
        Step(
            date(2024, 1, 1) + timedelta(days * number),
            str(number),
            Figure(value, max(value - 0.03, 0), min(value + 0.03, 1), 100),
            number in (0, 2),
        )
        for number, value in enumerate(values)
    ]


def test_systems_of_one_date_have_no_plot() -> None:
    assert drawing(steps(0.5), ["a"], "accuracy", "p") == ""
    assert drawing(steps(0.2, 0.9, days=0), ["a", "b"], "accuracy", "p") == ""


def test_the_best_have_names_and_nothing_has_a_style() -> None:
    svg = drawing(steps(0.2, 0.9, 0.6), ["one", "two <b>", "three"], "accuracy", "p")
    root = ElementTree.fromstring(svg)
    texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert [name for name in ("one", "two <b>", "three") if name in texts] == ["one", "three"]
    assert "style" not in svg
    assert "two &lt;b&gt;, 2024-03-01" in svg
    assert {"2024-01-01", "2024-04-30"} <= set(texts)
