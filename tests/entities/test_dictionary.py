"""The longest names, leftmost first, and each rule with what it changes."""

from __future__ import annotations

import pickle
from collections import Counter

import pytest

from anagnosis.entities.annotated import mentions
from anagnosis.entities.concepts import Concept
from anagnosis.entities.dictionary import RULES, Dictionary
from tests.rows import each_row


def dictionary(*names: str, without: str = "") -> Dictionary:
    """One concept for each name, C0, C1, …; names of one concept are parted by |."""
    concepts = [Concept(f"C{n}", each.split("|")[0], tuple(each.split("|"))) for n, each in enumerate(names)]
    return Dictionary(concepts, set(RULES) - {without})


def hits(text: str, names: Dictionary) -> list[tuple[str, str]]:
    return [(mention.text, mention.identifier) for mention in mentions(text, names, Counter())]


@each_row(
    ("names", "text", "found"),
    [
        # the longest name, then the leftmost
        (
            ["lung", "lung cancer", "cancer cell line", "cell line"],
            "Lung cancer cell line of the lung.",
            "Lung cancer=C1, cell line=C3, lung=C0",
        ),
        (["heart attack", "heart attack risk"], "a heart attack risk", "heart attack risk=C1"),
        (["heart attack risk", "heart attack"], "a heart attack", "heart attack=C1"),
        (["acute renal failure", "acute", "renal pain"], "acute renal pain", "acute=C1, renal pain=C2"),
        # none inside a word, over a line or a full stop
        (["heart attack"], "heartattack heart. Attack heart\nattack", ""),
        (["3"], "all 3 of them", ""),
        # short forms keep their case, but for a plural's s, and win over names that are equal in another case or number
        (["AIDS"], "It aids AIDS and Aids.", "AIDS=C0"),
        (["NSAID"], "NSAIDs, NSAID and NSAIDS.", "NSAIDs=C0, NSAID=C0"),
        (["AIDS", "Hearing aid|aid"], "AIDS, an aid, aids and Aid", "AIDS=C0, aid=C1, aids=C1, Aid=C1"),
        (["Hearing aid|aid", "AIDS"], "AIDS, an aid, aids and Aid", "AIDS=C1, aid=C0, aids=C0, Aid=C0"),
        (["Catalase|CAT", "cat"], "CAT, CATs, cat, cats, Cat", "CAT=C0, CATs=C0, cat=C1, cats=C1, Cat=C1"),
        # an adjective that is a name itself keeps its concept, and some names have none
        (["Epilepsy", "epileptic"], "epileptic", "epileptic=C1"),
        (["Apoptosis"], "apoptotic cells", ""),
        (["Toxicity"], "toxic cells", ""),
        (["Pulmonary hypertension"], "pulmonary hypertensive cells", ""),
        # a defined short form is its long form everywhere
        (
            ["Chronic heart failure"],
            "CHF was common. Chronic heart failure (CHF) and CHFs, but not CHFX.",
            "CHF=C0, Chronic heart failure=C0, CHF=C0, CHF=C0",
        ),
        (["CP"], "CP is old.", "CP=C0"),
        (["heart attack"], "α-blockers 𝒳 heart attacks", "heart attacks=C0"),
    ],
)
def test_the_mentions_of_a_text(names: list[str], text: str, found: str) -> None:
    assert ", ".join(f"{words}={concept}" for words, concept in hits(text, dictionary(*names))) == found


@each_row(
    ("rule", "name", "text"),
    [
        ("plurals", "Kidney Disease", "kidney diseases"),
        ("plurals", "Neurosis", "neuroses"),
        ("hyphens", "Beta-Blocker", "beta blocker"),
        ("hyphens", "Beta Blocker", "beta\u2010blocker"),
        ("possessives", "Parkinson Disease", "Parkinson's disease"),
        ("greek_letters", "Interferon alpha", "interferon α"),
        ("inverted_forms", "Abdomen, Acute", "acute abdomen"),
        ("qualifiers", "Heart attack (disorder)", "heart attack"),
        ("adjectives", "Hypertension", "hypertensive"),
        ("adjectives", "Obesity", "obese"),
    ],
)
def test_a_rule_makes_two_forms_equal(rule: str, name: str, text: str):
    assert hits(f"An {text} here", dictionary(name)) == [(text, "C0")]
    assert hits(f"An {text} here", dictionary(name, without=rule)) == []


@each_row(
    ("rule", "name", "text", "without", "all"),
    [
        ("short_forms", "AIDS", "It aids AIDS and Aids.", 3, 1),
        ("general_names", "Syndrome", "a syndrome", 1, 0),
        ("defined_short_forms", "Chronic heart failure", "chronic heart failure (CHF), CHF", 1, 3),
    ],
)
def test_a_rule_can_be_switched_off(rule: str, name: str, text: str, without: int, all: int) -> None:
    assert len(hits(text, dictionary(name))) == all
    assert len(hits(text, dictionary(name, without=rule))) == without


def test_a_short_form_and_a_name_that_both_fit_exactly_have_both_concepts() -> None:
    counts = Counter[str]()
    names = dictionary("Moabs|Antibodies", "Antibody|MoAbs", "MoAb")
    assert [match.rows for match in names.matches("MoAbs")] == [(1, 2)]
    for name in ("NSAID", "heart attack"):
        assert [match.rows for match in dictionary(f"{name}|{name}", name).matches(f"An {name}.")] == [(0, 1)]
    assert [mention.identifier for mention in mentions("MoAbs and MoAb", names, counts)] == ["C1", "C2"]
    assert counts["several_identifiers"] == 1


@pytest.mark.parametrize("name", ["a", "A", " k", "C.", "(a)", "α"])
def test_a_name_of_one_letter_is_left_out_and_counted(name: str) -> None:
    names = dictionary(name, "K+", "vitamin A")
    assert hits("a vitamin A, K (a) and K+, C. α", names) == [("vitamin A", "C2"), ("K+", "C1")]
    assert names.general == 1


def test_a_short_form_that_the_text_defines_as_something_else_is_no_match():
    counts = Counter[str]()
    text = "Colour printing (CP) helps; CP is old."
    assert list(mentions(text, dictionary("CP"), counts)) == []
    assert counts["short_forms_of_others"] == 2


def test_of_several_concepts_the_one_with_that_preferred_name_counts():
    counts = Counter[str]()
    names = dictionary("Cold temperature|Cold", "Cold", "Lung disease|COLD")
    (mention,) = mentions("a cold", names, counts)
    assert (mention.identifier, mention.name) == ("C1", "Cold")
    assert counts["several_identifiers"] == 1


def test_another_process_gets_the_same_dictionary():
    made = dictionary("Heart Failure", "MS", "Abdomen, Acute", without="plurals")
    read: Dictionary = pickle.loads(pickle.dumps(made))
    assert (read.rules, read.concepts) == (made.rules, made.concepts)
    text = "Heart failure, MS, ms and acute abdomens, acute abdomen."
    assert list(read.matches(text)) == list(made.matches(text)) != []
