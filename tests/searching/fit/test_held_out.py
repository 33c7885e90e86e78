"""Intervals of paired differences, the newest questions, and a collection made of the snippets of questions."""

from __future__ import annotations

from pathlib import Path

import pytest

from anagnosis.datasets.kinds.question import QuestionInstance, Snippet
from anagnosis.searching.fit.held_out import difference, share, snippet_collection


def test_the_interval_holds_the_mean_difference_and_knows_pairs() -> None:
    there = [0.0, 1.0] * 50
    low, high = difference([1.0] * 100, there)
    assert low < 0.5 < high
    assert (low, high) == pytest.approx((0.4, 0.6), abs=0.02)  # ± 1.96 · .5 / √100
    assert difference([one + 0.25 for one in there], there) == pytest.approx((0.25, 0.25))
    assert difference(there, [1.0] * 100) == pytest.approx((-high, -low), abs=0.03)


def test_a_share_has_its_interval() -> None:
    assert share([True] * 9 + [False]) == (
        0.9,
        pytest.approx(0.5958, abs=1e-3),
        pytest.approx(0.9821, abs=1e-3),
    )
    assert share([]) == (0.0, 0.0, 1.0)


def asked(number: int, *snippets: tuple[str, str]) -> QuestionInstance:
    """A question with snippets. snippets: (PMID, text)."""
    made = tuple(
        Snippet(f"http://www.ncbi.nlm.nih.gov/pubmed/{pmid}", "abstract", 0, "abstract", len(text), text)
        for pmid, text in snippets
    )
    return QuestionInstance(f"{number:024x}", "summary", f"Question {number}?", (), made, None)


def test_a_paper_is_one_document_of_its_distinct_snippets(tmp_path: Path) -> None:
    questions = (
        asked(1, ("11", "Aspirin lowers  fever."), ("22", "Tea is warm.")),
        asked(2, ("11", "Aspirin lowers fever."), ("11", "Doses were small."), ("11", "lowers fever.")),
    )
    index = snippet_collection(questions, tmp_path / "index")
    try:
        hits = index.search("aspirin tea", None, 10)
        texts = {hit.passage.document: hit.passage.text for hit in hits}
        assert texts == {"11": "Aspirin lowers fever.\nDoses were small.", "22": "Tea is warm."}
    finally:
        index.close()
