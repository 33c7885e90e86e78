"""Expanded questions: which names join which words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

pytest.importorskip("tantivy", reason="the extra search is not installed")

from anagnosis.searching.queries.tree import Phrase, Synonyms, Word
from anagnosis.searching.records.hits import ExpandedWords
from anagnosis.searching.synonyms.expansion import Expansion
from anagnosis.searching.synonyms.expansion import expand as expanded
from anagnosis.searching.synonyms.names import MOST_ADDED, key

NAMES = {
    "heart attack": ["Myocardial Infarction", "Infarction, Myocardial", "Acute Myocardial Infarction"],
    "myocardial infarction": ["Heart Attack", "Heart Attacks"],
    "heart": ["cardiac muscle pump"],
    "attack": ["assault"],
    "cold": [],
    "anaemia": ["lack of haemoglobin"],
    "IL-6": ["interleukin-6", "IL 6"],
}

ALL = 1000


def expand(
    text: str,
    *without: str,
    counts: Mapping[str, int] | None = None,
    names: Mapping[str, Sequence[str]] = NAMES,
) -> Expansion:
    """counts: passages with a word, 10 for others."""
    table, keys = counts or {}, {key(name): others for name, others in names.items()}
    return expanded(
        [text],
        lambda words: keys.get(key(words)),
        lambda words: [table.get(word, 10) for word in words],
        ALL,
        without,
    )[text]


def test_the_words_of_all_texts_are_counted_at_once() -> None:
    asked = list[Sequence[str]]()

    def frequency(words: Sequence[str]) -> list[int]:
        asked.append(words)
        return [10] * len(words)

    each = expanded(["haemoglobin", "tumour", "tumours"], lambda words: None, frequency, ALL)
    assert [one.shown[0].words for one in each.values()] == ["haemoglobin", "tumour", "tumours"]
    assert len(asked) == 1


def test_the_longest_name_becomes_a_group_that_has_the_words_apart_too() -> None:
    typed = (Word("heart"), Word("attack"))
    assert expand("stress after a heart attack").ranked == (
        Word("stress"),
        Word("after"),
        Synonyms((Phrase(("heart", "attack")), Phrase(("myocardi", "infarct"))), typed),
    )


def test_both_names_give_the_same_group_but_for_the_words_apart() -> None:
    first, second = (expand(name).ranked[0] for name in ("heart attacks", "Myocardial infarction"))
    assert isinstance(first, Synonyms)
    assert isinstance(second, Synonyms)
    assert first.members == second.members
    assert first.typed != second.typed


def test_a_name_that_holds_another_and_one_in_another_order_add_nothing() -> None:
    (shown,) = expand("heart attack").shown
    assert expand("a heart attack after a heart attack").shown == (shown,)
    assert shown == ExpandedWords("heart attack", ("Myocardial Infarction",))


def test_two_letters_are_a_name_and_one_is_none() -> None:
    names = {"MI": ["heart attack"], "K": ["potassium"]}
    assert expand("MI and K", names=names).shown == (ExpandedWords("MI", ("heart attack",)),)


def test_words_with_other_words_between_them_are_no_name() -> None:
    groups = expand("heart, attack").shown
    assert [(group.words, group.added[0]) for group in groups] == [
        ("heart", "cardiac muscle pump"),
        ("attack", "assault"),
    ]


def test_a_name_without_a_name_to_add_hides_shorter_ones() -> None:
    expansion = expand("cold", names={"cold": [], "heart attack": [], "heart": ["pump"]})
    assert (expansion.shown, expansion.ranked) == ((), (Word("cold"),))
    assert expand("heart attack", names={"heart attack": [], "heart": ["pump"]}).shown == ()


def test_two_spellings_are_one_word() -> None:
    expansion = expand("tumour growth")
    members = Word("tumor"), Word("tumour")
    assert expansion.ranked == (Synonyms(members, members[1:]), Word("growth"))
    assert expansion.shown == (ExpandedWords("tumour", ("tumor",)),)
    assert expand("tumor growth").ranked == (Synonyms(members, members[:1]), Word("growth"))


def test_a_spelling_that_the_index_does_not_have_is_left_out() -> None:
    assert expand("tumour growth", counts={"tumor": 0}).ranked == (Word("tumour"), Word("growth"))


def test_words_of_a_group_and_its_names_have_their_spellings() -> None:
    (group,) = expand("anaemia").ranked
    assert isinstance(group, Synonyms)
    assert group.typed == (Word("anaemia"),)
    assert Word("anemia") in group.members
    assert Phrase(("lack", "of", "hemoglobin")) in group.members
    assert Phrase(("lack", "of", "haemoglobin")) in group.members


def test_a_name_that_is_too_common_is_not_expanded() -> None:
    common = {"myocardi": ALL // 4 + 1, "infarct": ALL // 4 + 1}
    assert expand("heart attack", counts=common).shown == ()
    assert expand("heart attack", counts={**common, "infarct": ALL // 4}).shown != ()


def test_the_commonest_names_join_the_group() -> None:
    names = {"pump": [f"xq{letter}q" for letter in "abcdefghijklmn"]}
    counts = {f"xq{letter}q": number + 1 for number, letter in enumerate("abcdefghijklmn")}
    (shown,) = expand("pump", counts=counts, names=names).shown
    assert [one[2] for one in shown.added] == list("nmlkjihgfedcba")[:MOST_ADDED]


def test_a_name_with_a_number_is_found_with_and_without_hyphen() -> None:
    (group,) = expand("il-6").ranked
    assert isinstance(group, Synonyms)
    assert group.members == (Phrase(("il", "6")), Word("il6"), Word("interleukin6"))
    assert expand("il-6").shown[0].added == ("interleukin-6",)


@pytest.mark.parametrize("without", ["myocardial infarction", "Myocardial infarctions", "heart attack"])
def test_a_name_that_the_user_removes_is_not_added(without: str) -> None:
    assert expand("heart attack", without).ranked == (Word("heart"), Word("attack"))


@pytest.mark.parametrize("without", ["Tumor", "tumour"])
def test_a_spelling_that_the_user_removes_is_not_added(without: str) -> None:
    assert expand("tumour", without).ranked == (Word("tumour"),)


def test_equivalents_say_which_words_a_name_stands_for() -> None:
    first, second = expand("heart attack tumour").equivalents
    assert (first.words, first.names) == (frozenset(["heart", "attack"]), (("myocardi", "infarct"),))
    assert (second.words, second.names) == (frozenset(["tumour"]), (("tumor",),))


def test_a_text_without_words_has_no_parts() -> None:
    assert expand("…").ranked == ()
