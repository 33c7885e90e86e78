from __future__ import annotations

from collections.abc import Callable

from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.readers.heuristics import best_position
from anagnosis.readers.ties import tied


def test_the_rank_that_was_the_answer_most_often_is_chosen(replaced: Callable[..., ClozeInstance]) -> None:
    # ranks by first mention: @entity7 0, @entity5 1, @entity6 2
    passage = "@entity7 @entity5 @entity7 @entity6 @entity5"
    score = best_position.fit([replaced(passage, "XXXX", f"@entity{n}") for n in (6, 6, 7, 6)])
    unseen = replaced(
        "@entity1 a @entity2 b @entity3 c @entity4", "XXXX", None, [f"@entity{n}" for n in (4, 3, 2, 1)]
    )
    assert score(unseen) == [0, 3, 0, 1]


def test_with_too_few_candidates_the_best_of_those_there_is_chosen(
    replaced: Callable[..., ClozeInstance],
) -> None:
    passage = "@entity7 @entity5 @entity6"
    score = best_position.fit([replaced(passage, "XXXX", f"@entity{n}") for n in (6, 6, 5)])
    assert tied(score(replaced("@entity1 @entity2", "XXXX"))) == [1]


def test_a_candidate_that_is_not_mentioned_is_ranked_last(replaced: Callable[..., ClozeInstance]) -> None:
    score = best_position.fit([replaced("@entity7", "XXXX", "@entity7")])
    assert score(replaced("@entity2", "XXXX", None, ["@entity1", "@entity2"])) == [-1, 1]
