"""Benchmarks ask for names that are there, since none is run in tests; none is fitted on its questions of test."""

from __future__ import annotations

import ast
import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from tests.rows import each_row

pytest.importorskip("torch", reason="the extra train is not installed")

FOLDER = Path(__file__).parents[2] / "benchmarks"
FILES = sorted(FOLDER.glob("*.py"))


def test_there_are_benchmarks() -> None:
    assert len(FILES) > 20


@each_row("path", FILES, ids=lambda path: path.stem)
def test_what_a_benchmark_imports_of_ours_is_there(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.partition(".")[0] == "anagnosis":
                    import_module(alias.name)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "anagnosis":
            module = import_module(node.module or "")
            for alias in node.names:
                if not hasattr(module, alias.name):
                    import_module(f"{node.module}.{alias.name}")


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_none_of_them_is_a_question_of_the_new_user() -> None:
    unanswered = records(FOLDER / "questions/unanswered.jsonl")
    new_user = records(FOLDER.parent / "tests/acceptance/new_user/questions.jsonl")
    assert not {one["question"] for one in unanswered} & {one["question"] for one in new_user}


def test_nothing_is_fitted_on_the_questions_of_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(FOLDER)
    every = records(FOLDER / "questions/first_sentence.jsonl")
    fitted = {question for question, _ in import_module("evidence_order").our_questions()}
    assert {one["part"] for one in every if one["question"] not in fitted} == {"test"}
    assert not {one["question"] for one in every if one["part"] == "test"} & fitted
