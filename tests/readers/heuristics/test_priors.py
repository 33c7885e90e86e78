from __future__ import annotations

import pytest
from tests.readers.marked_instances import replaced

from anagnosis.errors import InputError
from anagnosis.readers.heuristics import priors
from anagnosis.readers.predict import tied


def test_a_candidate_scores_how_often_it_was_an_answer() -> None:
    passage = "@entity1 @entity2 @entity3"
    score = priors.entity_prior([replaced(passage, "XXXX", f"@entity{n}") for n in (1, 2, 2)])
    assert score(replaced("@entity3 @entity2 @entity1 @entity9", "XXXX")) == [0, 2, 1, 0]


def test_instances_without_an_answer_are_not_counted() -> None:
    score = priors.entity_prior(
        [replaced("@entity1 @entity2", "XXXX"), replaced("@entity1", "XXXX", "@entity1")]
    )
    assert score(replaced("@entity1 @entity2", "XXXX")) == [1, 0]


@pytest.mark.parametrize("answered", [None, "nothing"])
def test_nothing_to_count_is_refused(answered: str | None) -> None:
    instances = [] if answered else [replaced("@entity0", "XXXX")]
    with pytest.raises(InputError, match="entity-prior has nothing to count"):
        priors.entity_prior(instances)


def test_the_rank_that_was_the_answer_most_often_is_chosen() -> None:
    # ranks by first mention: @entity7 0, @entity5 1, @entity6 2
    passage = "@entity7 @entity5 @entity7 @entity6 @entity5"
    score = priors.best_position([replaced(passage, "XXXX", f"@entity{n}") for n in (6, 6, 7, 6)])
    unseen = replaced(
        "@entity1 a @entity2 b @entity3 c @entity4", "XXXX", None, [f"@entity{n}" for n in (4, 3, 2, 1)]
    )
    assert score(unseen) == [0, 3, 0, 1]


def test_with_too_few_candidates_the_best_of_those_there_is_chosen() -> None:
    passage = "@entity7 @entity5 @entity6"
    score = priors.best_position([replaced(passage, "XXXX", f"@entity{n}") for n in (6, 6, 5)])
    assert tied(score(replaced("@entity1 @entity2", "XXXX"))) == [1]


def test_a_candidate_that_is_not_mentioned_is_ranked_last() -> None:
    score = priors.best_position([replaced("@entity7", "XXXX", "@entity7")])
    assert score(replaced("@entity2", "XXXX", None, ["@entity1", "@entity2"])) == [-1, 1]
