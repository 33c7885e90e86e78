"""Which papers are about a question."""

from __future__ import annotations

import pytest
from tests.searching.conclusions.papers import paper

from anagnosis.searching.conclusions.about import covered, rarer, words_of_paper
from anagnosis.searching.records.expansion import Equivalent
from anagnosis.searching.sentences.overlap import AskedWords

# metformin and sarcoidosis are rare, treat is common.
WEIGHTS = {"metformin": 6.0, "sarcoidosi": 5.0, "treat": 1.0}


def test_the_rarer_words_weigh_at_least_the_mean() -> None:
    assert rarer(WEIGHTS) == ["metformin", "sarcoidosi"]
    assert rarer({"tea": 2.0, "salt": 2.0, "d": 9.0}) == []
    assert rarer({"tea": 2.0, "salt": 2.0, "d": 2.0}) == ["tea", "salt"]
    assert rarer({}) == []


@pytest.mark.parametrize(
    ("words", "share"),
    [
        ({"metformin", "sarcoidosi", "treat"}, 1.0),
        ({"metformin", "sarcoidosi"}, 11 / 12),
        ({"metformin", "treat"}, None),  # one of two rarer words
        ({"treat"}, None),
        (set(), None),
    ],
)
def test_a_paper_is_about_a_question_if_it_has_its_rarer_words(words: set[str], share: float | None) -> None:
    found = covered(WEIGHTS, words)
    assert found == (pytest.approx(share) if share is not None else None)


def test_of_more_than_three_rarer_words_two_thirds_are_enough_with_most_of_the_weight() -> None:
    four: dict[str, float] = dict.fromkeys(("tea", "salt", "fever", "sleep"), 1.0)
    assert covered(four, ("tea", "salt", "fever")) == pytest.approx(0.75)
    assert covered(four, ("tea", "salt")) is None
    three: dict[str, float] = dict.fromkeys(("tea", "salt", "fever"), 1.0)
    assert covered(three, ("tea", "salt")) is None
    heavy: dict[str, float] = {"tea": 1.0, "salt": 1.0, "fever": 1.0, "sleep": 1.0, "of": 0.9, "by": 0.9}
    assert covered(heavy, ("tea", "salt", "fever")) is None  # .52 of the weight


def test_nothing_is_about_a_question_without_words() -> None:
    assert covered({}, {"tea"}) is None


def test_title_and_what_a_paper_says_about_its_own_work_count() -> None:
    background = "Broth cures gout. The aim was to test cider. Milk is new."
    words = words_of_paper(
        paper(
            ("BACKGROUND", background),
            ("RESULTS", "Cold tea."),
            ("DISCUSSION", "Wine."),
            title="On sarcoidosis",
        )
    )
    assert {"sarcoidosi", "result", "cold", "tea", "cider", "milk"} <= words
    assert not {"broth", "gout", "wine"} & words
    assert words_of_paper([]) == frozenset()


def test_another_name_counts_as_the_words_of_the_question() -> None:
    """ "heart attack", where the paper has myocardial infarction."""
    same = (Equivalent(frozenset({"heart", "attack"}), (("myocardi", "infarct"),)),)
    asked = AskedWords({"tea": 2.0, "heart": 2.0, "attack": 2.0}, same)
    named = paper(("RESULTS", "Tea prevents myocardial infarction."))
    assert covered(asked.weights, words_of_paper(named, asked.of)) == pytest.approx(1)
    assert covered(asked.weights, words_of_paper(named)) is None
