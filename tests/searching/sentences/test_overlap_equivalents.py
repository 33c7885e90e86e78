"""Sentences with other names for what a question asks about."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("tantivy", reason="the extra search is not installed")

from tests.searching.engines.contract_trial import index_of

from anagnosis.documents.document import Document, Section
from anagnosis.searching.records.hits import Equivalent, Topic
from anagnosis.searching.sentences import overlap

TEXTS = ["anaemia is rare", *["anemia and iron"] * 5, *["other things"] * 20]
ANEMIA = Equivalent(frozenset(["anaemia"]), (("anemia",), ("other", "thing")))


def test_a_synonym_counts_as_the_word_and_is_as_common_as_the_commonest(tmp_path: Path) -> None:
    papers = [Document(str(number), (Section("abstract", text),)) for number, text in enumerate(TEXTS)]
    index = index_of(tmp_path / "index", *papers)
    question = "iron in anaemia"
    alone = overlap.asked_words(index.engine, Topic(question)).score
    both = overlap.asked_words(index.engine, Topic(question, (ANEMIA,))).score
    assert alone("anemia") == 0
    assert both("anemia") == both("anaemia") > 0
    assert both("anemia and iron") == pytest.approx(1)
    # Five passages have the American word and iron alike.
    weights = overlap.asked_words(index.engine, Topic(question, (ANEMIA,))).weights
    assert weights["anaemia"] == pytest.approx(weights["iron"])
    assert overlap.asked_words(index.engine, Topic(question)).weights["anaemia"] > weights["anaemia"]
    index.close()
