"""A submission to BioASQ is known by its shape and read as predictions, or refused with the question that is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.rows import each_row

from anagnosis.datasets.kinds.question import RelevantItems, Triple
from anagnosis.errors import InputError
from anagnosis.io.counts import Counts
from anagnosis.predictions import Answer, FoundSnippet, Prediction, read
from anagnosis.predictions.lines import numbered
from anagnosis.predictions.problems import problems_found
from anagnosis.predictions.submission import sniff

SNIPPET = {
    "document": "http://www.ncbi.nlm.nih.gov/pubmed/7",
    "text": "Salt water",
    "beginSection": "abstract",
    "endSection": "abstract",
    "offsetInBeginSection": 3,
    "offsetInEndSection": 13,
}


def written(folder: Path, *questions: Any, indent: int | None = None, **other: Any) -> Path:
    path = folder / "submission.json"
    path.write_text(json.dumps({**other, "questions": list(questions)}, indent=indent))
    return path


def texts(folder: Path, exact: Any) -> list[str]:
    (found,) = read(written(folder, {"id": "q1", "exact_answer": exact}))
    return [answer.text for answer in found.answers or ()]


def test_both_phases_are_read(tmp_path: Path) -> None:
    phase_a = {
        "id": "q1",
        "body": "?",
        "type": "factoid",
        "documents": ["http://www.ncbi.nlm.nih.gov/pubmed/7"],
        "snippets": [SNIPPET],
        "concepts": ["c"],
        "triples": [{"s": "a", "p": "b", "o": None}],
    }
    phase_b = {"id": "q2", "exact_answer": [["x"], ["y"]], "ideal_answer": "Both."}
    problems = Counts()
    (first, second) = [each for _, each in numbered(written(tmp_path, phase_a, phase_b), problems)]
    snippet = FoundSnippet(
        "http://www.ncbi.nlm.nih.gov/pubmed/7", "abstract", 3, "abstract", 13, "Salt water"
    )
    assert first.retrieved == RelevantItems(
        ("http://www.ncbi.nlm.nih.gov/pubmed/7",), ("c",), (snippet,), (Triple("a", "b", ""),)
    )
    assert first.answers is None
    assert second == Prediction(
        "q2", answers=[Answer("x"), Answer("y")], ideal="Both.", spelled='[["x"], ["y"]]'
    )
    assert not problems_found(problems)


@pytest.mark.parametrize("indent", [None, 1, 4])
def test_it_is_known_by_its_shape_with_other_keys_before_the_questions(
    tmp_path: Path, indent: int | None
) -> None:
    path = written(tmp_path, {"id": "q1", "exact_answer": "yes"}, indent=indent, system="ours", username="u")
    assert [each.id for each in read(path)] == ["q1"]


@each_row(
    "head",
    [
        b'{"id": "q1", "answer": "yes"}',
        b'{"12377809": "yes"}',
        b'{"id": "q", "questions": [',
        b'{"questions": {"id"',
        b'[{"questions": [',
        b"{",
        b"",
    ],
)
def test_other_files_are_no_submissions(head: bytes) -> None:
    assert not sniff(head)


def test_a_long_head_is_looked_at_in_no_time() -> None:
    assert not sniff(b'{"a": "' + b"\\" * 4000)
    assert not sniff(b'{"a": "b", ' * 400)


@each_row(
    ("exact", "expected"),
    [
        ("yes", ["yes"]),
        (["a", "b"], ["a", "b"]),
        ([["a", "synonym"], ["b"]], ["a", "b"]),
        ([[], ["a"]], ["a"]),
        ([[]], []),
        ([[17], [1.5]], ["17", "1.5"]),
    ],
)
def test_answers_are_read_in_either_shape(tmp_path: Path, exact: Any, expected: list[str]) -> None:
    assert texts(tmp_path, exact) == expected


@each_row(
    ("question", "what"),
    [
        ({"id": "q1", "exact_answer": None}, "question 'q1': exact_answer is null"),
        ({"id": "q1", "exact_answer": [["a"], [None]]}, "question 'q1': an answer in the list is no"),
        ({"id": "q1", "exact_answer": True}, "question 'q1': the exact answer is no"),
        ({"id": "q1", "exact_answer": {"a": 1}}, "question 'q1': the exact answer is no"),
        ({"id": "q1", "exact_answer": [["a"], "b"]}, "question 'q1': the exact answer mixes texts and lists"),
        ({"id": "q1", "exact_answer": [[["a"]]]}, "question 'q1': an answer in the list is no"),
        ({"id": "q1", "documents": None}, "question 'q1': documents is null"),
        ({"id": "q1", "documents": [7]}, "question 'q1': Expected `str`, got `int` - at `$.documents[0]`"),
        (
            {"id": "q1", "snippets": [{**SNIPPET, "score": 1}]},
            "question 'q1': Object contains unknown field `score` - at `$.snippets[0]`",
        ),
        ({"id": "q1", "triples": [{"s": "a", "p": None, "o": "b"}]}, "question 'q1': Expected `str`"),
        (
            {"id": "q1", "ideal_answer": ["a", "b"]},
            "question 'q1': ideal_answer is 2 texts, as in a golden file, not one",
        ),
        ({"exact_answer": "yes"}, "Object missing required field `id`"),
        ("q1", "Expected `object`, got `str`"),
    ],
)
def test_what_the_organisers_program_ends_on_is_one_line_with_the_question(
    tmp_path: Path, question: Any, what: str
) -> None:
    path = written(tmp_path, {"id": "q0", "exact_answer": "yes"}, question, indent=1)
    with pytest.raises(InputError) as fault:
        list(read(path))
    assert fault.value.what.startswith(what)
    assert fault.value.where == f"{path.name}:7"
    assert "\n" not in str(fault.value)


def test_a_question_with_a_key_that_stands_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "submission.json"
    path.write_text('{"questions": [\n{"id": "q1", "exact_answer": "yes", "exact_answer": "no"}]}')
    with pytest.raises(InputError, match="json:2: question 'q1': the key 'exact_answer' stands twice"):
        list(read(path))


def test_a_submission_cut_in_the_middle_is_one_line(tmp_path: Path) -> None:
    path = written(tmp_path, {"id": "q1", "exact_answer": "yes"}, {"id": "q2", "exact_answer": "no"})
    text = path.read_text()
    for length in range(len('{"questions": ['), len(text)):
        path.write_text(text[:length])
        with pytest.raises(InputError) as fault:
            list(read(path))
        assert "ends too early" in fault.value.what


def test_keys_without_a_meaning_are_counted(tmp_path: Path) -> None:
    problems = Counts()
    path = written(
        tmp_path, {"id": "q1", "exact_answer": "yes", "confidence": 1, "body": "?", "type": "yesno"}
    )
    assert len(list(numbered(path, problems))) == 1
    assert problems_found(problems)["unknown_fields"].first == ("confidence",)


def test_numbers_are_spelled_as_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "submission.json"
    path.write_text('{"questions": [{"id": "q1", "exact_answer": [[1e2], [1.50]]}]}')
    (found,) = read(path)
    assert found.spelled == "[[1e2], [1.50]]"
    assert found.answers == [Answer("1e2"), Answer("1.50")]
