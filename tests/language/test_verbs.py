from __future__ import annotations

from tests.rows import each_row

from anagnosis.language import verbs

FORMS = {
    "reduce": "reduces",
    "focus": "focuses",
    "express": "expresses",
    "reach": "reaches",
    "establish": "establishes",
    "relax": "relaxes",
    "analyze": "analyzes",
    "identify": "identifies",
    "vary": "varies",
    "delay": "delays",
    "underlie": "underlies",
    "die": "dies",
    "undergo": "undergoes",
    "echo": "echoes",
    "have": "has",
    "do": "does",
    "be": "is",
}


@each_row(("base", "third"), FORMS.items())
def test_forms_are_spelt_right_both_ways(base: str, third: str) -> None:
    assert verbs.third_person(base) == third
    assert verbs.base_form(third) == base


def test_each_known_verb_comes_back_from_its_third_person() -> None:
    assert [base for base in verbs.KNOWN if verbs.base_form(verbs.third_person(base)) != base] == []


@each_row(
    ("third", "base"),
    [
        ("downregulates", "downregulate"),
        ("co-activates", "co-activate"),
        ("humanizes", "humanize"),
        ("dehumidifies", "dehumidify"),
        ("confesses", "confess"),
        ("lathers", "lather"),
    ],
)
def test_verbs_in_no_list_lose_their_ending(third: str, base: str) -> None:
    assert verbs.base_form(third) == base


def test_the_case_of_the_word_is_kept() -> None:
    assert [verbs.base_form(word) for word in ("Reduces", "REDUCES", "Is", "HAS")] == [
        "Reduce",
        "REDUCE",
        "Be",
        "HAVE",
    ]


@each_row("word", ["disease", "diseases", "outcomes", "income", "exercise2", "intermediate", "aspirin"])
def test_nouns_that_look_like_verbs_are_none(word: str) -> None:
    assert not verbs.is_possible(word)


@each_row("word", ["is", "are", "reduce", "reduces", "down-regulates", "phosphorylate", "galvanizes"])
def test_verbs_are_possible(word: str) -> None:
    assert verbs.is_possible(word)


def test_the_lists_do_not_contradict_each_other() -> None:
    assert not verbs.PLAIN & verbs.ALSO_NOUNS
    assert verbs.MOSTLY_VERBS <= verbs.ALSO_NOUNS
    assert verbs.PREPOSITIONS.keys() <= verbs.ALSO_NOUNS
    assert verbs.INTRANSITIVE <= verbs.PLAIN
