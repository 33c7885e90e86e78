"""The names in a question."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.searching.conclusions.subjects import WITHOUT_SUBJECT, names_of
from anagnosis.searching.records.expansion import Equivalent
from anagnosis.searching.sentences.overlap import topic_words


@each_row(
    ("question", "names"),
    [
        ("Does statin use reduce COVID-19 mortality?", [("statin",), ("covid", "19", "mortal")]),
        ("Is ultrasound safe in pregnancy?", [("ultrasound",), ("pregnanc",)]),
        ("Does intranasal tea reduce emergence agitation?", [("intranas", "tea"), ("emergenc", "agit")]),
        ("Does vitamin A deficiency cause blindness?", [("vitamin", "a", "defici"), ("blind",)]),
        ("Is tea safe soon after gout?", [("tea",), ("gout",)]),
        ("Does tea quickly and substantially lower gout?", [("tea",), ("gout",)]),
        ("A role for NO in gout?", [("no",), ("gout",)]),
        ("IS TEA SAFE IN GOUT?", [("tea",), ("gout",)]),
        ("Does IL-2 lower HDL?", [("il", "2", "il2"), ("hdl",)]),
        ("Is tea, salt or fever a risk factor?", [("tea",), ("salt",), ("fever",)]),
        ("Is it 5, or 7?", []),
        ("Is it safe to use it?", []),
        ("", []),
    ],
)
def test_names_are_runs_of_words_that_carry_a_subject(question: str, names: list[tuple[str, ...]]) -> None:
    assert names_of(question, dict.fromkeys(topic_words(question), 1.0)) == names


def test_a_phrase_with_other_names_is_a_name_of_its_own() -> None:
    covid = Equivalent(frozenset(("covid", "19")), (("coronavirus",),))
    weights: dict[str, float] = dict.fromkeys(("covid", "19", "mortal"), 1.0)
    assert names_of("COVID-19 mortality", weights, [covid]) == [("covid", "19"), ("mortal",)]
    assert names_of("COVID-19", {"covid": 1.0, "19": 1.0}, [covid]) == [("covid", "19")]
    one = Equivalent(frozenset(("mortal",)), (("death",),))
    assert names_of("COVID-19 mortality", weights, [one]) == [("covid", "19", "mortal")]


def test_words_without_subject_stand_once() -> None:
    words = WITHOUT_SUBJECT.split()
    assert len(words) == len(set(words)) > 250


@given(st.text(max_size=100))
def test_names_are_of_words_with_a_weight(question: str) -> None:
    weights = dict.fromkeys(topic_words(question), 1.0)
    names = names_of(question, weights)
    assert all(name and weights.keys() >= set(name) for name in names)
