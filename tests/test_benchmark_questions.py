"""The stored questions of `benchmarks/questions` have the form that `benchmarks/asking.py` reads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FIELDS = {"id", "question", "kind", "near_miss", "why"}


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_there_are_60_questions_without_an_answer_half_of_them_near_misses() -> None:
    every = records(ROOT / "benchmarks/questions/unanswered.jsonl")
    assert all(one.keys() == FIELDS and one["question"] and one["why"] for one in every)
    assert {one["kind"] for one in every} == {"yesno", "factoid", "list", "summary"}
    assert len({one["id"] for one in every}) == len({one["question"] for one in every}) == 60
    assert sum(one["near_miss"] for one in every) == 30


def test_none_of_them_is_a_question_of_the_new_user() -> None:
    unanswered = records(ROOT / "benchmarks/questions/unanswered.jsonl")
    new_user = records(ROOT / "tests/acceptance/new_user/questions.jsonl")
    assert not {one["question"] for one in unanswered} & {one["question"] for one in new_user}
