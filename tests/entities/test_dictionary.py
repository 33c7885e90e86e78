"""The longest names, leftmost first, and each rule with what it changes."""

from __future__ import annotations

import pickle
from collections import Counter

import pytest

from anagnosis.entities.annotated import mentions
from anagnosis.entities.concepts import Concept
from anagnosis.entities.dictionary import RULES, Dictionary
from anagnosis.errors import InputError
from tests.rows import each_row


def dictionary(*names: str, without: str = "") -> Dictionary:
    """One concept for each name, C0, C1, …; names of one concept are parted by |."""
    concepts = [Concept(f"C{n}", each.split("|")[0], tuple(each.split("|"))) for n, each in enumerate(names)]
    return Dictionary(concepts, set(RULES) - {without})


def hits(text: str, names: Dictionary) -> list[tuple[str, str]]:
    return [(mention.text, mention.identifier) for mention in mentions(text, names, Counter())]


def test_the_longest_name_wins_and_then_the_leftmost():
    names = dictionary("lung", "lung cancer", "cancer cell line", "cell line")
    assert hits("Lung cancer cell line of the lung.", names) == [
        ("Lung cancer", "C1"),
        ("cell line", "C3"),
        ("lung", "C0"),
    ]
    for order in (("heart attack", "heart attack risk"), ("heart attack risk", "heart attack")):
        assert [text for text, _ in hits("a heart attack risk", dictionary(*order))] == ["heart attack risk"]
        assert [text for text, _ in hits("a heart attack", dictionary(*order))] == ["heart attack"]


def test_a_longer_name_that_does_not_fit_gives_way_to_a_shorter_one():
    assert hits("acute renal pain", dictionary("acute renal failure", "acute", "renal pain")) == [
        ("acute", "C1"),
        ("renal pain", "C2"),
    ]


def test_no_name_inside_a_word_or_over_a_line_or_a_full_stop():
    assert hits("heartattack heart. Attack heart\nattack", dictionary("heart attack")) == []


@each_row(
    ("rule", "name", "text"),
    [
        ("plurals", "Kidney Disease", "kidney diseases"),
        ("plurals", "Deficiencies", "deficiency"),
        ("plurals", "Neurosis", "neuroses"),
        ("hyphens", "Beta-Blocker", "beta blocker"),
        ("hyphens", "Beta Blocker", "beta\u2010blocker"),
        ("possessives", "Parkinson Disease", "Parkinson's disease"),
        ("greek_letters", "Interferon alpha", "interferon α"),
        ("inverted_forms", "Abdomen, Acute", "acute abdomen"),
        ("qualifiers", "Heart attack (disorder)", "heart attack"),
        ("adjectives", "Hypertension", "hypertensive"),
        ("adjectives", "thrombosis", "Thrombotic"),
        ("adjectives", "Ischaemia", "ischaemic"),
        ("adjectives", "Obesity", "obese"),
    ],
)
def test_a_rule_makes_two_forms_equal(rule: str, name: str, text: str):
    assert hits(f"An {text} here", dictionary(name)) == [(text, "C0")]
    assert hits(f"An {text} here", dictionary(name, without=rule)) == []


def test_short_forms_keep_their_case():
    names = dictionary("AIDS")
    assert hits("It aids AIDS and Aids.", names) == [("AIDS", "C0")]
    assert len(hits("It aids AIDS and Aids.", dictionary("AIDS", without="short_forms"))) == 3


def test_a_short_form_has_a_plural_with_a_small_s() -> None:
    assert hits("NSAIDs, NSAID and NSAIDS.", dictionary("NSAID")) == [("NSAIDs", "C0"), ("NSAID", "C0")]


@pytest.mark.parametrize("names", [("AIDS", "Hearing aid|aid"), ("Hearing aid|aid", "AIDS")])
def test_a_short_form_in_its_spelling_wins_over_a_name_that_is_equal_in_other_case_or_number(
    names: tuple[str, str],
) -> None:
    aids, aid = (f"C{names.index(name)}" for name in ("AIDS", "Hearing aid|aid"))
    assert hits("AIDS, an aid, aids and Aid", dictionary(*names)) == [
        ("AIDS", aids),
        ("aid", aid),
        ("aids", aid),
        ("Aid", aid),
    ]
    enzyme = dictionary("Catalase|CAT", "cat")
    assert hits("CAT, CATs, cat, cats, Cat", enzyme) == [
        ("CAT", "C0"),
        ("CATs", "C0"),
        ("cat", "C1"),
        ("cats", "C1"),
        ("Cat", "C1"),
    ]


def test_a_short_form_and_a_name_that_both_fit_exactly_have_both_concepts() -> None:
    counts = Counter[str]()
    names = dictionary("Moabs|Antibodies", "Antibody|MoAbs", "MoAb")
    assert [match.rows for match in names.matches("MoAbs")] == [(1, 2)]
    assert [mention.identifier for mention in mentions("MoAbs and MoAb", names, counts)] == ["C1", "C2"]
    assert counts["several_identifiers"] == 1


def test_a_name_of_several_concepts_has_the_rows_of_all_once() -> None:
    for name in ("NSAID", "heart attack"):
        names = dictionary(f"{name}|{name}", *[name] * 3)
        assert [match.rows for match in names.matches(f"An {name}.")] == [(0, 1, 2, 3)]


def test_a_rule_that_there_is_not_is_named() -> None:
    with pytest.raises(InputError, match="unknown rule of annotation 'plural'; did you mean plurals"):
        Dictionary([], ["plural"])


@pytest.mark.parametrize("name", ["a", "A", " k", "C.", "(a)", "α"])
def test_a_name_of_one_letter_is_left_out_and_counted(name: str) -> None:
    names = dictionary(name, "K+", "vitamin A")
    assert hits("a vitamin A, K (a) and K+, C. α", names) == [("vitamin A", "C2"), ("K+", "C1")]
    assert names.general == 1


def test_general_names_are_left_out():
    assert hits("a syndrome", dictionary("Syndrome")) == []
    assert hits("a syndrome", dictionary("Syndrome", without="general_names")) == [("syndrome", "C0")]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Apoptosis", "apoptotic"),
        ("Toxicity", "toxic"),
        ("Pulmonary hypertension", "pulmonary hypertensive"),
        ("Asthma", "asthmatic"),
    ],
)
def test_other_names_have_no_adjective(name: str, text: str):
    assert hits(f"{text} cells", dictionary(name)) == []


def test_an_adjective_that_is_a_name_itself_keeps_its_concept():
    for names in (("Epilepsy", "epileptic"), ("epileptic", "Epilepsy")):
        concept = f"C{names.index('epileptic')}"
        assert hits("epileptic", dictionary(*names)) == [("epileptic", concept)]


def test_an_adjective_of_two_names_has_both_concepts():
    (match,) = dictionary("Schizophrenia", "SCHIZOPHRENIA|x").matches("schizophrenic")
    assert match.rows == (0, 1)


def test_a_number_is_no_name():
    assert hits("all 3 of them", dictionary("3")) == []


def test_a_defined_short_form_is_its_long_form_everywhere():
    text = "CHF was common. Chronic heart failure (CHF) and CHFs, but not CHFX."
    names = dictionary("Chronic heart failure")
    assert hits(text, names) == [
        ("CHF", "C0"),
        ("Chronic heart failure", "C0"),
        ("CHF", "C0"),
        ("CHF", "C0"),
    ]
    assert hits(text, dictionary("Chronic heart failure", without="defined_short_forms")) == [
        ("Chronic heart failure", "C0")
    ]


def test_a_short_form_that_the_text_defines_as_something_else_is_no_match():
    counts = Counter[str]()
    text = "Colour printing (CP) helps; CP is old."
    assert list(mentions(text, dictionary("CP"), counts)) == []
    assert counts["short_forms_of_others"] == 2
    assert hits("CP is old.", dictionary("CP")) == [("CP", "C0")]


def test_of_several_concepts_the_one_with_that_preferred_name_counts():
    counts = Counter[str]()
    names = dictionary("Cold temperature|Cold", "Cold", "Lung disease|COLD")
    (mention,) = mentions("a cold", names, counts)
    assert (mention.identifier, mention.name) == ("C1", "Cold")
    assert counts["several_identifiers"] == 1


def test_offsets_count_characters_of_the_text():
    text = "α-blockers 𝒳 heart attacks"
    for mention in mentions(text, dictionary("heart attack"), Counter()):
        assert text[mention.start : mention.end] == mention.text == "heart attacks"
        break
    else:
        pytest.fail("no mention")


def test_another_process_gets_the_same_dictionary():
    made = dictionary("Heart Failure", "MS", "Abdomen, Acute", without="plurals")
    read: Dictionary = pickle.loads(pickle.dumps(made))
    assert (read.rules, read.concepts) == (made.rules, made.concepts)
    text = "Heart failure, MS, ms and acute abdomens, acute abdomen."
    assert list(read.matches(text)) == list(made.matches(text)) != []
