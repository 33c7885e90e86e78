"""Exact match, F1 and BLEU of free texts, beside CliCR's published program and cases worked out by hand."""

from __future__ import annotations

import gzip
import json
import re
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.evaluation.measures.answer_texts import Value, exact_match, f1, words
from anagnosis.evaluation.measures.bleu import best_bleu, bleu, counts

CLOSE = 1e-9


def cases(shared: Path, name: str) -> list[dict[str, Any]]:
    return json.loads((shared / f"vectors/clicr/{name}.json").read_text("utf-8"))["cases"]


def random_cases(shared: Path, function: str) -> Iterator[dict[str, Any]]:
    with gzip.open(shared / "vectors/clicr/fuzz_functions.jsonl.gz", "rt", encoding="utf-8") as stream:
        yield from (case for case in map(json.loads, stream) if case["f"] == function)


def best(value: Value, answer: str, right: list[str]) -> float:
    """The value of an answer beside right ones."""
    return value(words(answer), [words(each) for each in right])


def corpus(ground: dict[str, list[str]], predictions: dict[str, str], n: int) -> float:
    """BLEU-n of a set of normalised texts."""
    rows = [
        counts(words(predictions[key]), [words(one) for one in right], n) for key, right in ground.items()
    ]
    return float(bleu(np.sum(rows, axis=0)))


def test_the_published_normalisation(shared: Path) -> None:
    found = cases(shared, "normalize_answer")
    assert len(found) == 37
    for case in found:
        assert " ".join(words(case["input"]["s"])) == case["output"], case


@given(st.text(alphabet=st.sampled_from("aAn the.-_\t\n\x00\x1cβ“”İ0"), max_size=12) | st.text(max_size=12))
def test_any_text_is_normalised_as_squad_s_own_lines_do(text: str) -> None:
    lowered = "".join(sign for sign in text.lower() if sign not in set(string.punctuation))
    assert " ".join(words(text)) == " ".join(re.sub(r"\b(a|an|the)\b", " ", lowered).split())


def test_the_published_exact_match_and_f1(shared: Path) -> None:
    found = cases(shared, "em_f1")
    assert len(found) == 21
    for case in found:
        pair = case["input"]["prediction"], [case["input"]["ground_truth"]]
        assert best(exact_match, *pair) == case["exact_match"], case
        assert best(f1, *pair) == pytest.approx(case["f1"], abs=CLOSE), case


def test_the_published_best_over_several_answers(shared: Path) -> None:
    for case in cases(shared, "max_over_answers"):
        for name, value in (("exact_match", exact_match), ("f1", f1)):
            pair = case["input"]["prediction"], case["input"]["ground_truths"]
            # Without a right answer the program stops; nothing is then a right answer.
            expected = 0.0 if "raises" in case[name] else float(case[name]["output"])
            assert best(value, *pair) == pytest.approx(expected, abs=CLOSE), case


def test_random_published_exact_matches_and_f1(shared: Path) -> None:
    found = list(random_cases(shared, "em_f1"))
    assert len(found) == 600
    for case in found:
        assert best(exact_match, case["prediction"], case["answers"]) == case["em"], case
        assert best(f1, case["prediction"], case["answers"]) == pytest.approx(case["f1"], abs=CLOSE), case
        assert " ".join(words(case["prediction"])) == case["normalised"]


def test_the_published_bleu(shared: Path) -> None:
    found = cases(shared, "bleu")
    assert len(found) == 16
    for case in found:
        ground = case["input"]["ground"]
        predictions = {key: text for key, (text,) in case["input"]["predictions"].items()}
        for n in (1, 2, 3, 4):
            value = corpus(ground, predictions, n)
            assert value == pytest.approx(case["corpus"][f"Bleu_{n}"], rel=1e-6, abs=CLOSE), case["name"]
            for key, each in zip(ground, case["per_instance"][f"Bleu_{n}"], strict=True):
                own = corpus({key: ground[key]}, predictions, n)
                assert own == pytest.approx(each, rel=1e-6, abs=CLOSE), case["name"]


def test_random_published_bleu(shared: Path) -> None:
    found = list(random_cases(shared, "bleu"))
    assert len(found) == 120
    for case in found:
        predictions = {key: text for key, (text,) in case["predictions"].items()}
        for n, value in enumerate(case["corpus"], 1):
            assert corpus(case["ground"], predictions, n) == pytest.approx(value, abs=CLOSE), case


def test_a_right_answer_as_close_but_shorter_gives_the_length() -> None:
    assert counts(("ct", "scan"), [("ct",), ("ct", "scan", "chest")], 1) == [2, 2, 2, 1]


def test_the_best_bleu_of_one_answer_is_that_beside_the_best_right_answer() -> None:
    draw = np.random.default_rng(5)
    texts = [tuple(draw.choice(["ct", "of", "chest", "pain", "x"], draw.integers(0, 6))) for _ in range(60)]
    for answer in texts[:20]:
        for right in (texts[20:24], texts[30:31], texts[40:60]):
            for n in (2, 4):
                alone = [float(bleu(np.array(counts(answer, [each], n), np.float64))) for each in right]
                assert best_bleu(answer, right, n) == pytest.approx(max(alone), rel=1e-12)
