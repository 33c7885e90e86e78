"""A snippet and a question as one cloze question over the snippet's words."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.datasets.kinds.question import QuestionInstance, Snippet
from anagnosis.errors import InputError
from anagnosis.language.tags import words
from anagnosis.readers.answers.cloze_passages import (
    TOKENS,
    ClozePassage,
    Entity,
    Gap,
    candidate_entities,
    cloze_passage,
    entities_by,
    with_gap,
    without_overlaps,
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
    ],
)
def test_the_gap_is_where_the_option_puts_it(gap: Gap, question: str, text: str) -> None:
    made = with_gap(question, gap)
    assert made.text == text
    assert made.gap == text.index("XXXX")


@given(st.text(max_size=60), st.sampled_from(get_args(Gap)))
def test_the_offset_is_that_of_a_gap(question: str, gap: Gap) -> None:
    made = with_gap(question, gap)
    assert made.text.startswith("XXXX", made.gap)


def test_a_question_that_holds_the_gaps_letters_keeps_them() -> None:
    assert with_gap("What is XXXX?", "end").gap == len("What is XXXX? ")
    assert with_gap("What is XXXX?", "start").gap == 0


ADDRESS = "http://www.ncbi.nlm.nih.gov/pubmed/"
ABSTRACT = "Gefitinib is a drug. Gefitinib blocks EGFR in lung cancer."
PUBTATOR = f"""7|t|A title.
7|a|{ABSTRACT}
7\t9\t18\tGefitinib\tChemical\tMESH:D000077156
7\t30\t39\tGefitinib\tChemical\tMESH:D000077156
7\t47\t51\tEGFR\tGene\t1956
7\t55\t66\tlung cancer\tDisease\t-

"""


def snippet(text: str, begin: int | None = None, pmid: str = "7") -> Snippet:
    return Snippet(ADDRESS + pmid, "abstract", begin, "abstract", None, text)


def named(made: list[Entity], text: str) -> list[tuple[str, str]]:
    return [(text[entity.begin : entity.end], entity.key) for entity in made]


def questions(*snippets: Snippet) -> list[QuestionInstance]:
    return [QuestionInstance("q", "factoid", "What?", snippets=snippets)]


def test_none_has_none() -> None:
    assert entities_by("none", ())(snippet("EGFR binds EGF.")) == []


def test_candidates_are_whole_phrases_and_equal_names_are_one_entity() -> None:
    text = "The EGFR kinases bind EGF. An EGFR kinase is a target."
    made = candidate_entities(snippet(text))
    assert named(made, text) == [
        ("EGFR kinases", "egfrkinase"),
        ("EGF", "egf"),
        ("EGFR kinase", "egfrkinase"),
        ("target", "target"),
    ]


def test_of_overlapping_ones_the_longest_stays_then_the_first() -> None:
    places = [
        Entity(0, 4, "a"),
        Entity(3, 9, "b"),
        Entity(9, 12, "c"),
        Entity(10, 13, "d"),
        Entity(8, 9, "e"),
    ]
    assert without_overlaps(places) == [Entity(3, 9, "b"), Entity(9, 12, "c")]


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 6)), max_size=8))
def test_none_overlap_and_none_that_fits_is_missing(rows: list[tuple[int, int]]) -> None:
    every = [Entity(begin, begin + length, "") for begin, length in rows]
    kept = without_overlaps(every)
    assert all(one.end <= other.begin for one, other in pairwise(kept))
    assert all(any(one.begin < other.end and other.begin < one.end for other in kept) for one in every)


@pytest.fixture
def file(tmp_path: Path) -> str:
    (tmp_path / "mentions.pubtator").write_text(PUBTATOR)
    return str(tmp_path / "mentions.pubtator")


def test_a_files_mentions_are_those_of_the_snippets_place(file: str) -> None:
    text = "Gefitinib blocks EGFR in lung cancer."
    asked = snippet(text, begin=21)
    made = entities_by(file, questions(asked))(asked)
    assert named(made, text) == [
        ("Gefitinib", "MESH:D000077156"),
        ("EGFR", "1956"),
        ("lung cancer", "cancerlung"),
    ]


def test_a_wrong_offset_is_searched_and_a_cut_mention_is_left_out(file: str) -> None:
    asked = snippet("blocks EGFR in lung", begin=3)
    assert named(entities_by(file, questions(asked))(asked), asked.text) == [("EGFR", "1956")]


def test_snippets_without_mentions_are_counted(file: str, capfd: pytest.CaptureFixture[str]) -> None:
    asked = [snippet("EGFR"), snippet("EGFR", pmid="8"), snippet("KRAS"), snippet("KRAS", pmid="9")]
    entities = entities_by(file, questions(*asked))
    assert [len(entities(each)) for each in asked] == [1, 0, 0, 0]
    message = "mentions.pubtator: 2 of 4 snippets are from documents that it lacks, 1 do not occur in their documents"
    assert message in capfd.readouterr().err


def test_an_unknown_source_is_refused() -> None:
    with pytest.raises(InputError, match="unknown source of mentions 'candidate'; did you mean candidates"):
        entities_by("candidate", ())
    with pytest.raises(InputError, match=r"none\.txt"):
        entities_by("/tmp/there-is/none.txt", ())
