"""Which lines the page of a person may save, and what is wrong with others."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from anagnosis.labelling.saved_lines import PersonQuestions, fault_of, questions_of
from anagnosis.labelling.study import Choice, Field
from tests.labelling.studies import ANN, ASKED, FIELDS, TEXT, study
from tests.rows import each_row

SKILLS = Field(
    "skills", "Skills", (Choice("bridging"), Choice("ellipsis"), Choice("none", alone=True)), several=True
)
LINE: dict[str, Any] = {
    "id": "r.1",
    "answer": "fever",
    "dataset": "3f0c",
    "annotator": "ann",
    "group": "experts",
    "knowledge": "context",
    "seconds": 61.2,
    "place": 1,
}


def questions(*fields: Field) -> PersonQuestions:
    return questions_of(study(ASKED, fields=fields or FIELDS), ANN, 0)


def line(changes: dict[str, Any], without: str = "") -> dict[str, Any]:
    return {name: value for name, value in {**LINE, **changes}.items() if name != without}


def test_a_line_of_the_page_has_no_fault() -> None:
    for changes in ({}, {"answer": "MESH:D1"}, {"answer": None, "knowledge": "none"}, {"seconds": 0}):
        assert fault_of(line(changes), questions()) == ""


@each_row(
    ("changes", "what"),
    [
        ({"id": "r.2"}, "'r.2' is no question of these sheets"),
        ({"id": 3}, "3 is no question of these sheets"),
        ({"dataset": "77aa"}, "its dataset is '77aa', not '3f0c'"),
        ({"annotator": "bea"}, "its annotator is 'bea', not 'ann'"),
        ({"group": None}, "its group is None, not 'experts'"),
        ({"answer": "aspirin"}, "answer cannot be 'aspirin'"),
        ({"answer": ["fever"]}, "answer cannot be ['fever']"),
        ({"answer": None}, "answer cannot be None"),
        ({"answer": "fever", "knowledge": "none"}, "answer cannot be 'fever'"),
        ({"knowledge": "guess"}, "knowledge cannot be 'guess'"),
        ({"knowledge": None}, "knowledge cannot be None"),
        ({"seconds": -1}, "its seconds are -1"),
        ({"seconds": float("nan")}, "its seconds are nan"),
        ({"seconds": 1e300}, "its seconds are 1e+300"),
        ({"seconds": 86_400.1}, "its seconds are 86400.1, and a question has 86,400 at most"),
        ({"seconds": True}, "its seconds are no number"),
        ({"seconds": "9"}, "its seconds are no number"),
        ({"place": 2}, "its place is 2, and the page of ann has it at 1"),
        ({"place": True}, "its place is True"),
        ({"place": 1.0}, "its place is 1.0"),
        (
            {"gold": "fever"},
            "it should have the fields id, answer, dataset, annotator, group, knowledge, seconds, place (gold)",
        ),
    ],
)
def test_a_line_that_no_page_saves_is_named_by_its_fault(changes: dict[str, Any], what: str) -> None:
    assert what in fault_of(line(changes), questions())


@each_row("name", LINE)
def test_a_line_without_a_field_is_refused(name: str) -> None:
    assert f"({name})" in fault_of(line({}, without=name), questions())


def test_words_are_taken_where_the_study_takes_them() -> None:
    of = questions(TEXT)

    def fault(answer: object) -> str:
        return fault_of(line({"answer": answer}, without="knowledge"), of)

    assert [fault(each) for each in ("any words", "fever", None)] == [""] * 3
    for answer in ("", " blank", "a\nb", "x" * 501, 3):
        assert fault(answer).startswith("answer cannot be ")


@each_row(
    ("skills", "good"),
    [
        (["bridging"], True),
        (["ellipsis", "bridging"], True),
        (["none"], True),
        ([], False),
        (["none", "bridging"], False),
        (["bridging", "bridging"], False),
        (["briding"], False),
        ([["bridging"]], False),
        ("bridging", False),
        (None, False),
    ],
)
def test_several_choices(skills: object, good: bool) -> None:
    made = {**line({}, without="answer"), "skills": skills}
    del made["knowledge"]
    assert (fault_of(made, questions(SKILLS)) == "") is good


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda each: (
        st.lists(each, max_size=3) | st.dictionaries(st.sampled_from([*LINE, "x"]), each, max_size=9)
    ),
    max_leaves=9,
)


@given(st.dictionaries(st.sampled_from([*LINE, "x"]), ANY, max_size=9), st.sampled_from([*LINE]), ANY)
def test_any_value_is_refused_in_a_few_words(whole: dict[str, Any], name: str, value: Any) -> None:
    for given_line in (whole, line({name: value})):
        fault = fault_of(given_line, questions())
        assert fault or given_line.keys() == LINE.keys()
        assert len(fault) < 300
        assert json.dumps(fault)
