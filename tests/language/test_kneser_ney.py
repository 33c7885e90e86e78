from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.array_types import Longs
from anagnosis.language.kneser_ney import (
    BEGIN,
    END,
    UNKNOWN,
    Discounting,
    Discounts,
    LanguageModel,
    Method,
    modified,
    plain,
    train,
)

SENTENCES = [
    ["the", "patient", "had", "a", "fever"],
    ["the", "patient", "had", "a", "rash"],
    ["the", "child", "had", "a", "fever", "and", "a", "rash"],
    ["a", "fever"],
    [],
]
CORPORA = st.lists(st.lists(st.sampled_from("abcd"), max_size=7), max_size=12)
METHODS: tuple[Method, ...] = ("plain", "modified")


def probability(model: LanguageModel, word: str, *context: str) -> float:
    return float(model.distribution(context)[model.numbers[word]])


def constant(discount: float) -> Discounting:
    """The same discount for all n-grams but those of one word, which have none."""

    def discounting(order: int, counts: Longs) -> Discounts:
        del counts
        used = discount if order > 1 else 0.0
        return used, used, used

    return discounting


@given(CORPORA, st.lists(st.sampled_from(["a", "b", "c", "d", "zebra", BEGIN, END]), max_size=4), st.data())
def test_the_probabilities_after_any_context_sum_to_1(
    sentences: list[list[str]], context: list[str], data: st.DataObject
) -> None:
    order = data.draw(st.integers(1, 5))
    for method in METHODS:
        probabilities = train(sentences, order=order, discounts=method).distribution(context)
        assert probabilities.sum() == pytest.approx(1, abs=1e-12)
        assert probabilities[0] == 0  # <s> follows nothing
        assert (probabilities[1:] >= 0).all()


def test_a_small_model_by_hand() -> None:
    # Bigrams: <s> a, a b, b </s> twice each; <s> b, b b once each... counted from the two sentences.
    model = train([["a", "b"], ["b", "b"]], order=2, discounts="plain")
    # n-grams of two: <s> a 1, <s> b 1, a b 1, b </s> 2, b b 1: n₁ = 4, n₂ = 1, so D = 4/6.
    d2 = 4 / 6
    # Words before: a 1 (<s>), b 3 (<s>, a, b), </s> 1 (b): n₁ = 2, n₂ = 0, so D = 0.5; V = a, b, </s>, <unk>.
    rest = 3 * 0.5 / 5 / 4
    a, b, end, unknown = (0.5 / 5 + rest, 2.5 / 5 + rest, 0.5 / 5 + rest, rest)
    assert model.distribution([]) == pytest.approx([0, end, unknown, a, b])
    # After b: </s> twice and b once.
    gamma = 2 * d2 / 3
    assert probability(model, END, "b") == pytest.approx((2 - d2) / 3 + gamma * end)
    assert probability(model, "b", "b") == pytest.approx((1 - d2) / 3 + gamma * b)
    assert probability(model, "a", "b") == pytest.approx(gamma * a)
    # A context that was never read leaves the shorter one.
    assert probability(model, "a", "zebra") == pytest.approx(a)
    assert probability(model, "a", "x", "b") == pytest.approx(gamma * a)


def test_an_n_gram_has_the_discount_of_its_count() -> None:
    sentences = [["a", "b"], *[["a", "c"]] * 2, *[["a", "d"]] * 3, *[["a", "e"]] * 4]

    def discounting(order: int, counts: Longs) -> Discounts:
        del counts
        return (0.1, 0.3, 0.6) if order > 1 else (0.0, 0.0, 0.0)

    model = train(sentences, order=2, discounts=discounting)
    gamma = (0.1 + 0.3 + 0.6 + 0.6) / 10
    for word, count, discount in (("b", 1, 0.1), ("c", 2, 0.3), ("d", 3, 0.6), ("e", 4, 0.6)):
        expected = (count - discount) / 10 + gamma * probability(model, word)
        assert probability(model, word, "a") == pytest.approx(expected)


def test_n_grams_that_begin_a_sentence_count_as_often_as_they_occur() -> None:
    model = train([["a", "b"], ["a", "b"], ["c", "a", "b"]], order=3, discounts=constant(0.5))
    # c(<s> a) = 2 of 3 in the text; after another word "a b" would count its different words before.
    after = probability(model, "a", BEGIN)
    assert after == pytest.approx((2 - 0.5) / 3 + 2 * 0.5 / 3 * probability(model, "a"))
    # "a b" stands behind <s> and c.
    assert probability(model, "b", "a") == pytest.approx((2 - 0.5) / 2 + 0.5 / 2 * probability(model, "b"))


@each_row("order", [2, 3, 4])
@each_row("discount", [0.1, 0.75])
def test_it_equals_nltks_model(order: int, discount: float) -> None:
    lm = pytest.importorskip("nltk.lm", reason="the extra punkt is not installed")
    from nltk.util import everygrams

    draw = random.Random(5)
    sentences = [[draw.choice("abcdefg") for _ in range(draw.randint(1, 9))] for _ in range(60)]
    marked = [[BEGIN, *sentence, END] for sentence in sentences]
    theirs = lm.KneserNeyInterpolated(order, discount=discount)
    theirs.fit(
        (everygrams(sentence, max_len=order) for sentence in marked),
        [word for sentence in marked for word in sentence],
    )
    ours = train(sentences, order=order, discounts=constant(discount))
    compared = 0
    seen = Counter(
        tuple(sentence[start : start + order - 1])
        for sentence in marked
        for start in range(1, len(sentence) - order + 1)
    )
    for context in seen:
        for word in [*"abcdefg", END]:
            expected = theirs.score(word, context)
            assert probability(ours, word, *context) == pytest.approx(expected, rel=1e-9)
            compared += 1
    assert compared > 50


def test_discounts_are_those_of_the_papers_equations() -> None:
    counts = np.array([10, 4, 3, 1])
    share = 10 / 18
    assert plain(2, counts) == (share,) * 3
    assert modified(2, counts) == pytest.approx(
        (1 - 2 * share * 4 / 10, 2 - 3 * share * 3 / 4, 3 - 4 * share * 1 / 3)
    )


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ([0, 3, 1, 1], (0.5,) * 3),
        ([3, 0, 1, 1], (0.5,) * 3),
        ([2, 1, 0, 1], (0.5,) * 3),
        ([4, 1, 0, 0], (4 / 6,) * 3),
    ],
)
def test_without_n_grams_of_some_count_the_discount_is_a_simpler_one(
    counts: list[int], expected: Discounts
) -> None:
    assert modified(3, np.array(counts)) == expected


def test_a_negative_discount_is_replaced_by_the_plain_ones() -> None:
    counts = np.array([9, 8, 2, 5])  # n₄ alone makes the third one negative
    assert modified(2, counts) == plain(2, counts) == (9 / 25,) * 3


def test_words_have_their_numbers_in_the_order_of_the_text() -> None:
    model = train(SENTENCES)
    assert model.words[:6] == (BEGIN, END, UNKNOWN, "the", "patient", "had")
    assert model.numbers == {word: number for number, word in enumerate(model.words)}
    assert len(model.orders[0].codes) == len(model.words)


def test_a_text_that_holds_the_models_own_words_reads_them_as_unknown() -> None:
    model = train([["a", BEGIN, "b"], [END, "a"]])
    same = train([["a", "x", "b"], ["x", "a"]])
    assert probability(model, UNKNOWN, "a") == pytest.approx(probability(same, "x", "a"), abs=0.05)
    assert probability(model, BEGIN, "a") == 0.0


def test_no_sentence_gives_equal_probabilities() -> None:
    assert train([]).distribution(["a"]).tolist() == [0.0, 0.5, 0.5]
