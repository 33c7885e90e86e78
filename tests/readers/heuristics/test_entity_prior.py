from __future__ import annotations

from collections.abc import Callable

import pytest

from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.errors import InputError
from anagnosis.readers.heuristics import entity_prior


def test_a_candidate_scores_how_often_it_was_an_answer(replaced: Callable[..., ClozeInstance]) -> None:
    passage = "@entity1 @entity2 @entity3"
    score = entity_prior.fit([replaced(passage, "XXXX", f"@entity{n}") for n in (1, 2, 2)])
    assert score(replaced("@entity3 @entity2 @entity1 @entity9", "XXXX")) == [0, 2, 1, 0]


def test_instances_without_an_answer_are_not_counted(replaced: Callable[..., ClozeInstance]) -> None:
    score = entity_prior.fit(
        [replaced("@entity1 @entity2", "XXXX"), replaced("@entity1", "XXXX", "@entity1")]
    )
    assert score(replaced("@entity1 @entity2", "XXXX")) == [1, 0]


def test_it_is_undefined_in_the_local_view_and_says_so(replaced: Callable[..., ClozeInstance]) -> None:
    with pytest.raises(InputError, match="entity-prior is undefined where entities have other numbers"):
        entity_prior.fit([replaced("@entity0", "XXXX", "@entity0")], view="local")


@pytest.mark.parametrize("answered", [None, "nothing"])
def test_nothing_to_count_is_refused(answered: str | None, replaced: Callable[..., ClozeInstance]) -> None:
    instances = [] if answered else [replaced("@entity0", "XXXX")]
    with pytest.raises(InputError, match="entity-prior has nothing to count"):
        entity_prior.fit(instances)
