from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.errors import InputError
from anagnosis.language import rule_tags, tags


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in tags.words(text)]


@each_row(
    ("text", "words"),
    [
        ("Aspirin (low dose), again: yes.", "Aspirin ( low dose ) , again : yes ."),
        ("Crohn's disease and Down’s syndrome", "Crohn 's disease and Down ’s syndrome"),
        ("It doesn't fall", "It does n't fall"),
        ("HMG-I(Y) and (E)-2-hexenal", "HMG-I(Y) and (E)-2-hexenal"),
        ("[Mud baths] 'help' 50%", "[ Mud baths ] ' help ' 50 %"),
        ("and/or IL-2/IL-4", "and/or IL-2/IL-4"),
        ("p < 0.05 - ) (", "p < 0.05 - ) ("),
    ],
)
def test_words_are_cut_as_the_treebanks_cut_them(text: str, words: str) -> None:
    assert cut(text) == words.split()


@given(st.text(st.sampled_from("aB1 .,;:()[]'’\"%-/n't s\t"), max_size=30))
def test_words_hold_all_but_white_space_in_order(text: str) -> None:
    assert "".join(cut(text)) == "".join(text.split())


def test_a_tagger_is_found_by_its_name() -> None:
    assert tags.tagger("rule") is rule_tags.tag


def test_an_unknown_tagger_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(InputError, match="did you mean rule"):
        tags.tagger("rules")
