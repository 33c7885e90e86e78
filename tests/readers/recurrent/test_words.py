from __future__ import annotations

from pathlib import Path

import pytest
from tests.readers.recurrent.clozes import cloze, named_cloze
from tests.rows import each_row

from anagnosis.datasets.kinds.cloze_views import Viewed
from anagnosis.readers.recurrent.words import (
    PLACEHOLDER,
    UNKNOWN_ENTITY,
    UNKNOWN_WORD,
    Vocabulary,
    Words,
    count_words,
    passage_tokens,
    question_tokens,
)


@each_row(
    ("text", "words"),
    [
        ("Effect of IL-2 (interleukin-2).", ["effect", "of", "il-2", "interleukin-2"]),
        ("single-agent", ["single-agent"]),
        ('"a/b\\c\'d"', ["abcd"]),
        (": ; < = > ? @ [ ] { } ! % ^ & _ + * ( ) . ,", []),
        ("# $ ~ |", ["#", "$", "~", "|"]),
        ("p<0.05; (n=3)", ["p005", "n3"]),
        ("@entity5 alone", ["entity5", "alone"]),
        ("", []),
    ],
)
def test_words_are_cleaned_as_by_biomrc_s_expression(text: str, words: list[str]) -> None:
    assert Words().of(text) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("(100mg/kg, i.p.) of IL-2.", ["(DDDmg/kg,", "i.p.)", "of", "il-D."]),  # Table 2 of the BioRead paper
        ("a \u00a0 b\t\nc ", ["a", "b", "c"]),
        ("p<0.05; 'n'", ["p<D.DD;", "'n'"]),
        (" ", []),
    ],
)
def test_words_at_blanks_keep_their_punctuation_as_bioread_s(text: str, words: list[str]) -> None:
    assert Words("D", "blanks").of(text) == words


def test_mentions_are_tokens_at_blanks_too() -> None:
    viewed = cloze(
        ["(", ("@entity12", 0), ")-Induced", "x.", "@entity77,"], ["of", "XXXX", "XXXX,"], ["@entity12"], 0
    )
    tokens, places = passage_tokens(viewed, Words("keep", "blanks"))
    assert tokens == ["(", "@entity12", ")-induced", "x.", "@entity77", ","]
    assert places == [(1, 0)]
    assert question_tokens(viewed, Words("keep", "blanks")) == (["of", "XXXX", "xxxx,"], 1)


def test_mentions_are_tokens_of_their_own_whatever_stands_beside_them() -> None:
    viewed = cloze(
        ["(", ("@entity12", 0), ")-Induced", "x", ("@entity3", 1)],
        ["of", "XXXX"],
        ["@entity12", "@entity3"],
        0,
    )
    tokens, places = passage_tokens(viewed, Words("D"))
    assert tokens == ["@entity12", "-induced", "x", "@entity3"]
    assert places == [(0, 0), (3, 1)]


def test_an_entity_that_is_no_candidate_is_an_entity_still() -> None:
    viewed = cloze(["see", "@entity77", "now"], ["of", "XXXX", "@entity78-like"], [], None)
    assert passage_tokens(viewed)[0] == ["see", "@entity77", "now"]
    assert question_tokens(viewed) == (["of", "XXXX", "@entity78", "-like"], 1)


def test_in_the_names_view_every_word_of_a_surface_is_the_candidate_s() -> None:
    tokens, places = passage_tokens(named_cloze())
    assert tokens == ["breast", "cancer", "responds", "to", "aspirin", "but", "cancer", "of", "the", "breast"]
    assert places == [(0, 0), (1, 0), (4, 1), (6, 0), (7, 0), (8, 0), (9, 0)]


def test_a_surface_of_deleted_characters_only_is_a_mention_still() -> None:
    tokens, places = passage_tokens(cloze([("(+)", 0), "x"], ["XXXX"], ["(+)"], 0))
    assert (tokens, places) == (["(+)", "x"], [(0, 0)])


def test_only_the_placeholder_s_own_xxxx_is_the_placeholder() -> None:
    viewed = cloze(["x"], ["of", "XXXX", "and", "XXXX,"], [], None)
    tokens, at = question_tokens(viewed)
    assert (tokens, at) == (["of", "XXXX", "and", "xxxx"], 1)
    assert Vocabulary(["xxxx"]).ids(tokens) == [UNKNOWN_WORD, PLACEHOLDER, UNKNOWN_WORD, 4]


def training() -> list[Viewed]:
    return [
        cloze(["b", "a", "b", "c", ("@entity2", 0)], ["a", "XXXX"], ["@entity2"], 0),
        cloze(["b", "d", ("@entity1", 0), ("@entity1", 0)], ["e", "XXXX"], ["@entity1"], 0),
    ]


def test_the_most_frequent_words_come_first_equal_ones_by_the_alphabet() -> None:
    vocabulary = count_words(training())
    assert vocabulary.words == ["b", "@entity1", "a", "@entity2", "c", "d", "e"]
    assert len(vocabulary) == 11
    assert vocabulary.ids(["b", "zzz", "@entity9", "XXXX", "e"]) == [
        4,
        UNKNOWN_WORD,
        UNKNOWN_ENTITY,
        PLACEHOLDER,
        10,
    ]


def test_rare_words_are_unknown_and_only_so_many_are_kept() -> None:
    assert count_words(training(), threshold=2).words == ["b", "@entity1", "a"]
    assert count_words(training(), most=2).words == ["b", "@entity1"]
    assert count_words([]).words == []


@pytest.mark.parametrize("split", [Words("D"), Words("keep", "blanks")])
def test_a_vocabulary_comes_back_as_it_was(split: Words, tmp_path: Path) -> None:
    vocabulary = Vocabulary(["α", "b", "@entity1"], split)
    vocabulary.save(tmp_path)
    again = Vocabulary.restore(tmp_path)
    assert (again.words, again.split) == (vocabulary.words, split)
