"""Statements made questions. The titles are invented."""

from __future__ import annotations

import pytest

from anagnosis.datasets.pubmedqa.conversion import Conversion, convert

QUESTIONS = {
    "Zorapine reduces relapse in adults with gout.": (
        "Does zorapine reduce relapse in adults with gout?",
        "yes",
    ),
    "Two scores predict falls": ("Do two scores predict falls?", "yes"),
    "The new score is useful in primary care": ("Is the new score useful in primary care?", "yes"),
    "Night shifts are associated with poor sleep": ("Are night shifts associated with poor sleep?", "yes"),
    "Zorapine does not reduce blood pressure: a crossover trial": (
        "Does zorapine reduce blood pressure: a crossover trial?",
        "no",
    ),
    "Home visits do not improve sleep. A survey": ("Do home visits improve sleep: A survey?", "no"),
    "Zorapine is not superior to placebo": ("Is zorapine superior to placebo?", "no"),
    "Zorapine reduces pain and improves sleep": ("Does zorapine reduce pain and improve sleep?", "yes"),
    "The Ward Clock Is Associated With Poor Sleep": ("Is the Ward Clock Associated With Poor Sleep?", "yes"),
    "[Early walking reduces pain]": ("Does early walking reduce pain?", "yes"),
    "Zorapine is not only safe but useful": ("Is zorapine not only safe but useful?", "yes"),
}


@pytest.mark.parametrize("title", QUESTIONS)
def test_a_statement_becomes_its_question(title: str) -> None:
    found = convert(title)
    assert isinstance(found, Conversion), found
    assert (found.question, found.label) == QUESTIONS[title]


@pytest.mark.parametrize(
    ("title", "question"),
    [
        ("Zorapine has been shown to ease cramps", "Has zorapine been shown to ease cramps?"),
        ("Zorapine has an effect on sleep", "Does zorapine have an effect on sleep?"),
        ("Patients have reduced grip strength", "Do patients have reduced grip strength?"),
        (
            "Zorapine does not vary between nurses, nor among clerks",
            "Does zorapine vary between nurses, or among clerks?",
        ),
        ("Zorapine doesn't always reduce fever", "Does zorapine always reduce fever?"),
        ("Zorapine is, however, safe", "Is zorapine, however, safe?"),
        ("ZORAPINE REDUCES FEVER IN PIGS", "Does ZORAPINE REDUCE FEVER IN PIGS?"),
        ("A Cup of Tea Reduces Fever", "Does a Cup of Tea Reduce Fever?"),
        ("IL-99 identifies fever", "Does IL-99 identify fever?"),
        ("Cav9.1 identifies fever", "Does Cav9.1 identify fever?"),
        ("β-Zorapine reduces fever", "Does β-Zorapine reduce fever?"),
    ],
)
def test_forms_that_only_some_titles_have(title: str, question: str) -> None:
    found = convert(title)
    assert isinstance(found, Conversion), found
    assert found.question == question


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("We gave Zorapine to 12 piglets.", "Zorapine"),
        ("Zorapine was given.", "zorapine"),
        ("We gave Zorapine. Then zorapine was stopped.", "zorapine"),
        ("", "zorapine"),
    ],
)
def test_the_abstract_shows_whether_the_first_word_has_a_capital(text: str, first: str) -> None:
    found = convert("Zorapine reduces fever", text)
    assert isinstance(found, Conversion)
    assert found.question == f"Does {first} reduce fever?"


def test_a_title_that_states_nothing_gives_the_rules_name() -> None:
    assert convert("Effect of zorapine on fever") == "no_possible_verb"
