"""Which of BioASQ's files train a reader of types and which measure it, and its figures beside the rules."""

from __future__ import annotations

import pytest

from anagnosis.datasets.kinds.question import FACTOID, SUMMARY, QuestionInstance
from anagnosis.errors import InputError
from anagnosis.searching.fit.question_type_measuring import FEWEST, measured, parts


def questions(sizes: dict[str, int]) -> list[QuestionInstance]:
    return [
        QuestionInstance(f"{file}{place}", FACTOID, "Which gene?", file=file)
        for file, size in sizes.items()
        for place in range(size)
    ]


def test_whole_newest_editions_measure_and_later_ones_stay_outside() -> None:
    sizes = {"6B1_golden.json": 70, "7B1_golden.json": 5, "7B2_golden.json": 5, "8B1_golden.json": 20}
    chosen = parts(questions({**sizes, "9B5_golden.json": 100, "10B1_golden.json": 3}))
    assert chosen.apart == {"9B5_golden.json", "10B1_golden.json"}
    assert chosen.newest == {
        "8B1_golden.json",
        "7B1_golden.json",
        "7B2_golden.json",
    }  # 20 of 100 are fewer than 28


def test_the_rules_stand_beside_and_a_reader_must_beat_them() -> None:
    posed = [
        QuestionInstance(str(place), FACTOID if place % 2 else SUMMARY, "Which gene is it?")
        for place in range(FEWEST)
    ]
    figures = measured(posed, lambda question: FACTOID, "invented", "2026-01-02")
    assert (figures.accuracy, figures.by_rules, figures.low, figures.earned) == (0.5, 0.5, 0.0, False)
    worse = measured(posed, lambda question: "list", "invented", "2026-01-02")
    assert (worse.accuracy, worse.earned) == (0.0, False)
    assert worse.high < 0
    right = iter([one.type for one in posed])
    better = measured(posed, lambda question: next(right), "invented", "2026-01-02")
    assert (better.accuracy, better.earned) == (1.0, True)
    assert "right for 100.0%, rules 50.0%" in better.says
    with pytest.raises(InputError, match=f"and {FEWEST} are needed"):
        measured(posed[1:], lambda question: FACTOID, "invented", "2026-01-02")
