"""The stored questions of `benchmarks` have the form that the benchmarks read."""

from __future__ import annotations

import importlib
import json
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
KINDS = ("yesno", "name", "quantity", "definition", "reason", "summary")
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


def test_the_questions_of_the_first_sentence_are_as_many_of_each_kind_in_each_part() -> None:
    every = records(ROOT / "benchmarks/questions/first_sentence.jsonl")
    assert len({one["id"] for one in every}) == len({one["question"] for one in every}) == 260
    of = Counter((one["part"], one["absent"] or one["kind"]) for one in every)
    tens = dict.fromkeys(product(("opened", "test"), KINDS), 10)
    absent = dict.fromkeys((("tuning", True), ("test", True)), 10)
    assert of == tens | absent | dict.fromkeys((("tuning", kind) for kind in KINDS), 20)
    for one in every:
        quoted = [one["answer"], *one["also"]]
        assert (
            (quoted == [""] and one["why"])
            if one["absent"]
            else all(20 <= len(each) <= 200 for each in quoted)
        )


def test_nothing_is_fitted_on_the_questions_of_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    every = records(ROOT / "benchmarks/questions/first_sentence.jsonl")
    fitted = {question for question, _ in importlib.import_module("evidence_order").our_questions()}
    assert {one["part"] for one in every if one["question"] not in fitted} == {"test"}
    assert not {one["question"] for one in every if one["part"] == "test"} & fitted


def test_the_papers_of_other_populations_are_among_the_right_ones() -> None:
    every = records(ROOT / "benchmarks/questions/roles.jsonl")
    assert len({one["id"] for one in every}) == len({one["question"] for one in every}) == 20
    assert all(one["other"].keys() <= set(one["right"]) for one in every)
