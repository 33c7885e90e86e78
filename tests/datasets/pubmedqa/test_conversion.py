"""Statements made questions. The titles are invented."""

from __future__ import annotations

import pytest

from anagnosis.datasets.pubmedqa.conversion import Conversion, convert

# The answer → a title: its question.
QUESTIONS = {
    "yes": {
        "Zorapine reduces relapse in adults with gout.": "Does zorapine reduce relapse in adults with gout?",
        "Two scores predict falls": "Do two scores predict falls?",
        "The new score is useful in primary care": "Is the new score useful in primary care?",
        "Night shifts are associated with poor sleep": "Are night shifts associated with poor sleep?",
        "Zorapine reduces pain and improves sleep": "Does zorapine reduce pain and improve sleep?",
        "The Ward Clock Is Associated With Poor Sleep": "Is the Ward Clock Associated With Poor Sleep?",
        "[Early walking reduces pain]": "Does early walking reduce pain?",
        "Zorapine is not only safe but useful": "Is zorapine not only safe but useful?",
        "Zorapine has been shown to ease cramps": "Has zorapine been shown to ease cramps?",
        "Zorapine has an effect on sleep": "Does zorapine have an effect on sleep?",
        "Patients have reduced grip strength": "Do patients have reduced grip strength?",
        "Zorapine is, however, safe": "Is zorapine, however, safe?",
        "ZORAPINE REDUCES FEVER IN PIGS": "Does ZORAPINE REDUCE FEVER IN PIGS?",
        "A Cup of Tea Reduces Fever": "Does a Cup of Tea Reduce Fever?",
        "IL-99 identifies fever": "Does IL-99 identify fever?",
        "Cav9.1 identifies fever": "Does Cav9.1 identify fever?",
        "β-Zorapine reduces fever": "Does β-Zorapine reduce fever?",
    },
    "no": {
        "Zorapine does not reduce fever: a crossover trial": "Does zorapine reduce fever: a crossover trial?",
        "Home visits do not improve sleep. A survey": "Do home visits improve sleep: A survey?",
        "Zorapine is not superior to placebo": "Is zorapine superior to placebo?",
        "Zorapine does not vary between cats, nor among dogs": "Does zorapine vary between cats, or among dogs?",
        "Zorapine doesn't always reduce fever": "Does zorapine always reduce fever?",
    },
}


@pytest.mark.parametrize(
    ("title", "question", "label"),
    [(title, question, label) for label, pairs in QUESTIONS.items() for title, question in pairs.items()],
)
def test_a_statement_becomes_its_question(title: str, question: str, label: str) -> None:
    found = convert(title)
    assert isinstance(found, Conversion), found
    assert (found.question, found.label) == (question, label)


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
