from __future__ import annotations

import math

import msgspec
import pytest
from tests.readers.marked_instances import replaced

from anagnosis.datasets.kinds.cloze_instance import ClozeInstance, PassageMention, outside
from anagnosis.readers.heuristics import question_words
from anagnosis.readers.predict import tied

PASSAGE = "@entity1 @entity2 @entity3"


def test_scores_are_those_of_naive_bayes_by_hand() -> None:
    score = question_words.fit(
        [
            replaced(PASSAGE, "XXXX in mice", "@entity1"),
            replaced(PASSAGE, "XXXX In mice", "@entity1"),
            replaced(PASSAGE, "XXXX in men", "@entity2"),
        ]
    )
    # words: in, mice, men (V = 3); @entity1 has 4 words, @entity2 2, @entity3 none; "zebrafish" is unknown
    products = [3 * (2 + 1) / 7 * (0 + 1) / 7, 2 * (1 + 1) / 5 * (1 + 1) / 5, 1 * 1 / 3 * 1 / 3]
    scores = score(replaced(PASSAGE, "zebrafish in XXXX men"))
    assert scores == pytest.approx([math.log(product) for product in products])


def test_a_visible_entity_is_a_word_under_its_key() -> None:
    score = question_words.fit(
        [
            replaced(PASSAGE, "@entity3 XXXX", "@entity1"),
            replaced(PASSAGE, "@entity2 XXXX", "@entity3"),
        ]
    )
    # the order of the candidates is another one, so their indices are too
    asked = replaced("@entity2 @entity3 @entity1", "@entity3 XXXX")
    assert [asked.candidates[index].key for index in tied(score(asked))] == ["@entity1"]


def test_an_entity_that_is_no_candidate_is_a_word_under_its_number() -> None:
    def asked(number: int, answer: str | None = None) -> ClozeInstance:
        made = replaced(PASSAGE, "it XXXX", answer)
        mention = PassageMention(((0, 2),), outside(number))
        return msgspec.structs.replace(made, question_mentions=(mention,))

    score = question_words.fit([asked(91, "@entity1"), asked(92, "@entity3")])
    for number, answer in ((91, "@entity1"), (92, "@entity3")):
        shown = asked(number)
        assert question_words.question_words(shown) == [f"@entity{number}"]
        assert [shown.candidates[index].key for index in tied(score(shown))] == [answer]


def test_candidates_with_the_same_counts_tie_exactly() -> None:
    words = [f"w{n}" for n in range(1, 12)]

    def asked(order: list[str], answer: str) -> ClozeInstance:
        """The first word once, the second twice, …"""
        return replaced(
            PASSAGE, " ".join(["XXXX", *(w for n, w in enumerate(order, 1) for _ in range(n))]), answer
        )

    score = question_words.fit([asked(words, "@entity1"), asked(words[::-1], "@entity2")])
    first, second, _ = score(replaced(PASSAGE, " ".join(["XXXX", *words])))
    assert first == second


def test_questions_without_a_word_leave_the_prior() -> None:
    score = question_words.fit([replaced(PASSAGE, "XXXX", "@entity2")])
    assert score(replaced(PASSAGE, "XXXX in mice")) == pytest.approx([0, math.log(2), 0])
