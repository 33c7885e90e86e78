"""BM25 in memory: the formula by hand, and ties."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.datasets.bioasq.bm25 import Pool

pytest.importorskip("tantivy", reason="the extra search is not installed")
WORDS = st.lists(st.sampled_from(["salt", "fish", "tea", "gene", "blue"]), min_size=0, max_size=6).map(
    " ".join
)


def by_hand(texts: list[str], question: str, k1: float, b: float) -> list[float]:
    split = [text.split() for text in texts]
    mean = sum(map(len, split)) / len(split) or 1.0
    scores: list[float] = []
    for words in split:
        score = 0.0
        for word in question.split():
            df = sum(word in own for own in split)
            tf = words.count(word)
            if tf:
                idf = math.log(1 + (len(texts) - df + 0.5) / (df + 0.5))
                score += idf * tf / (tf + k1 * (1 - b + b * len(words) / mean))
        scores.append(score)
    return scores


@given(st.lists(WORDS, min_size=1, max_size=12), WORDS, st.floats(0.1, 3), st.floats(0, 1))
def test_the_order_is_that_of_the_formula(texts: list[str], question: str, k1: float, b: float) -> None:
    found = [place for place, _ in Pool(texts, k1=k1, b=b).scored(question)]
    scores = by_hand(texts, question, k1, b)
    assert sorted(found) == [place for place, score in enumerate(scores) if score > 0]
    own = [scores[place] for place in found]
    assert all(one >= other - 1e-12 for one, other in pairwise(own))


def test_of_equal_texts_the_first_comes_first() -> None:
    found = Pool(["tea", "salt fish", "salt fish", "fish"], k1=1.5, b=0.75).scored("Salted fishes?")
    assert [place for place, _ in found] == [1, 2, 3]


def test_an_empty_pool_has_nothing() -> None:
    assert list(Pool([], k1=1.5, b=0.75).scored("salt")) == []
