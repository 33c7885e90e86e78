"""The stored questions of `benchmarks` have the form that the benchmarks read."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_none_of_them_is_a_question_of_the_new_user() -> None:
    unanswered = records(ROOT / "benchmarks/questions/unanswered.jsonl")
    new_user = records(ROOT / "tests/acceptance/new_user/questions.jsonl")
    assert not {one["question"] for one in unanswered} & {one["question"] for one in new_user}


def test_nothing_is_fitted_on_the_questions_of_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    every = records(ROOT / "benchmarks/questions/first_sentence.jsonl")
    fitted = {question for question, _ in importlib.import_module("evidence_order").our_questions()}
    assert {one["part"] for one in every if one["question"] not in fitted} == {"test"}
    assert not {one["question"] for one in every if one["part"] == "test"} & fitted
