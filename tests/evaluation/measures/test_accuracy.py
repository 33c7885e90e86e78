from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.golds import Row, gold_of

from anagnosis import registry
from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError
from anagnosis.evaluation.measures import MEASURES
from anagnosis.evaluation.measures.accuracy import credits
from anagnosis.predictions import Matched, match

KEYS = ["a", "b", "c", "d"]
# answer on the line, scores of a b c d, gold answer -> credit expected, credit by answer
CASES = [
    ("a", (9, 1, 1, 1), 0, 1, 1),
    ("b", (9, 1, 1, 1), 0, 1, 0),
    ("a", (1, 9, 1, 1), 0, 0, 1),
    ("a", (5, 5, 1, 1), 0, 1 / 2, 1),
    ("b", (5, 5, 1, 1), 0, 1 / 2, 0),
    ("c", (5, 5, 1, 1), 2, 0, 1),
    ("a", (7, 7, 7, 7), 3, 1 / 4, 0),
    ("d", (0, -1, 0, 0), 3, 1 / 3, 1),
    ("a", None, 0, 1, 1),
    ("a", None, 1, 0, 0),
    (None, None, 0, 0, 0),
    (None, (9, 1, 1, 1), 0, 1, 0),
    ("stranger", None, 0, 0, 0),
    ("a", (9, 1, 1, 1), None, 0, 0),
    (None, None, None, 0, 0),
    ("stranger", None, None, 0, 0),
    ("a", (-1, None, -2, None), 0, 1, 1),
    ("a", (None, None, -2, None), 0, 0, 1),
    ("a", {"stranger": 1.0}, 0, 1, 1),
    ("a", {}, 0, 1, 1),
]


@pytest.fixture
def matched(tmp_path: Path) -> tuple[Gold, Matched]:
    gold = gold_of([Row(f"{number}:0", KEYS, case[2]) for number, case in enumerate(CASES)])
    lines = []
    for number, (answer, scores, *_) in enumerate(CASES):
        by_key = (
            scores if isinstance(scores, dict) else dict(zip(KEYS, scores, strict=True)) if scores else None
        )
        line = {"id": f"{number}:0", "answer": answer}
        if by_key is not None:
            line["scores"] = {key: score for key, score in by_key.items() if score is not None}
        lines.append(json.dumps(line))
    path = tmp_path / "system.jsonl"
    path.write_text("\n".join(lines))
    return gold, match(path, gold)


def test_expected_gives_one_kth_to_one_of_k_tied_candidates(matched: tuple[Gold, Matched]) -> None:
    assert credits(*matched, "expected").tolist() == pytest.approx([case[3] for case in CASES], abs=0)


def test_answer_looks_at_nothing_but_the_answer(matched: tuple[Gold, Matched]) -> None:
    assert credits(*matched, "answer").tolist() == [case[4] for case in CASES]


def test_an_unknown_protocol_is_told_with_the_known_ones(matched: tuple[Gold, Matched]) -> None:
    with pytest.raises(InputError, match="unknown protocol 'expect'; did you mean expected"):
        credits(*matched, "expect")


def test_the_table_finds_it() -> None:
    assert registry.load(MEASURES["accuracy"]).values is credits
