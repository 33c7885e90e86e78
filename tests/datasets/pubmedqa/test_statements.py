"""Which titles state. The titles are invented."""

from __future__ import annotations

import pytest

from anagnosis.datasets.pubmedqa import statements
from anagnosis.datasets.pubmedqa.statements import Statement, bare, parse, possible_verb
from anagnosis.language import tags

REFUSED = {
    "no_possible_verb": "Zorapine for the common cold",
    "no_noun_phrase_first": "How zorapine reduces fever",
    "quotation": '"Zorapine reduces fever": views of patients',
    "modal": "Zorapine can reduce fever",
    "no_verb": "Trends and correlates of tea drinking",
    "disagreement": "The effects of zorapine reduces fever",
    "negated": "Zorapine has no effect on sleep",
    "second_verb": "Zorapine reduces fever in adults, tea prolongs it",
}


def verb(title: str) -> str:
    found = parse(bare(title))
    return found if isinstance(found, str) else found.word(found.verb)


@pytest.mark.parametrize(("rule", "title"), REFUSED.items())
def test_the_rule_by_which_a_title_is_no_statement(rule: str, title: str) -> None:
    assert verb(title) == rule


@pytest.mark.parametrize(
    ("title", "negated"),
    [
        ("No single test predicts relapse", True),
        ("Neither tea nor rest reduces fever", True),
        ("Not every test predicts relapse", True),
        ("Zorapine rarely reduces fever", False),
        ("Zorapine reduces fever rarely", True),
        ("Zorapine does not vary between nurses, nor among clerks", False),
    ],
)
def test_a_negation_that_cannot_be_taken_out(title: str, negated: bool) -> None:
    assert (verb(title) == "negated") == negated


def test_every_rule_has_its_title_above() -> None:
    assert sorted(REFUSED) == sorted(statements.RULES)


@pytest.mark.parametrize(
    "title",
    [
        "Zorapine reduces fever",
        "[Zorapine reduces fever].",
        "[Zorapine reduces fever.]",
        " P12. Zorapine  reduces\nfever .",
    ],
)
def test_a_bare_title_has_neither_brackets_nor_a_full_stop(title: str) -> None:
    assert bare(title) == "Zorapine reduces fever"
    assert bare("[Salt raises factor X.]") == "Salt raises factor X"


@pytest.mark.parametrize(
    "title",
    [
        "Zorapine in fever: early use reduces relapse",
        "Zorapine in fever - early use reduces relapse",
        "Zorapine in fever. Early use reduces relapse",
        "Zorapine in fever; early use reduces relapse",
    ],
)
def test_a_verb_in_the_subtitle_is_none_of_the_title(title: str) -> None:
    assert verb(title) == "no_possible_verb"


@pytest.mark.parametrize(
    ("title", "possible"),
    [
        ("Zorapine reduces fever", True),
        ("Zorapine is safe", True),
        ("Fever, and what upregulates it", True),
        ("Reduces", False),
        ("Tea for fever", False),
        ("Tea: it reduces fever", False),
        ("", False),
    ],
)
def test_words_are_tagged_only_where_a_verb_is_possible(
    monkeypatch: pytest.MonkeyPatch, title: str, possible: bool
) -> None:
    def never(words: object) -> list[str]:
        raise AssertionError("asked")

    monkeypatch.setattr(tags, "tag", never)
    assert possible_verb(title) == possible
    if not possible:
        assert parse(title) == "no_possible_verb"


@pytest.mark.parametrize(
    ("title", "negation"),
    [
        ("Zorapine does not reduce fever", "not"),
        ("Zorapine isn't cheap", ""),
        ("Zorapine doesn't reduce fever", "n't"),
        ("Zorapine is never cheap", "never"),
        ("Zorapine is not only cheap but safe", ""),
        ("Zorapine is safe but not cheap", ""),
    ],
)
def test_only_the_negation_of_the_verb_counts(title: str, negation: str) -> None:
    found = parse(title)
    if isinstance(found, Statement):
        assert (found.word(found.negation) if found.negation >= 0 else "") == negation
    else:
        assert not negation
