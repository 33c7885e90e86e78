"""What `show` gives as records."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from tests.golds import run_of
from tests.reports.cloze import dataset

from anagnosis.datasets.gold import Gold
from anagnosis.evaluation.dataset_statistics import GivenAnswer, given_answers
from anagnosis.predictions import OUTSIDE, UNANSWERED, Matched


def test_answers_are_taken_from_predictions_by_row(tmp_path: Path) -> None:
    gold = Gold.of(dataset(tmp_path / "mine"), "train")

    def matched(name: str, choice: int, annotator: str | None = None, group: str | None = None) -> Matched:
        has_line = np.array([True, name != "absent"])
        return run_of([9, choice], name, annotator=annotator, group=group, has_line=has_line)

    people = [matched("p", UNANSWERED, "anna", "experts"), matched("q", OUTSIDE, "ben")]
    found = given_answers([matched("base4", 2), *people, matched("absent", UNANSWERED)], gold, 1)
    assert found == (
        GivenAnswer("base4", "systems", 2),
        GivenAnswer("anna", "experts", None),
        GivenAnswer("ben", "people", None, "no candidate of this instance"),
        GivenAnswer("absent", "systems", None, "no line"),
    )
