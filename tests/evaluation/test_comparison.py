from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests
from tests import golds
from tests.golds import plain

from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError
from anagnosis.evaluation.comparison import Comparison, compare_every_pair, words
from anagnosis.evaluation.differences import paired
from anagnosis.evaluation.measures.measure import Statistics, mean_of_sums, named
from anagnosis.evaluation.run_measurements import DRAWS, DRAWS_OF_MANY, RunMeasurements, redrawn
from anagnosis.evaluation.signature import parsed
from anagnosis.evaluation.systems import System
from anagnosis.predictions import Matched


def system(name: str, right: np.ndarray, annotator: str | None = None) -> System:
    return System.alone(run_of(name, right, annotator))


def run_of(name: str, right: np.ndarray, annotator: str | None = None) -> Matched:
    return golds.run_of(np.where(right, 0, 1), name, annotator=annotator)


def places(n: int, *right: int) -> np.ndarray:
    return np.isin(np.arange(n), right)


def run(gold: Gold, *systems: System, **options: object) -> Comparison:
    return compare_every_pair(
        gold, systems, **({"protocol": "expected", "unit": "instance", "seed": 3, "draws": 500} | options)
    )


@pytest.fixture
def gold() -> Gold:
    return plain(60, per_document=3)


def test_systems_are_ranked_and_each_is_tested_against_the_next_and_the_first(gold: Gold) -> None:
    n = np.arange(60)
    found = run(
        gold, system("low", n < 10), system("top", n < 55), system("mid", n < 30), system("last", n < 0)
    )
    assert [(ranked.rank, ranked.name) for ranked in found.ranking] == [
        (1, "top"),
        (2, "mid"),
        (3, "low"),
        (4, "last"),
    ]
    assert [(pair.first, pair.second) for pair in found.against_next] == [
        ("top", "mid"),
        ("mid", "low"),
        ("low", "last"),
    ]
    assert [(pair.first, pair.second) for pair in found.against_first] == [
        ("top", "mid"),
        ("top", "low"),
        ("top", "last"),
    ]
    assert found.family == 6
    assert found.against_first[0] is found.against_next[0]
    assert all(pair.verdict == "better" for pair in found.against_next)
    assert (
        words(found.against_next[0], found)
        == "top is better than mid: these two models, not their recipes (no second run)"
    )


def test_a_pair_holds_the_results_of_the_single_tests(gold: Gold) -> None:
    n = np.arange(60)
    ours, theirs = (n % 5 != 0), (n % 3 != 0)
    pair = run(gold, system("b", theirs), system("a", ours), unit="document").against_next[0]
    first, second, documents = ours.astype(float), theirs.astype(float), n // 3
    assert (pair.first, pair.second, pair.difference) == ("a", "b", pytest.approx(8 / 60))
    swaps = paired.randomisation(first, second, documents, seed=3, draws=500)
    assert (pair.p_one_tailed, pair.p_two_tailed) == (swaps.one_tailed, swaps.two_tailed)
    assert pair.interval == paired.bootstrap(first, second, documents, seed=3, draws=500)
    alone = run(gold, system("a", ours), system("b", theirs)).against_next[0]
    assert alone.interval == paired.bootstrap(first, second, seed=3, draws=500)
    assert alone.p_two_tailed == paired.randomisation(first, second, seed=3, draws=500).two_tailed


def test_holm_corrects_for_all_pairs_of_the_ranking_also_those_that_are_not_shown(gold: Gold) -> None:
    """Held to statsmodels over all six pairs of four systems, of which five are shown."""
    rights = {"a": 40, "b": 35, "c": 28, "d": 20}
    n = np.arange(60)
    found = run(gold, *(system(name, n < right) for name, right in rights.items()))
    names = list(combinations(rights, 2))
    credits = {name: (n < right).astype(float) for name, right in rights.items()}
    p_values = [
        paired.randomisation(credits[one], credits[other], seed=3, draws=500).two_tailed
        for one, other in names
    ]
    corrected = dict(zip(names, multipletests(p_values, method="holm")[1], strict=True))
    shown = {(pair.first, pair.second): pair for pair in (*found.against_next, *found.against_first)}
    assert (found.family, len(shown)) == (6, 5)
    for names_of, pair in shown.items():
        assert pair.holm_two_tailed == pair.holm == pytest.approx(corrected[names_of])
        assert pair.holm_one_tailed >= pair.p_one_tailed


def test_what_one_tail_or_no_correction_would_call_better_is_tied(gold: Gold) -> None:
    # five instances won, none lost: 1/32 one-tailed, 1/16 two-tailed
    found = run(gold, system("a", places(60, *range(35))), system("b", places(60, *range(30))), draws=10_000)
    pair = found.against_next[0]
    assert pair.p_one_tailed == pytest.approx(1 / 32, abs=0.005)
    assert pair.p_two_tailed == pytest.approx(1 / 16, abs=0.005)
    assert pair.verdict == "tied"
    assert words(pair, found) == "a and b are not shown to differ"
    # six: 1/32 two-tailed, enough for two systems, not for three
    two = run(gold, system("a", places(60, *range(36))), system("b", places(60, *range(30))), draws=10_000)
    assert two.against_next[0].verdict == "better"
    places_of = {"a": 36, "b": 30, "c": 29}
    three = run(gold, *(system(name, places(60, *range(k))) for name, k in places_of.items()), draws=10_000)
    assert three.against_next[0].p_two_tailed == two.against_next[0].p_two_tailed
    assert three.against_next[0].verdict == "tied"


@pytest.mark.parametrize("unit", ["instance", "document"])
@pytest.mark.parametrize("n", [1, 60])
def test_a_system_beside_itself_is_tied_with_p_1_in_every_test(n: int, unit: str) -> None:
    own = system("base4", np.arange(n) < n / 2)
    found = run(plain(n), own, own, own, unit=unit)
    assert [(ranked.rank, ranked.name) for ranked in found.ranking] == [
        (1, "base4"),
        (1, "base4 (2)"),
        (1, "base4 (3)"),
    ]
    for pair in (*found.against_next, *found.against_first):
        assert pair.difference == pair.interval.low == pair.interval.high == 0
        assert {pair.p_one_tailed, pair.p_two_tailed, pair.holm_one_tailed, pair.holm_two_tailed} == {1}
        assert words(pair, found).endswith("do not differ: no instance was answered better by either")


def test_equal_accuracy_with_different_answers_is_tied_and_shares_the_rank(gold: Gold) -> None:
    found = run(
        gold, system("b", places(60, 1, 2)), system("a", places(60, 3, 4)), system("c", places(60, 1))
    )
    assert [(ranked.rank, ranked.name) for ranked in found.ranking] == [(1, "b"), (1, "a"), (3, "c")]
    assert found.against_next[0].verdict == "tied"
    assert found.against_next[0].p_two_tailed == 1


def test_differences_that_cancel_inside_documents_are_not_called_identical(gold: Gold) -> None:
    pair = run(gold, system("a", places(60, 0)), system("b", places(60, 1)), unit="document").against_next[0]
    assert (pair.verdict, pair.p_two_tailed) == ("tied", 1)


def test_one_system_and_an_unknown_unit_are_refused(gold: Gold) -> None:
    own = system("a", places(60))
    with pytest.raises(InputError, match="nothing to compare; give two or more"):
        run(gold, own)
    with pytest.raises(InputError, match="unknown unit 'documents'; did you mean document"):
        run(gold, own, own, unit="documents")


def test_the_signature_has_all_that_could_change_the_numbers(gold: Gold) -> None:
    own = system("a", places(60))
    signature = parsed(run(gold, own, own, unit="document", view="local").signature)
    told = {"n": "60", "seed": "3", "view": "local", "protocol": "expected", "measure": "accuracy"}
    settings = {"draws": "500", "unit": "document", "alpha": "0.05", "pairs": "all"}
    assert signature | told == signature
    assert {name: signature[name] for name in [*signature][8:-1]} == settings


def test_every_pair_has_a_verdict_and_ranks_are_what_the_verdicts_leave_open(gold: Gold) -> None:
    systems = (
        system("worst", places(60)),
        system("best", np.ones(60, np.bool_)),
        system("next", np.arange(60) >= 1),
        system("middle", np.arange(60) < 30),
    )
    found = run(gold, *systems)
    assert [systems[ranked.place].name for ranked in found.ranking] == ["best", "next", "middle", "worst"]
    assert [ranked.ranks for ranked in found.ranking] == [(1, 2), (1, 2), (3, 3), (4, 4)]


def test_runs_that_scatter_leave_more_ranks_open(gold: Gold) -> None:
    """One run of 35 right beside three of 60, 50 and 40: better as they are, and other runs may not be."""
    single = system("single", np.arange(60) < 35)
    runs = tuple(run_of("several", np.arange(60) >= first) for first in (0, 10, 20))
    found = compare_every_pair(
        gold, (single, System("several", runs)), protocol="expected", unit="instance", seed=3, draws=500
    )
    (pair,) = found.against_next
    assert (pair.first, pair.verdict) == ("several", "tied")
    assert pair.holm_two_tailed < 0.05 < pair.holm
    assert [ranked.ranks for ranked in found.ranking] == [(1, 2), (1, 2)]


def test_sums_leave_out_what_is_not_judged_whatever_the_range() -> None:
    judged = np.array([[True, False, True]])
    own = RunMeasurements(named("embedding-average"), np.array([[0.5, 0.0, 1.0]]), (), -1.0, 2.0, judged)
    sums = own.without_credits()
    assert own.values.tolist() == sums.values.tolist() == [0.5]
    assert own.n == sums.n == 2


def test_statistics_are_drawn_as_their_instances_are() -> None:
    """Few different ones by how many have each, many one by one, and fewer times."""
    few, many = np.repeat([0.0, 1.0, 4.0], [60, 25, 15]), np.random.default_rng(3).random(200)
    for values, draws in ((few, DRAWS), (many, DRAWS_OF_MANY)):
        ones = np.ones_like(values)
        own = Statistics(np.stack([values, ones], axis=1), mean_of_sums, ones > 0)
        (drawn,) = redrawn([RunMeasurements(named("bleu-2"), None, (own,))], seed=0)
        assert drawn.shape == (1, draws)
        assert drawn.mean() == pytest.approx(values.mean(), rel=0.02)
        assert drawn.std() == pytest.approx(values.std() / len(values) ** 0.5, rel=0.1)
