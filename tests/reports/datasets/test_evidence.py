"""Pages over scores of sentences: the table, what is missing in it, the signatures, the differences."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from anagnosis.evaluation.highlighting import Difference, Figure, Highlighting
from anagnosis.evaluation.intervals import Interval
from anagnosis.predictions import Problem
from anagnosis.reports import render
from anagnosis.reports.datasets.evidence import compare_report, score_report
from anagnosis.reports.report import Item, Listing, Run

FACTS = Listing((Item("dataset", (Run("made"),)),))
NONE: Mapping[str, Problem] = {}


def figure(value: float | None, n: int = 10) -> Figure:
    if value is None:
        return Figure(None, None, n)
    return Figure(value, Interval(value - 0.1, value + 0.1, 0.95, "bootstrap by question"), n)


def system(name: str, value: float | None = 0.7, unanswered: int = 0) -> Highlighting:
    return Highlighting(
        name, figure(value, 1234), figure(value, 9), figure(value), questions=8, unanswered=unanswered
    )


def test_a_page_has_a_row_a_system_and_each_signature_once() -> None:
    rows = [(system("one"), NONE, "seed:3|draws:50"), (system("two", 0.6, 4), NONE, "seed:3|draws:50")]
    text = render(score_report("Scores", FACTS, {"test": rows}), ".txt")
    assert text.count("seed:3|draws:50") == 1
    assert (
        "1,234 sentences, 10 instances with one that is held, of them 9 with both kinds, 8 questions" in text
    )
    (line,) = [line for line in text.splitlines() if line.startswith("two")]
    assert line.split()[-1] == "4"
    assert "60.00 [50.00, 70.00]" in line


def test_a_signature_of_several_runs_stands_beside_that_of_one() -> None:
    rows = [(system("one"), NONE, "draws:50"), (system("both"), NONE, "draws:50|runs:2")]
    text = render(score_report("Scores", FACTS, {"test": rows}), ".txt")
    assert "draws:50|runs:2" in text
    assert text.count("draws:50") == 2


def test_a_figure_that_is_not_there_is_no_zero() -> None:
    text = render(score_report("Scores", FACTS, {"dev": [(system("one", None), NONE, "s")]}), ".txt")
    (line,) = [line for line in text.splitlines() if line.startswith("one")]
    assert "0" not in line


def test_what_did_not_fit_stands_in_a_table() -> None:
    problems = {"missing": Problem(3, ("a", "b"))}
    text = render(score_report("Scores", FACTS, {"test": [(system("one"), problems, "s")]}), ".txt")
    assert "missing" in text
    assert "a, b" in text
    bare = render(score_report("Scores", FACTS, {"test": [(system("one"), NONE, "s")]}), ".txt")
    assert "Nothing: every line of every file fits the dataset." in bare
    assert text.index("missing") < text.index("On test"), "before the numbers"


@pytest.mark.parametrize("ending", [".txt", ".md", ".html", ".csv", ".json"])
def test_differences_are_on_every_kind_of_page(ending: str) -> None:
    p = {"pooled": 0.012, "mean": 0.5, "best": 1.0}
    apart = Difference("one", "two", figure(0.1), figure(0.2), figure(0.3), p, p)
    rows = [(system("one"), NONE, "s"), (system("two", 0.6), NONE, "s")]
    text = render(compare_report("Comparison", FACTS, rows, [apart], "test"), ending)
    assert "one − two" in text
    assert ".012" in text
