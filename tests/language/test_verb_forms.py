"""Past forms of verbs."""

from __future__ import annotations

import pytest
from tests.rows import each_row

from anagnosis.language.verb_forms import is_participle, past


@each_row(
    ("base", "form"),
    [
        ("find", "found"),
        ("become", "became"),
        ("originate", "originated"),
        ("carry", "carried"),
        ("play", "played"),
        ("stop", "stopped"),
        ("occur", "occurred"),
        ("act", "acted"),
        ("treat", "treated"),
        ("show", "showed"),
        ("allow", "allowed"),
    ],
)
def test_a_verb_has_its_past(base: str, form: str) -> None:
    assert past(base) == form


@pytest.mark.parametrize("word", ["bound", "derived", "co-administered", "thought"])
def test_a_participle_is_seen(word: str) -> None:
    assert is_participle(word)


@each_row("word", ["red", "need", "exceed", "gene", ""])
def test_another_word_is_none(word: str) -> None:
    assert not is_participle(word)
