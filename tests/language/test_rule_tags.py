from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.language import rule_tags, tags
from anagnosis.language.treebank import PENN

VERBAL = ("VBZ", "VBP")


def verbs(text: str) -> list[str]:
    """The words tagged as verbs in the present tense."""
    words = [text[start:end] for start, end in tags.words(text)]
    return [f"{word}/{tag}" for word, tag in zip(words, rule_tags.tag(words)) if tag in VERBAL]


@each_row(
    ("text", "found"),
    [
        ("Zorapine reduces fever", ["reduces/VBZ"]),
        ("Two short walks reduce fever", ["reduce/VBP"]),
        ("Zorapine is safe", ["is/VBZ"]),
        ("Zorapine reduces fever and improves sleep", ["reduces/VBZ", "improves/VBZ"]),
        ("Zorapine significantly alters sleep", ["alters/VBZ"]),
        ("Ward music worsens sleep", ["worsens/VBZ"]),
        ("Screening results in fewer deaths", ["results/VBZ"]),
        ("Zorapine does not reduce fever", ["does/VBZ"]),
    ],
)
def test_a_statements_verb_is_tagged(text: str, found: list[str]) -> None:
    assert verbs(text) == found


@each_row(
    "text",
    [
        "Trends and correlates of tea drinking",
        "Results of a survey",
        "Primary care in island communities",
        "Use of Zorapine to reduce fever",
        "Zorapine may reduce fever",
        "Zorapine reduced fever",
        "The effects of Zorapine on disease",
        "Decision support systems",
        "",
    ],
)
def test_a_noun_phrase_has_no_verb(text: str) -> None:
    assert verbs(text) == []


@given(st.lists(st.text(max_size=12), max_size=12))
def test_every_word_gets_a_penn_tag(words: list[str]) -> None:
    found = rule_tags.tag(words)
    assert len(found) == len(words)
    assert PENN.issuperset(found)
