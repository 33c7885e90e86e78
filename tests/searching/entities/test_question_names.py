"""Names that only repeat a question, and those that might answer it."""

from __future__ import annotations

import pytest
from tests.rows import each_row

from anagnosis.searching.records.expansion import Equivalent
from anagnosis.searching.sentences.asked_for import QuestionNames


@each_row(
    ("question", "name"),
    [
        ("Which receptor tyrosine kinase drives thyroid cancer?", "RET"),
        ("Which treatment improves obstructive sleep apnoea?", "CPAP"),
        ("Which drugs reduce postoperative nausea and vomiting?", "Ramosetron"),
        ("Which gene is mutated in cystic fibrosis?", "CFTR"),
        ("Which therapy treats gastro-oesophageal reflux?", "omeprazole"),
        ("What does heart failure with preserved ejection fraction improve?", "failure rate of pumps"),
    ],
)
def test_another_name_may_answer(question: str, name: str) -> None:
    assert not QuestionNames(question, (), ["rate"]).has(name)


@pytest.mark.parametrize("name", ["sleep apnea", "Obstructive sleep apnea syndrome", "obstructive apnoeas"])
def test_a_spelling_of_the_questions_words_repeats_it(name: str) -> None:
    assert QuestionNames("Which treatment improves obstructive sleep apnoea?", (), ["syndrome"]).has(name)


@pytest.mark.parametrize("name", ["gastroesophageal", "gastro-esophageal reflux", "esophageal"])
def test_a_hyphen_makes_no_other_name(name: str) -> None:
    assert QuestionNames("Which therapy treats gastro-oesophageal reflux?").has(name)


def test_a_name_that_the_index_counts_as_words_of_the_question_repeats_it() -> None:
    question = "Which drug treats gestational diabetes?"
    same = [Equivalent(frozenset(("gestat", "diabet")), (("gdm",), ("diabet", "of", "pregnanc")))]
    asked = QuestionNames(question, same)
    assert asked.has("GDM")
    assert asked.has("gestational GDM")
    assert asked.has("diabetes of pregnancy")
    assert not asked.has("pregnancy")
    assert not asked.has("metformin")
    assert not QuestionNames(question).has("GDM")


@pytest.mark.parametrize(
    "question",
    [
        "What is the abbreviation of heart failure?",
        "What does HF stand for?",
        "Which acronym is used for heart failure?",
    ],
)
def test_a_question_for_a_name_is_answered_by_one(question: str) -> None:
    same = [Equivalent(frozenset(("hf",)), (("heart", "failur"),))]
    asked = QuestionNames(question, same)
    assert not asked.has("heart failure")
    assert not asked.has("HF")


def test_a_name_without_words_repeats_nothing() -> None:
    assert not QuestionNames("Which drug helps?").has("…")
