"""Which answers of a model become labels: the most confident of each label, in people's proportions."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.datasets.pubmedqa.pseudo_labels import OVER_SHARE, choose, largest

COUNTS = st.lists(st.integers(0, 40), min_size=3, max_size=3).filter(any)


def log(*rows: tuple[float, float, float]) -> np.ndarray:
    return np.log(np.array(rows))


def test_by_hand() -> None:
    rows = log((0.9, 0.1, 0.0001), (0.6, 0.3, 0.1), (0.7, 0.2, 0.1), (0.1, 0.8, 0.1), (0.2, 0.6, 0.2))
    found = choose(rows, [2, 1, 0])
    assert (found.answered, found.kept) == ((3, 2, 0), (3, 2, 0)), "3.3 and 1.7 of five"
    found = choose(rows, [1, 3, 0])
    assert found.kept == (1, 2, 0), "three of four would be no, and two are there"
    assert found.rows.tolist() == [0, 3, 4], "the most confident yes"
    assert found.labels.tolist() == [0, 1, 1]


def test_nothing_is_kept_where_a_label_is_never_answered() -> None:
    found = choose(log((0.9, 0.05, 0.05), (0.1, 0.8, 0.1)), [5, 3, 1])
    assert (found.kept, len(found.rows)) == ((0, 0, 0), 0)


def test_beside_its_share_a_rare_label_is_answered() -> None:
    rows = log((0.6, 0.2, 0.2), (0.7, 0.25, 0.05), (0.3, 0.6, 0.1))
    assert choose(rows, [50, 40, 10]).answered == (2, 1, 0)
    found = choose(rows, [50, 40, 10], OVER_SHARE)
    assert found.answered == (1, 1, 1)
    assert found.kept == (1, 1, 0), "of two, a fifth of one would be maybe"


def test_of_equal_confidence_the_first_is_taken_and_none_gives_none() -> None:
    assert choose(log((0.8, 0.1, 0.1), (0.8, 0.1, 0.1), (0.1, 0.8, 0.1)), [1, 2, 0]).rows.tolist() == [0, 2]
    assert choose(np.zeros((0, 3)), [1, 1, 1]).kept == (0, 0, 0)


def test_a_single_label_is_kept_whole() -> None:
    assert largest((1, 0, 0), (3, 5, 5)) == (3, 0, 0)


@given(people=COUNTS, there=COUNTS)
def test_shares_are_people_s_within_one_instance_and_one_more_would_not_fit(
    people: list[int], there: list[int]
) -> None:
    kept = largest(people, there)
    total, whole = sum(kept), sum(people)
    assert all(one <= have for one, have in zip(kept, there, strict=True))
    assert all(abs(one - total * asked / whole) < 1 for one, asked in zip(kept, people, strict=True))
    if all(have for asked, have in zip(people, there, strict=True) if asked):
        assert total
        bound = min((have + 1) * whole / asked for asked, have in zip(people, there, strict=True) if asked)
        assert total < bound
