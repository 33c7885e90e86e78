"""Which split an article belongs to."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.datasets import splits
from anagnosis.datasets.build.screening import id_hash

COUNTS = st.lists(st.integers(1, 9), max_size=40)
WEIGHTS = st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9)).filter(any)
DATES = st.sampled_from(["2019", "2019-01", "2019-01-01", "2019-12-31", "2020", "2020-02", "2021-05-05"])
IDS = st.lists(st.integers(0, 10_000).map(str), unique=True, max_size=60)


def hashes(ids: list[str]) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    return np.asarray([id_hash(ident) for ident in ids], np.uint64)


@given(COUNTS, WEIGHTS)
def test_head_cuts_where_an_articles_first_instance_would_lie(
    counts: list[int], weights: tuple[int, int, int]
) -> None:
    codes = splits.head(np.asarray(counts, np.int64), weights).tolist()
    total, whole = sum(counts), sum(weights)
    for at, code in enumerate(codes):
        before = sum(counts[:at])
        assert code == (before >= total * weights[0] / whole) + (before >= total * sum(weights[:2]) / whole)


def test_the_papers_weights_cut_the_papers_instances() -> None:
    codes = splits.head(np.ones(812_707, np.int64), (700_000, 50_000, 62_707))
    assert np.bincount(codes).tolist() == [700_000, 50_000, 62_707]


@given(IDS, IDS, st.integers(0, 1 << 62))
def test_a_draw_by_document_stays_when_other_documents_come_or_go(
    ids: list[str], others: list[str], seed: int
) -> None:
    alone = dict(zip(ids, splits.by_document(hashes(ids), (3, 1, 1), seed).tolist()))
    more = list(dict.fromkeys([*others, *ids]))
    together = dict(zip(more, splits.by_document(hashes(more), (3, 1, 1), seed).tolist()))
    assert all(together[ident] == code for ident, code in alone.items())


def test_a_draw_by_document_keeps_the_weights_and_follows_the_seed() -> None:
    ids = hashes([str(n) for n in range(20_000)])
    shares = np.bincount(splits.by_document(ids, (700_000, 50_000, 62_707), 0)) / 20_000
    assert shares == pytest.approx([0.8613, 0.0615, 0.0772], abs=0.01)
    other = splits.by_document(ids, (700_000, 50_000, 62_707), 1)
    assert (splits.by_document(ids, (700_000, 50_000, 62_707), 0) != other).mean() > 0.1


@given(st.lists(st.tuples(DATES, st.integers(1, 9)), max_size=30), WEIGHTS)
def test_a_split_by_date_never_looks_ahead(
    articles: list[tuple[str, int]], weights: tuple[int, int, int]
) -> None:
    dates = [date for date, _ in articles]
    codes = splits.by_date(dates, np.asarray([n for _, n in articles], np.int64), weights).tolist()
    assert len(codes) == len(dates)
    days = [splits.first_day(date) for date in dates]
    ordered = [code for _, code in sorted(zip(days, codes))]
    assert ordered == sorted(ordered)
    assert all(len({c for d, c in zip(days, codes) if d == day}) == 1 for day in days)


def test_a_shorter_date_counts_as_its_first_day() -> None:
    assert [splits.first_day(d) for d in ("2024", "2024-06", "2024-06-30")] == [
        "2024-01-01",
        "2024-06-01",
        "2024-06-30",
    ]
    codes = splits.by_date(["2024-01-01", "2023-12-31", "2024"], np.ones(3, np.int64), (1, 1, 1))
    assert codes.tolist() == [1, 0, 1]


@pytest.mark.parametrize("weights", [(1, 0, 0), (0, 1, 0), (0, 0, 1)])
def test_a_weight_of_zero_leaves_a_split_empty(weights: tuple[int, int, int]) -> None:
    only = weights.index(1)
    assert set(splits.head(np.ones(5, np.int64), weights).tolist()) == {only}
    assert set(splits.by_document(hashes(list("abcde")), weights, 3).tolist()) == {only}
    assert set(splits.by_date(["2020", "2021"], np.ones(2, np.int64), weights).tolist()) == {only}


def test_numbers_are_mixed_as_the_published_program_of_splitmix64_does() -> None:
    # The first numbers of its reference implementation from seed 0: the state grows by one constant a step.
    states = np.arange(3, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    expected = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    assert splits._mixed(states).tolist() == expected
