from __future__ import annotations

from collections.abc import Callable

import pytest

from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.errors import InputError
from anagnosis.readers.ngram_size import Tried, best, tune

# Worked by hand. Shared with "the XXXX lowers pain" (set): n = 2: 1, 0, 1; n = 3: 3, 1, 2 (tests of BASE4).
PASSAGE = "the drug @entity1 lowers pain in @entity2 while @entity3 lowers pain and fever in @entity2 ."
QUESTION = "the XXXX lowers pain"


def test_every_n_has_its_accuracy_by_expectation(replaced: Callable[..., ClozeInstance]) -> None:
    instances = [replaced(PASSAGE, QUESTION, f"@entity{n}") for n in (1, 3)] + [replaced(PASSAGE, QUESTION)]
    tried = tune(instances)
    assert [one.n for one in tried] == [2, 3, 4, 5, 6]
    assert tried[0] == Tried(2, 1.0, 2, 1)
    assert tried[1] == Tried(3, 1.0, 2, 1)
    assert tried[0].accuracy == 0.5


def test_the_best_n_is_the_smallest_of_the_most_accurate(replaced: Callable[..., ClozeInstance]) -> None:
    assert best(tune([replaced(PASSAGE, QUESTION, "@entity1")])).n == 3
    assert best([Tried(2, 1.0, 3, 0), Tried(3, 2.0, 3, 0), Tried(4, 2.0, 3, 0)]).n == 3


def test_the_other_readers_n_and_the_way_of_counting_can_be_told(
    replaced: Callable[..., ClozeInstance],
) -> None:
    instances = [replaced("drug @entity1 lowers @entity2 lowers", "drug XXXX lowers", "@entity1")]
    assert [one.right for one in tune(instances, "bioread:BASE4", sizes=(2, 3))] == [1, 1]
    assert tune(instances, options={"counting": "pairs"}) == tune(
        instances, "BASE4", options={"counting": "pairs"}
    )


def test_a_reader_without_n_cannot_be_tuned(replaced: Callable[..., ClozeInstance]) -> None:
    with pytest.raises(InputError, match="first-entity has no n to choose"):
        tune([replaced(PASSAGE, QUESTION, "@entity1")], "BASE1")
    with pytest.raises(InputError, match="entity-prior has no n to choose"):
        tune([replaced(PASSAGE, QUESTION, "@entity1")], "entity-prior")


@pytest.mark.parametrize("split", [[], [None]])
def test_no_answers_no_accuracy(split: list[None], replaced: Callable[..., ClozeInstance]) -> None:
    with pytest.raises(InputError, match="neighbour-overlap cannot be tuned: no instance has an answer"):
        tune([replaced(PASSAGE, QUESTION, answer) for answer in split])
