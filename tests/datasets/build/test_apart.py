"""Mentions of which none overlaps another."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from anagnosis.datasets.build.screening import apart
from anagnosis.documents.document import Mention
from anagnosis.documents.repairs import Repairs


def mentions(*spans: tuple[int, int]) -> list[Mention]:
    return [Mention((span,), "", "", str(number)) for number, span in enumerate(spans)]


def kept(*spans: tuple[int, int]) -> list[str]:
    return [mention.identifier for mention in apart(mentions(*spans), Repairs())]


def test_the_longest_stays_then_the_leftmost_then_the_first_given() -> None:
    assert kept((0, 4), (2, 8)) == ["1"]
    assert kept((2, 6), (0, 4)) == ["1"]
    assert kept((0, 4), (0, 4)) == ["0"]
    assert kept((4, 8), (0, 4)) == ["1", "0"]


def test_each_one_that_is_left_out_is_counted() -> None:
    repairs = Repairs()
    apart(mentions((0, 9), (1, 2), (3, 4)), repairs)
    assert repairs.counts == {"mention_overlapping": 2}


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 9)), max_size=12))
def test_what_is_left_out_overlaps_one_that_stays_and_is_no_shorter(places: list[tuple[int, int]]) -> None:
    given_mentions = mentions(*((start, start + length) for start, length in places))
    found = apart(given_mentions, Repairs())
    assert all(a.end <= b.start for a, b in pairwise(found))
    for mention in given_mentions:
        length = mention.end - mention.start
        assert mention in found or any(
            other.start < mention.end and mention.start < other.end and other.end - other.start >= length
            for other in found
        )
