"""Numbers and choices in words."""

from __future__ import annotations

import pytest

from anagnosis.wording import counted, either
from tests.rows import each_row


@pytest.mark.parametrize(("count", "words"), [(0, "0 concepts"), (1, "1 concept"), (2000, "2,000 concepts")])
def test_a_number_has_its_noun_in_singular_or_plural(count: int, words: str) -> None:
    assert counted(count, "concept") == words


@each_row(("choices", "words"), [(["a"], "a"), (["a", "b"], "a or b"), (["b", "a", "c"], "b, a or c")])
def test_choices_are_said_in_words(choices: list[str], words: str) -> None:
    assert either(choices) == words
