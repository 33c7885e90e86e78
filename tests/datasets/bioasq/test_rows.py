"""The organisers' objects: both shapes of exact answers are one in the view, and every object comes back as it was."""

from __future__ import annotations

import io
import json
from typing import Any

import msgspec
import pytest
from tests.golden_files import python2, question, questions, snippet

from anagnosis.datasets.bioasq.rows import QUESTIONS, exact_of, instance_of, object_of
from anagnosis.datasets.bioasq.statistics import counted
from anagnosis.datasets.export.authors_files import listed
from anagnosis.datasets.kinds.question import QuestionInstance, Snippet
from anagnosis.errors import InputError


def opened(text: str) -> list[tuple[int, bytes]]:
    return list(listed(io.BytesIO(text.encode()), "1B1.json", QUESTIONS))


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("factoid", [["a", "b"]], (("a", "b"),)),
        ("factoid", ["a", "b"], (("a", "b"),)),
        ("factoid", [["a"], ["b"]], (("a",), ("b",))),
        ("factoid", "a", (("a",),)),
        ("factoid", ["a", ""], (("a", ""),)),
        ("list", [["a", "b"], ["c"]], (("a", "b"), ("c",))),
        ("list", ["a", "b"], (("a",), ("b",))),
        ("list", [[], ["a", None]], (("a",),)),
        ("list", [[46.0], [True]], (("46.0",), ("true",))),
        ("yesno", "Yes", (("yes",),)),
        ("yesno", ["yes"], None),
        ("factoid", None, None),
        ("factoid", {"a": 1}, None),
        ("list", [], ()),
    ],
)
def test_an_exact_answer_is_entries_of_synonyms(kind: str, value: Any, expected: Any) -> None:
    assert exact_of(kind, value) == expected


def test_the_answer_of_an_object_is_read_by_its_type() -> None:
    given = question(type="yesno", exact_answer="Yes"), question(type="factoid", exact_answer=["a", "b"])
    assert [instance_of(one, "", 0, "").exact for one in given] == [(("yes",),), (("a", "b"),)]


def test_a_question_that_was_read_from_no_file_has_the_organisers_object() -> None:
    instance = instance_of(question(), "", 0, "")
    made = object_of(instance)
    assert {**made, "concepts": 0} == {**question(), "concepts": 0}


@pytest.mark.parametrize(
    "value",
    [
        [],
        "a",
        {"id": "", "body": "b"},
        question(snippets=[{"text": "no document"}]),
        question(snippets=[snippet(offsetInBeginSection="1")]),
        question(documents="x"),
        question(id=1),
    ],
)
def test_what_is_no_question_is_not_converted(value: Any) -> None:
    with pytest.raises(msgspec.ValidationError):
        instance_of(value, "", 0, "")


def test_a_file_is_read_question_by_question() -> None:
    found = opened(json.dumps({"user": [1], "questions": questions(3), "system": "s"}, indent=2))
    assert [json.loads(data) for _, data in found] == questions(3)
    assert [line for line, _ in opened(python2([*questions(1), *questions(1)]))] == [3, 42]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{}", "holds no questions"),
        ('{"questions": {}}', "Expected `array`"),
        ('{"questions": [],}', "malformed JSON"),
        ('{"questions": []} {}', "malformed JSON"),
        ('{"questions": [], "questions": []}', "the key 'questions' stands twice"),
    ],
)
def test_broken_json_is_refused_with_its_place(text: str, told: str) -> None:
    with pytest.raises(InputError, match=told) as fault:
        opened(text)
    assert fault.value.where == "1B1.json"


def marked(document: str, text: str, section: str = "abstract") -> Snippet:
    return Snippet(document, section, 0, section, len(text), text)


def test_questions_documents_snippets_and_answers_are_counted() -> None:
    twice = marked("d1", "Tea helps.")
    given = [
        QuestionInstance("1", "yesno", "?", ("d1", "d2"), (twice,), (("yes",),), file="a"),
        QuestionInstance("2", "yesno", "?", ("d1",), (twice, marked("d2", "Tea.")), (("no",),), file="a"),
        QuestionInstance("3", "yesno", "?", file="b"),
        QuestionInstance("4", "factoid", "?", ("d3",), (marked("d3", "Salt."),) * 2, (("x",),)),
    ]
    counts, files = counted(given)
    assert files == {"a": 2, "b": 1, "": 1}
    assert counts == {
        "questions": 4,
        "yesno": 3,
        "yesno with an exact answer": 2,
        "yesno answered yes": 1,
        "factoid": 1,
        "factoid with an exact answer": 1,
        "snippets": 5,
        "documents that differ": 3,
    }
    assert counted([]) == ({}, {})
