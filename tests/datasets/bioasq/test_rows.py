"""The organisers' objects: both shapes of exact answers are one in the view, and every object comes back as it was."""

from __future__ import annotations

import hashlib
import io
import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.golden_files import gson, python2, question, questions, snippet
from tests.rows import each_row

from anagnosis.datasets.bioasq.rows import QuestionFile, exact_of, instance_of, object_of
from anagnosis.errors import InputError

TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=8)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)


def opened(text: str) -> QuestionFile:
    return QuestionFile(io.BufferedReader(io.BytesIO(text.encode())), "1B1.json")  # pyright: ignore[reportArgumentType]  (a raw stream in all but name)


@each_row(
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


@given(
    st.fixed_dictionaries(
        {"id": TEXT.filter(bool), "body": TEXT},
        optional={
            "type": st.sampled_from(["yesno", "factoid", "list", "summary", ""]),
            "documents": st.lists(TEXT, max_size=2),
            "snippets": st.lists(
                st.fixed_dictionaries(
                    {"document": TEXT, "text": TEXT},
                    optional={"offsetInBeginSection": st.integers(0, 9), "endSection": TEXT, "more": JSON},
                ),
                max_size=3,
            ),
            "exact_answer": JSON,
            "ideal_answer": TEXT | st.lists(TEXT, max_size=2) | st.none(),
            "concepts": JSON,
            "_body": JSON,
        },
    ).flatmap(lambda found: st.permutations(list(found.items())).map(dict))
)
def test_any_object_comes_back_with_its_keys_in_order(found: dict[str, Any]) -> None:
    instance = instance_of(found, "1B1.json", 0)
    assert json.dumps(object_of(instance)) == json.dumps(found)


def test_columns_hold_what_the_object_says() -> None:
    instance = instance_of(question(7, "list"), "9B5_golden.json", 3)
    assert (instance.type, instance.file, instance.place) == ("list", "9B5_golden.json", 3)
    assert instance.exact == (("XYZ1", "XYZ-1"), ("β-blue",))
    assert instance.snippets[1].begin_section == "title"
    assert dict(instance.fields)["concepts"] == '["http://amigo.geneontology.org/GO:1"]'
    assert [key for key, text in instance.fields if text] == ["concepts"]


def test_a_question_that_was_read_from_no_file_has_the_organisers_object() -> None:
    instance = msgspec.structs.replace(instance_of(question(), "", 0), fields=(), snippet_keys=())
    made = object_of(instance)
    assert {**made, "concepts": 0} == {**question(), "concepts": 0}


@each_row(
    "value",
    [
        [],
        "a",
        {"id": "1"},
        {"id": "", "body": "b"},
        question(snippets=[{"text": "no document"}]),
        question(snippets=[snippet(offsetInBeginSection="1")]),
        question(documents="x"),
        question(id=1),
    ],
)
def test_what_is_no_question_is_not_converted(value: Any) -> None:
    with pytest.raises(msgspec.ValidationError):
        instance_of(value, "", 0)


def test_a_file_is_read_question_by_question() -> None:
    file = opened(gson(questions(3)))
    assert [value for _, value, _ in file.rows()] == questions(3)
    assert (file.questions, file.other_keys) == (3, [])
    assert file.sha256 == hashlib.sha256(gson(questions(3)).encode()).digest()
    assert [line for line, _, _ in opened(python2(questions(1))).rows()] == [3]


def test_other_keys_are_told() -> None:
    file = opened(json.dumps({"user": [1], "questions": questions(1), "system": "s"}))
    assert len(list(file.rows())) == 1
    assert file.other_keys == ["user", "system"]


@each_row(
    ("text", "told"),
    [
        ("[]", "an object that holds questions"),
        ("{}", "holds no questions"),
        ('{"data": []}', "holds no questions"),
        ('{"questions": {}}', "a list of questions"),
        ('{"questions": [{}', "too early"),
        ('{"questions": [],}', "a key in quotation marks"),
        ('{"questions": []} {}', "something stands behind"),
        ('{"questions": [' + "[" * 100_000, "cannot be read|too early"),
        ("", "too early|expected"),
    ],
)
def test_broken_json_is_refused_with_its_place(text: str, told: str) -> None:
    with pytest.raises(InputError, match=told) as fault:
        list(opened(text).rows())
    assert fault.value.where.startswith("1B1.json:1")
