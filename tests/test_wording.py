"""Numbers, and msgspec's types and faults in a user's words."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.wording import counted, either, reworded
from tests.rows import each_row


class Line(msgspec.Struct):
    id: str
    score: Annotated[float, msgspec.Meta(ge=0)] = 0
    kind: Literal["a", "b"] = "a"
    more: dict[str, list[int]] = {}
    part: Line | None = None


@each_row(
    ("text", "words"),
    [
        ("7", "an object is wanted, not a whole number"),
        ('{"id": 7}', "id: text is wanted, not a whole number"),
        ('{"id": "a", "score": "x"}', "score: a number is wanted, not text"),
        ('{"id": "a", "score": -1}', "score: a number of at least 0 is wanted"),
        ('{"id": "a", "kind": "c"}', "kind: 'c' is not one of its choices"),
        ('{"id": "a", "more": {"x": [1, null]}}', "more[1]: a whole number is wanted, not null"),
        ('{"id": "a", "part": {"id": true}}', "part.id: text is wanted, not true or false"),
        ('{"id": "a", "part": {}}', "part: the field 'id' is missing"),
        ("{}", "the field 'id' is missing"),
    ],
)
def test_a_fault_of_a_value_is_said_with_its_field_first(text: str, words: str) -> None:
    with pytest.raises(msgspec.ValidationError) as fault:
        msgspec.json.decode(text, type=Line)
    assert reworded(fault.value) == words


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    )
)
def test_no_fault_shows_the_words_of_the_library(value: Any) -> None:
    for wanted in (Line, list[Line], dict[str, Line], int | None):
        try:
            msgspec.convert(value, wanted)
        except msgspec.ValidationError as fault:
            words = reworded(fault)
            assert words
            assert "Expected" not in words
            assert "$" not in words or "$" in str(value)


def test_brackets_without_end_are_named() -> None:
    with pytest.raises(RecursionError) as fault:
        msgspec.json.decode("[" * 100_000)
    assert reworded(fault.value) == "its brackets are nested too deeply"


def test_what_is_no_fault_of_a_value_stays() -> None:
    assert reworded(ValueError("as it is")) == "as it is"
    assert reworded(KeyError()) == "KeyError"


@pytest.mark.parametrize(("count", "words"), [(0, "0 concepts"), (1, "1 concept"), (2000, "2,000 concepts")])
def test_a_number_has_its_noun_in_singular_or_plural(count: int, words: str) -> None:
    assert counted(count, "concept") == words


def test_a_field_that_is_not_there_is_named() -> None:
    class Strict(msgspec.Struct, forbid_unknown_fields=True):
        id: str

    with pytest.raises(msgspec.ValidationError) as fault:
        msgspec.json.decode('[{"id": "a", "sore": 1}]', type=list[Strict])
    assert reworded(fault.value) == "[0]: there is no field 'sore'"


@each_row(("choices", "words"), [(["a"], "a"), (["a", "b"], "a or b"), (["b", "a", "c"], "b, a or c")])
def test_choices_are_said_in_words(choices: list[str], words: str) -> None:
    assert either(choices) == words
