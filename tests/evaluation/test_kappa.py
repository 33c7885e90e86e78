from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.evaluation import kappa as module
from anagnosis.evaluation.kappa import NO_ANSWER, TREATMENTS, Kappa, mean_kappa

_ = NO_ANSWER
LABELS = st.integers(2, 20).flatmap(
    lambda n: st.tuples(*(st.lists(st.integers(-1, 3), min_size=n, max_size=n) for _ in range(3)))
)


def kappa(*annotators: list[int], treatment: str = "own label", **options: int) -> Kappa:
    found = mean_kappa(
        [np.array(each) for each in annotators], treatment, seed=1, **({"draws": 200} | options)
    )
    assert found is not None
    return found


def by_hand(first: list[int], second: list[int], treatment: str) -> float | None:
    """Cohen's kappa as one would do it on paper."""
    pairs = list(zip(first, second, strict=True))
    if treatment == "left out":
        pairs = [(a, b) for a, b in pairs if a != NO_ANSWER and b != NO_ANSWER]
    if not pairs:
        return None
    silent_agrees = treatment == "own label"
    labels = {label for pair in pairs for label in pair if silent_agrees or label != NO_ANSWER}
    n = len(pairs)
    observed = sum(a == b and a in labels for a, b in pairs) / n
    expected = (
        sum(sum(a == label for a, _ in pairs) * sum(b == label for _, b in pairs) for label in labels) / n**2
    )
    return 1.0 if expected == 1 else (observed - expected) / (1 - expected)


@given(LABELS, st.sampled_from(TREATMENTS))
def test_every_pair_and_their_mean_are_as_by_hand(annotators: tuple[list[int], ...], treatment: str) -> None:
    a, b, c = annotators
    pairs = [by_hand(x, y, treatment) for x, y in ((a, b), (a, c), (b, c))]
    known = [value for value in pairs if value is not None]
    found = mean_kappa([np.array(each) for each in annotators], treatment, seed=1, draws=20)
    if not known:
        assert found is None
    else:
        assert found.value == pytest.approx(np.mean(known))
        assert -1 <= found.bootstrap.low <= found.bootstrap.high <= 1


@pytest.mark.parametrize("treatment", TREATMENTS)
def test_the_bootstrap_interval_is_that_of_resampled_instances(treatment: str) -> None:
    dice = np.random.default_rng(3)
    first, second = dice.integers(-1, 3, (2, 40))
    second = np.where(dice.random(40) < 0.5, first, second)
    rows = dice.integers(0, 40, (3000, 40))
    drawn = [by_hand(first[row].tolist(), second[row].tolist(), treatment) for row in rows]
    low, high = np.quantile([value for value in drawn if value is not None], [0.025, 0.975])
    found = kappa(first.tolist(), second.tolist(), treatment=treatment, draws=4000)
    assert (found.bootstrap.low, found.bootstrap.high) == pytest.approx((low, high), abs=0.035)


def test_blocks_do_not_change_the_draws_of_a_small_set(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = [0, 1, 1, 0, _, 2], [0, 1, 0, 0, 1, 2]
    whole = kappa(first, second, draws=50)
    monkeypatch.setattr(module, "_CELLS", 6 * 7)
    assert kappa(first, second, draws=50) == whole


def test_a_single_label_of_both_is_full_agreement() -> None:
    for n in (1, 5):
        found = kappa([2] * n, [2] * n)
        assert (found.value, found.bootstrap.low, found.bootstrap.high) == (1, 1, 1)
    assert kappa([_, _], [_, _]).value == 1


def test_silence_of_both_is_no_agreement_where_it_counts_as_wrong_and_nothing_where_it_is_left_out() -> None:
    silent = np.array([_, _])
    assert kappa([_, _], [_, _], treatment="wrong").value == 0
    assert mean_kappa([silent, silent], "left out", seed=1) is None


def test_a_pair_without_a_common_answer_is_left_out_of_the_mean() -> None:
    found = kappa([0, 1, _, _], [0, 1, 0, 1], [_, _, 0, 0], treatment="left out")
    assert found.value == pytest.approx(np.mean([1.0, 0.0]))
    assert found.instances == 2
