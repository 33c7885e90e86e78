"""Which papers are about a question."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row
from tests.searching.conclusions.papers import paper

from anagnosis.searching.conclusions.about import WITHOUT_SUBJECT, covered, names_of
from anagnosis.searching.records.hits import Equivalent
from anagnosis.searching.sentences.overlap import AskedWords, topic_words

STATINS = "Does statin use reduce COVID-19 mortality?"
ULTRASOUND = "Is ultrasound safe in pregnancy?"
# (question, title, conclusion, whether the paper is about the question)
PAPERS = (
    (STATINS, "Statins and death in hospital", "Use of statins goes with lower COVID-19 mortality.", True),
    (STATINS, "Aspirin and COVID-19", "Use of aspirin reduced COVID-19 mortality.", False),
    (STATINS, "Calcifediol and COVID-19", "Calcifediol reduced COVID-19 mortality in use.", False),
    ("Do statins reduce COVID-19 mortality?", "Statins", "Statins lowered COVID-19 mortality.", True),
    ("Do statins reduce COVID-19 mortality?", "Aspirin", "Aspirin reduced COVID-19 mortality.", False),
    (ULTRASOUND, "Foetal ultrasound", "Ultrasound did no harm in pregnancy.", True),
    (ULTRASOUND, "Fillers", "A safe Doppler ultrasound-guided method for the face.", False),
    (ULTRASOUND, "Ivermectin", "Ivermectin was safe in pregnancy.", False),
    (ULTRASOUND, "Back pain after pregnancy", "Exercises helped. Muscles were seen by ultrasound.", False),
    ("Is rosiglitazone effective in gout?", "Gout", "Allopurinol was effective in gout.", False),
    ("Is rosiglitazone effective in gout?", "Gout", "Rosiglitazone was tried in gout.", True),
    ("Are patients with heart failure at risk of dementia?", "Memory", "Heart size and dementia.", False),
    ("Are patients with heart failure at risk of dementia?", "Memory", "Dementia in heart failure.", True),
)  # fmt: skip


@each_row(("question", "title", "conclusion", "about"), PAPERS)
def test_filler_words_let_no_paper_in_that_lacks_a_name(
    question: str, title: str, conclusion: str, about: bool
) -> None:
    weights = {word: 1.0 if word in _COMMON else 5.0 for word in topic_words(question)}
    read = paper(("CONCLUSIONS", conclusion), title=title)
    assert (covered(AskedWords(weights, question=question), read) is not None) is about


_COMMON = frozenset(("use", "reduc", "safe", "effect", "patient", "risk", "heart"))


TREATS = "Does metformin treat sarcoidosis?"
FOUR = "Do tea, salt, fever and sleep matter?"
WEIGHTS: dict[str, dict[str, float]] = {
    TREATS: {"metformin": 6.0, "sarcoidosi": 5.0, "treat": 1.0},
    FOUR: dict.fromkeys(("tea", "salt", "fever", "sleep"), 1.0),
}


@each_row(
    ("question", "conclusion", "share"),
    [
        (TREATS, "Metformin treats sarcoidosis.", 1.0),
        (TREATS, "Metformin in sarcoidosis.", 11 / 12),
        (TREATS, "Metformin treats gout.", None),
        (TREATS, "He was treated.", None),
        (TREATS, "", None),
        (FOUR, "Tea, salt and fever.", 0.75),  # of more than three names two thirds are enough
        (FOUR, "Tea and salt.", None),
        (FOUR, "Tea. Salt. Fever.", None),  # no sentence connects two
    ],
)
def test_a_paper_is_about_a_question_if_it_has_its_names(
    question: str, conclusion: str, share: float | None
) -> None:
    found = covered(AskedWords(WEIGHTS[question], question=question), paper(("CONCLUSIONS", conclusion)))
    assert found == (share if share is None else pytest.approx(share))


def test_a_paper_needs_most_of_all_words_by_weight() -> None:
    weights = {"tea": 1.0, "increas": 1.0, "improv": 1.0}
    question = "Does tea increase or improve?"
    asked = AskedWords(weights, question=question)
    assert covered(asked, paper(("RESULTS", "Tea."), title="On tea")) is None
    assert covered(asked, paper(("RESULTS", "Tea improves."))) is not None


def test_nothing_is_about_a_question_without_words() -> None:
    assert covered(AskedWords({}, question="Is it?"), paper(("RESULTS", "Tea."))) is None


def test_another_name_counts_as_the_words_of_the_question() -> None:
    """ "heart attack", where the paper has myocardial infarction."""
    same = (Equivalent(frozenset({"heart", "attack"}), (("myocardi", "infarct"),)),)
    asked = AskedWords({"tea": 2.0, "heart": 2.0, "attack": 2.0}, same, "Does tea prevent a heart attack?")
    named = paper(("RESULTS", "Tea prevents myocardial infarction."))
    assert covered(asked, named) == pytest.approx(1)
    assert covered(asked._replace(equivalents=()), named) is None


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
