"""Ten documents by their score, and snippets by the three variants."""

from __future__ import annotations

import math

import pytest

from anagnosis.readers.evidence.ranking import RankedSentence, ranking, snippet

SENTENCES = [
    RankedSentence(0, 0.5),
    RankedSentence(0, 0.6),
    RankedSentence(1, 0.7),
    RankedSentence(2, 0.9),
    RankedSentence(2, 0.9),
]
SCORES = [2.0, 1.0, 0.0]
# v3: the shares of e², e and 1 weigh 0.5, 0.6, 0.7, 0.9, 0.9.
ORDERS = {"v1": [3, 4, 2, 1, 0], "v2": [3, 2, 1], "v3": [1, 0, 2, 3, 4]}


@pytest.mark.parametrize(("variant", "order"), ORDERS.items())
def test_the_order_of_each_variant(variant: str, order: list[int]) -> None:
    assert ranking(SCORES, SENTENCES, variant) == ([0, 1, 2], order)


def test_the_third_variant_weighs_by_the_softmax_of_documents() -> None:
    """Just above and below where the second document's sentence overtakes the first's."""
    for slack, first in ((1e-6, 1), (-1e-6, 0)):
        two = [RankedSentence(0, 0.3), RankedSentence(1, 0.3 * math.e + slack)]
        assert ranking([1.0, 0.0], two, "v3")[1][0] == first


def test_snippets_are_of_the_ten_best_documents_and_ten_of_them() -> None:
    scores = [float(-n) for n in range(12)]
    sentences = [RankedSentence(n, n / 100) for n in range(12) for _ in range(2)]
    best, chosen = ranking(scores, sentences, "v1")
    assert best == [*range(10)]
    assert [sentences[place].document for place in chosen] == [9, 9, 8, 8, 7, 7, 6, 6, 5, 5]


def test_the_first_of_equals_stands_first() -> None:
    equal = [RankedSentence(n, 0.5) for n in range(3)]
    assert ranking([1.0, 1.0, 1.0], equal, "v2") == ([0, 1, 2], [0, 1, 2])


def test_offsets_end_behind_the_text() -> None:
    assert snippet("7", ("title", 3, "Tea.")).end == 7
