"""A snippet and a question as one cloze question over the snippet's words."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.language.tags import words
from anagnosis.readers.answers.cloze_passages import (
    GAPS,
    TOKENS,
    ClozePassage,
    Entity,
    Gap,
    cloze_passage,
    with_gap,
)

SNIPPET = "Gefitinib blocks EGFR(egfr), in A549 cells. EGFR"
ENTITIES = (Entity(17, 21, "egfr"), Entity(22, 26, "egfr"), Entity(44, 48, "egfr"))


def made(
    view: str, question: str = "What blocks egfr in cells?", entities: tuple[Entity, ...] = ENTITIES
) -> ClozePassage:
    return cloze_passage("q:0", SNIPPET, words(SNIPPET), entities, with_gap(question, "end"), view)


def candidates(passage: ClozePassage) -> list[tuple[str, str]]:
    """(what stands at a mention, its candidate)."""
    viewed = passage.viewed
    return [(viewed.passage[begin:end], viewed.candidates[number]) for begin, end, number in viewed.mentions]


@pytest.mark.parametrize(
    ("view", "token"), [("local", "@entity0"), ("global", "@entity0"), ("marked", "@entityegfr")]
)
def test_an_entity_becomes_a_token_with_blanks_around(view: str, token: str) -> None:
    viewed = made(view).viewed
    assert viewed.passage == f"Gefitinib blocks {token} ( {token} ), in A549 cells. {token} "
    assert viewed.question == f"What blocks {token} in cells? XXXX"
    assert [viewed.question[begin:end] for begin, end, _ in viewed.question_mentions] == [token]
    assert viewed.question[slice(*viewed.placeholder)] == "XXXX"


def test_the_names_view_leaves_the_texts_as_they_are() -> None:
    viewed = made("names").viewed
    assert viewed.passage == SNIPPET
    assert viewed.question == "What blocks egfr in cells? XXXX"
    assert [viewed.question[begin:end] for begin, end, _ in viewed.question_mentions] == ["egfr"]


@pytest.mark.parametrize("view", ["local", "names"])
def test_every_word_is_a_candidate_and_those_of_an_entity_are_one(view: str) -> None:
    passage = made(view)
    # Words: Gefitinib, blocks, EGFR(egfr), ",", in, A549, cells, ".", EGFR.
    assert passage.candidate_of == (1, 2, 0, 3, 4, 5, 6, 7, 0)
    of_entity, others = candidates(passage)[2:4], [*candidates(passage)[:2], *candidates(passage)[4:-1]]
    assert {candidate for _, candidate in of_entity} == {passage.viewed.candidates[0]}
    assert others == [(word, word) for word in ("Gefitinib", "blocks", ",", "in", "A549", "cells", ".")]
    assert len(passage.viewed.mentions) == 3 + 7
    assert list(passage.viewed.mentions) == sorted(passage.viewed.mentions)


def test_the_names_are_those_of_the_snippet() -> None:
    viewed = made("local").viewed
    assert viewed.candidates[0] == "@entity0"
    assert viewed.names[:3] == (("EGFR",), ("Gefitinib",), ("blocks",))


def test_without_entities_every_word_is_one_mention_of_its_own() -> None:
    passage = made("local", entities=())
    assert passage.candidate_of == tuple(range(9))
    assert all(text == candidate for text, candidate in candidates(passage))
    assert passage.viewed.passage == SNIPPET


def test_the_gap_is_never_an_entity_and_the_longest_name_wins() -> None:
    snippet = "XXXX and mutant EGFR and EGFR"
    entities = (Entity(0, 4, "x"), Entity(9, 20, "mutant"), Entity(25, 29, "egfr"))
    passage = cloze_passage(
        "q", snippet, words(snippet), entities, with_gap("Is mutant EGFR?", "end"), "local"
    )
    assert passage.viewed.question == "Is @entity1 ? XXXX"


def test_a_part_of_a_word_in_the_question_is_no_entity() -> None:
    assert made("local", "What blocks EGFRvIII?").viewed.question == "What blocks EGFRvIII? XXXX"


def test_the_tokens_are_those_of_views_with_tokens() -> None:
    from anagnosis.datasets.kinds.cloze_views import VIEWS

    assert set(VIEWS) - set(TOKENS) == {"names", "both", "plain"}


@given(
    st.text("ab (.", max_size=30),
    st.lists(st.integers(0, 30), max_size=6),
    st.sampled_from(["local", "names"]),
)
def test_a_word_outside_entities_stands_at_its_mention(text: str, bounds: list[int], view: str) -> None:
    ordered = sorted({bound for bound in bounds if bound <= len(text)})
    entities = [
        Entity(begin, end, text[begin:end].strip())
        for begin, end in zip(ordered[::2], ordered[1::2], strict=False)
        if text[begin:end].strip()
    ]
    places = words(text)
    passage = cloze_passage("q", text, places, entities, with_gap("What?", "end"), view)
    viewed = passage.viewed
    known = len({entity.key for entity in entities})
    assert set(passage.candidate_of) >= set(range(known, len(viewed.candidates)))
    for begin, end, number in viewed.mentions:
        expected = (
            viewed.candidates[number] if number >= known or view == "local" else viewed.passage[begin:end]
        )
        assert viewed.passage[begin:end] == expected
    assert {number for _, _, number in viewed.mentions} >= set(passage.candidate_of)


QUESTION = "What is the target of gefitinib?"


@pytest.mark.parametrize(
    ("gap", "question", "text"),
    [
        ("end", QUESTION, "What is the target of gefitinib? XXXX"),
        ("end", f" {QUESTION} \n", " What is the target of gefitinib? XXXX"),
        ("start", QUESTION, "XXXX What is the target of gefitinib?"),
        ("start", f"\n{QUESTION}", "XXXX What is the target of gefitinib?"),
        ("statement", QUESTION, "The target of gefitinib is XXXX."),
    ],
)
def test_the_gap_is_where_the_option_puts_it(gap: Gap, question: str, text: str) -> None:
    made = with_gap(question, gap)
    assert made.text == text
    assert made.gap == text.index("XXXX")


def test_every_place_has_its_function() -> None:
    assert set(GAPS) == set(get_args(Gap))


@given(st.text(max_size=60), st.sampled_from(get_args(Gap)))
def test_the_offset_is_that_of_a_gap(question: str, gap: Gap) -> None:
    made = with_gap(question, gap)
    assert made.text.startswith("XXXX", made.gap)


def test_a_question_that_holds_the_gaps_letters_keeps_them() -> None:
    assert with_gap("What is XXXX?", "end").gap == len("What is XXXX? ")
    assert with_gap("What is XXXX?", "start").gap == 0
