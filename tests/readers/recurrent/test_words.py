from __future__ import annotations

from pathlib import Path

import pytest
from tests.encoders.texts import named
from tests.rows import each_row

from anagnosis.datasets.kinds.cloze_views import Viewed
from anagnosis.readers.recurrent.inputs import collate, encode
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

BLANKS = Words("D", "blanks")


@each_row(
    ("way", "text", "words"),
    [
        # BIOMRC's expression.
        (Words(), "Effect of IL-2 (interleukin-2).", ["effect", "of", "il-2", "interleukin-2"]),
        (Words(), "single-agent", ["single-agent"]),
        (Words(), '"a/b\\c\'d"', ["abcd"]),
        (Words(), ": ; < = > ? @ [ ] { } ! % ^ & _ + * ( ) . ,", []),
        (Words(), "# $ ~ |", ["#", "$", "~", "|"]),
        (Words(), "p<0.05; (n=3)", ["p005", "n3"]),
        (Words(), "@entity5 alone", ["entity5", "alone"]),
        (Words(), "", []),
        # BioRead keeps punctuation; Table 2 of its paper.
        (BLANKS, "(100mg/kg, i.p.) of IL-2.", ["(DDDmg/kg,", "i.p.)", "of", "il-D."]),
        (BLANKS, "a \u00a0 b\t\nc ", ["a", "b", "c"]),
        (BLANKS, "p<0.05; 'n'", ["p<D.DD;", "'n'"]),
        (BLANKS, " ", []),
    ],
)
def test_words_are_cleaned_as_by_the_papers(way: Words, text: str, words: list[str]) -> None:
    assert way.of(text) == words


@each_row(
    ("way", "passage", "names", "tokens", "places"),
    [
        (
            Words("keep", "blanks"),
            "( @entity12 )-Induced x. @entity77,",
            ["@entity12"],
            ["(", "@entity12", ")-induced", "x.", "@entity77", ","],
            [(1, 0)],
        ),
        (
            Words("D"),
            "( @entity12 )-Induced x @entity3",
            ["@entity12", "@entity3"],
            ["@entity12", "-induced", "x", "@entity3"],
            [(0, 0), (3, 1)],
        ),
        # An entity that is no candidate is an entity still, and a surface of deleted characters only a mention.
        (Words(), "see @entity77 now", [], ["see", "@entity77", "now"], []),
        (Words(), "(+) x", ["(+)"], ["(+)", "x"], [(0, 0)]),
    ],
)
def test_mentions_are_tokens_of_their_own_whatever_stands_beside_them(
    way: Words, passage: str, names: list[str], tokens: list[str], places: list[tuple[int, int]]
) -> None:
    assert passage_tokens(named(passage, "XXXX", names), way) == (tokens, places)


def test_in_the_names_view_every_word_of_a_surface_is_the_candidate_s() -> None:
    text = "Breast cancer responds to aspirin but cancer of the breast"
    further = {"cancer of the breast": 0}
    tokens, places = passage_tokens(named(text, "XXXX", ["Breast cancer", "aspirin"], further=further))
    assert tokens == ["breast", "cancer", "responds", "to", "aspirin", "but", "cancer", "of", "the", "breast"]
    assert places == [(0, 0), (1, 0), (4, 1), (6, 0), (7, 0), (8, 0), (9, 0)]


def test_only_the_placeholder_s_own_xxxx_is_the_placeholder() -> None:
    viewed = named("x", "of XXXX and XXXX, @entity78-like", [], None)
    tokens, at = question_tokens(viewed)
    assert (tokens, at) == (["of", "XXXX", "and", "xxxx", "@entity78", "-like"], 1)
    at_blanks = named("x", "of XXXX XXXX,", [], None)
    assert question_tokens(at_blanks, Words("keep", "blanks")) == (["of", "XXXX", "xxxx,"], 1)
    assert Vocabulary(["xxxx"]).ids(tokens[:4]) == [UNKNOWN_WORD, PLACEHOLDER, UNKNOWN_WORD, 4]


def training() -> list[Viewed]:
    return [
        named("b a b c @entity2", "a XXXX", ["@entity2"]),
        named("b d @entity1 @entity1", "e XXXX", ["@entity1"]),
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


# --- batches of them -------------------------------------------------------------------------------

VOCABULARY = Vocabulary(["a", "b", "@entity1", "@entity2"])
LONG = named(
    "a @entity2 zzz @entity1 @entity2", "a XXXX zzz @entity2", ["@entity1", "@entity2"], 1, id="long"
)
SHORT = named("b", "XXXX", ["@entity9"], None, id="short")


def test_a_batch_is_padded_and_knows_where_each_candidate_stands() -> None:
    batch = collate([encode(LONG, VOCABULARY, [5, 6]), encode(SHORT, VOCABULARY)])
    assert batch.passage.tolist() == [[4, 7, 1, 6, 7], [5, 0, 0, 0, 0]]
    assert batch.question.tolist() == [[4, 3, 1, 7], [3, 0, 0, 0]]
    assert (batch.lengths.tolist(), batch.question_lengths.tolist()) == ([5, 1], [4, 1])
    assert batch.members.int().tolist() == [[[0, 0, 0, 1, 0], [0, 1, 0, 0, 1]], [[0] * 5, [0] * 5]]
    assert batch.candidates.tolist() == [[True, True], [True, False]]
    assert (batch.target.tolist(), batch.placeholder.tolist()) == ([1, -1], [1, 0])
    # zzz is unknown in both, and two unknown words need not be the same.
    assert batch.in_question.tolist() == [[True, True, False, False, True], [False] * 5]
    assert batch.labels.tolist() == [[5, 6], [0, 0]]


def test_nothing_at_all_is_a_batch_still() -> None:
    batch = collate([encode(named("", "XXXX", [], None), VOCABULARY)])
    assert (batch.passage.shape, batch.members.shape, batch.candidates.tolist()) == (
        (1, 1),
        (1, 1, 1),
        [[False]],
    )
