"""Whether a sentence is about something else in the place of what the question names."""

from __future__ import annotations

from tests.rows import each_row

from anagnosis.searching.conclusions.replaced_names import rarer, replaced_names
from anagnosis.searching.words import words_of

QUESTION = "Does bosentan slow the loss of lung volume in sclerosis?"
WEIGHTS = dict.fromkeys(words_of("bosentan slow loss lung volume sclerosis"), 3.0) | {"loss": 2.0}


@each_row(
    ("sentence", "paper", "replaced"),
    [
        ("Nintedanib slowed the loss of lung volume in sclerosis.", "", ["bosentan"]),
        ("Bosentan slowed the loss of lung volume in sclerosis.", "", []),
        # The paper names it elsewhere.
        ("The drug slowed the loss of lung volume in sclerosis.", "We gave bosentan.", []),
        # Worded differently altogether.
        ("Nintedanib was good for sclerosis.", "slow loss lung volume", []),
        # A word of direction is no name.
        ("Bosentan raised the loss of lung volume in sclerosis.", "", []),
    ],
)
def test_a_name_that_the_paper_lacks_is_replaced_beside_the_same_neighbour(
    sentence: str, paper: str, replaced: list[str]
) -> None:
    present = frozenset(words_of(f"{sentence} {paper}"))
    assert replaced_names(QUESTION, sentence, present, WEIGHTS) == replaced


def test_common_words_name_nothing() -> None:
    sentence = "Nintedanib slowed the loss of lung volume in sclerosis."
    present = frozenset(words_of(sentence))
    assert replaced_names(QUESTION, sentence, present, WEIGHTS | {"bosentan": 0.1}) == []


def test_the_rarer_words_weigh_at_least_the_mean() -> None:
    weights = {"metformin": 6.0, "sarcoidosi": 5.0, "treat": 1.0}
    assert rarer(weights) == ["metformin", "sarcoidosi"]
    assert rarer({"tea": 2.0, "salt": 2.0, "d": 9.0}) == []
    assert rarer({"tea": 2.0, "salt": 2.0, "d": 2.0}) == ["tea", "salt"]
    assert rarer({}) == []
