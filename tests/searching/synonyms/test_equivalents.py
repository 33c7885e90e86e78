"""Names in a text that count as words of a question."""

from __future__ import annotations

import pytest
from tests.rows import each_row

from anagnosis.searching.records.expansion import Equivalent
from anagnosis.searching.synonyms.equivalents import with_equivalents

ATTACK = Equivalent(frozenset(["heart", "attack"]), (("myocardi", "infarct"), ("mi",)))


@pytest.mark.parametrize("text", ["acut myocardi infarct", "myocardi myocardi infarct", "mi", "heart mi"])
def test_a_name_side_by_side_counts_as_all_words(text: str) -> None:
    assert with_equivalents(text.split(), [ATTACK])[-2:] == ["attack", "heart"]


@each_row("text", ["", "myocardi", "infarct myocardi", "myocardi or infarct", "heart", "heart attack mi"])
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert with_equivalents(text.split(), [ATTACK]) == text.split()
