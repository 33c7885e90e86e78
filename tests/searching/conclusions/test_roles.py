"""What a sentence compares with, what it adds to what, and the roles of a question."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.searching.conclusions.roles import (
    LONGEST,
    additions,
    compared_with,
    has_roles,
    roles_of,
)
from anagnosis.searching.sentences.overlap import AskedWords, topic_words


@each_row(
    ("sentence", "compared"),
    [
        ("Tea, compared with salted broth, helped.", ["salted broth"]),
        ("Tea helped more than in those with coffee in adults.", ["in those with coffee"]),
        ("Tea was superior to milk; broth was not inferior to cider.", ["milk", "cider"]),
        ("Tea had an advantage over milk.", ["milk"]),
        ("Over ten years tea helped; the lid lay over the pot.", []),
        ("More than 50 adults drank tea rather than milk.", []),
        ("Means other than tea helped.", []),
        ("Tea vs. milk: who wins?", ["milk"]),
        ("Tea was better than", []),
        ("than " + "word " * 20, ["word " * (LONGEST - 1) + "word"]),
    ],
)
def test_a_comparison_reaches_to_a_sign_or_a_word_that_ends_it(sentence: str, compared: list[str]) -> None:
    assert [sentence[begin:end].strip() for begin, end in compared_with(sentence)] == compared


@given(st.text(max_size=200))
def test_places_lie_in_any_text(sentence: str) -> None:
    assert all(0 <= begin < end <= len(sentence) for begin, end in compared_with(sentence))
    assert all(len(added) + len(to) <= len(sentence) for added, to in additions(sentence))


ADDED, COMPARED = True, False


def asked(question: str) -> AskedWords:
    return AskedWords(dict.fromkeys(topic_words(question), 1.0), question=question)


@each_row(
    ("question", "roles"),
    [
        ("Does adding metformin to insulin improve glycaemic control?", ("metformin", "insulin", ADDED)),
        ("Does the addition of ezetimibe to a statin lower LDL cholesterol?", ("ezetimib", "statin", ADDED)),
        ("Does rituximab added to chemotherapy prolong survival?", ("rituximab", "chemotherapi", ADDED)),
        ("Does metformin as an add-on to insulin reduce weight?", ("metformin", "insulin", ADDED)),
        ("Does exercise in addition to diet reduce weight?", ("exercis", "diet", ADDED)),
        ("Is tea plus milk better than milk alone?", ("tea", "milk", ADDED)),
        ("Is fentanyl added to bupivacaine better than bupivacaine alone?", ("fentanyl", "bupivacain", ADDED)),
        ("Does tea with or without milk help?", ("milk", "tea", ADDED)),
        ("Is tea plus water better than coffee plus water?", ("tea", "coffe", COMPARED)),
        ("Does metformin compared with insulin reduce weight?", ("metformin", "insulin", COMPARED)),
        ("Does metformin reduce weight compared with insulin?", ("metformin", "insulin", COMPARED)),
        ("In women with fever, is tea better than broth for sleep?", ("tea", "broth", COMPARED)),
        ("Is laparoscopic appendectomy better than open appendectomy?", ("laparoscop", "open", COMPARED)),
        ("Is tea safer than broth?", ("tea", "broth", COMPARED)),
        ("Does gabapentin versus placebo reduce pain?", None),
        ("Does tea plus milk help?", None),
        ("Does tea help?", None),
        ("", None),
    ],
)  # fmt: skip
def test_a_question_has_the_roles_that_it_states(question: str, roles: tuple[str, str, bool] | None) -> None:
    found = roles_of(asked(question))
    expected = (frozenset({roles[0]}), frozenset({roles[1]}), roles[2]) if roles else None
    assert found == expected


INTO_INSULIN = "Does adding metformin to insulin improve glycaemic control?"
VERSUS_INSULIN = "Does metformin compared with insulin improve glycaemic control?"


@each_row(
    ("question", "sentences", "has"),
    [
        (INTO_INSULIN, ["Adding metformin to insulin improved control."], True),
        (INTO_INSULIN, ["Metformin (500 mg) was added to insulin."], True),
        (INTO_INSULIN, ["Insulin with or without metformin was given."], True),
        (INTO_INSULIN, ["Metformin in combination with insulin improved control."], True),
        (INTO_INSULIN, ["Metformin and insulin were given."], True),
        (INTO_INSULIN, ["Adding insulin to metformin improved control."], False),
        (INTO_INSULIN, ["Metformin and insulin.", "Randomised addition of basal insulin."], False),
        (INTO_INSULIN, ["Metformin and insulin.", "Dapagliflozin was added to metformin alone."], False),
        (INTO_INSULIN, ["Metformin and insulin.", "Add-on therapy with insulin glargine."], False),
        (INTO_INSULIN, ["Metformin improved control in comparison with insulin."], False),
        (INTO_INSULIN, ["Adding insulin to metformin.", "Adding metformin to insulin."], True),
        (INTO_INSULIN, ["Metformin improved control.", "Insulin did not."], False),
        (VERSUS_INSULIN, ["Control was better with insulin than with metformin."], True),
        (VERSUS_INSULIN, ["Metformin improved control more than placebo.", "Insulin is old."], False),
        (VERSUS_INSULIN, [], False),
    ],
)  # fmt: skip
def test_a_paper_has_the_roles_unless_it_states_others_alone(
    question: str, sentences: list[str], has: bool
) -> None:
    roles = roles_of(asked(question))
    assert roles is not None
    assert has_roles(roles, sentences, asked(question)) is has


@each_row(
    ("sentence", "added", "to"),
    [
        ("We studied adding green tea to salted broth in adults.", "green tea", "salted broth"),
        ("The addition of tea, milk or salt to broth helped.", "tea", ""),
        ("The addition of tea and salt to broth helped.", "tea and salt", "broth helped"),
        ("Tea was added to broth.", "Tea", "broth"),
        ("We gave tea as an adjunctive therapy to broth.", "We gave tea", "broth"),
        ("It helped when tea was added.", "tea", ""),
        ("Broth with or without tea was given.", "tea", "Broth"),
        ("Tea plus milk.", "", ""),
        ("Tea (5 g) was added to [hot] broth.", "Tea", "broth"),
        ("Adding", "", ""),
        ("It was added to broth: the tea.", "It", "broth"),
        ("(Then) added to broth.", "", ""),
        ("tea " * 50 + "added to " + "broth " * 50, "tea " * LONGEST, "broth " * LONGEST),
    ],
)  # fmt: skip
def test_an_addition_reaches_as_far_as_a_comparison(sentence: str, added: str, to: str) -> None:
    assert additions(sentence) == ([(added.strip(), to.strip())] if added else [])
