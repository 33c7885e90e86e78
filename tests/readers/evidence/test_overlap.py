"""The overlap of words by their weight: by hand, and the levels of docs/results_search.md."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.datasets.kinds.evidence import EvidenceInstance, SourceSentence
from anagnosis.readers.evidence.overlap import fit


def posed(question: str, *texts: str, title: str = "") -> EvidenceInstance:
    return EvidenceInstance("1", question, tuple(SourceSentence(text, title, text) for text in texts))


def test_the_score_is_the_weight_of_the_shared_words() -> None:
    one = posed("Salted fish?", "Salt on tea.", "A fish.", "Fish fish salt")
    # N = 3 documents; salt is in 2 of them, fish in 2
    assert fit([one])(one) == [pytest.approx(0.5), pytest.approx(0.5), pytest.approx(1.0)]
    rare = fit([one])(posed("Tea and fish?", "tea", "fish"))
    tea, fish, unseen = math.log(4 / 1.5), math.log(4 / 2.5), math.log(4 / 0.5)
    assert rare == [pytest.approx(tea / (tea + fish + unseen)), pytest.approx(fish / (tea + fish + unseen))]


def test_titles_count_as_text_of_their_document_and_a_document_once() -> None:
    with_title = posed("salt", "fish", "tea", title="Salt")
    assert fit([with_title, with_title])(posed("salt fish", "fish"))[0] == pytest.approx(
        math.log(3 / 1.5) / (math.log(3 / 1.5) + math.log(3 / 2.5))
    )


@given(st.lists(st.text(max_size=15), max_size=4), st.text(max_size=15))
def test_scores_are_between_0_and_1(texts: list[str], question: str) -> None:
    one = posed(question, *texts)
    assert all(0 <= score <= 1 + 1e-12 for score in fit([one])(one))
    assert fit([])(one) == fit([])(one)
