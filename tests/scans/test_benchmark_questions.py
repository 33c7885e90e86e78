"""The stored questions and claims of `benchmarks` have the form that the benchmarks read."""

from __future__ import annotations

import importlib
import json
import re
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


PAIRS = ROOT / "benchmarks/claims/pairs.jsonl"


def differing(one: str, other: str) -> list[tuple[str, str]]:
    """The words, split by blanks, in which two texts of as many words differ."""
    return [pair for pair in zip(one.split(), other.split(), strict=True) if pair[0] != pair[1]]


def test_the_claims_and_the_questions_of_a_pair_differ_in_one_word() -> None:
    for pair in records(PAIRS):
        assert len(differing(pair["claim_a"], pair["claim_b"])) == 1
        assert len(differing(pair["question_a"], pair["question_b"])) == 1
        assert pair["question_a"].endswith("?")


def test_there_are_120_pairs_whose_labels_are_balanced() -> None:
    every = records(PAIRS)
    assert len({one["id"] for one in every}) == len({one["abstract"] for one in every}) == len(every) == 120
    assert len({claim for one in every for claim in (one["claim_a"], one["claim_b"])}) == 240
    assert Counter(one["supported"] for one in every) == {"a": 60, "b": 60}
    assert Counter((one["other"], one["negated_conclusion"]) for one in every) == {
        ("opposes", True): 45,
        ("opposes", False): 35,
        ("not about", True): 15,
        ("not about", False): 25,
    }


def test_an_abstract_has_four_to_six_sentences_and_a_negated_conclusion_is_marked() -> None:
    negated = re.compile(r"\b(no|not|neither|failed|similar|without|despite)\b", re.IGNORECASE)
    for one in records(PAIRS):
        sentences = re.split(r"(?<=[.?!]) (?=[A-Z])", one["abstract"])
        assert 4 <= len(sentences) <= 6
        assert bool(negated.search(sentences[-1])) == one["negated_conclusion"]
