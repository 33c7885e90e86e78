"""BASE4 of BioRead on instances worked by hand, and against its plain formula."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.readers.heuristics.untrained import ngram_occurrences

PASSAGE = "@entity1 lowers pain and @entity2 lowers pain ; drug @entity2 lowers"


@each_row(
    ("question", "n", "scores"),
    [
        # drug E (0, 1) and E lowers (1, 2)
        ("drug XXXX lowers pain", 2, [1, 3]),
        # drug E lowers (0, 1) and E lowers pain (1, 1)
        ("drug XXXX lowers pain", 3, [1, 2]),
        # drug E lowers pain
        ("drug XXXX lowers pain", 4, [0, 0]),
        # the question has four tokens
        ("drug XXXX lowers pain", 5, [0, 0]),
        ("drug XXXX", 2, [0, 1]),
        ("XXXX lowers", 2, [1, 2]),
        ("XXXX Lowers", 2, [0, 0]),
        ("XXXX", 2, [0, 0]),
        # an entity beside the placeholder has to be that entity
        ("XXXX lowers pain and @entity2", 5, [1, 0]),
        ("XXXX lowers pain and @entity1", 5, [0, 0]),
    ],
)
def test_occurrences_are_counted_as_by_hand(
    question: str, n: int, scores: list[float], replaced: Callable[..., ClozeInstance]
) -> None:
    assert ngram_occurrences(replaced(PASSAGE, question), n=n) == scores


def test_two_extracted_ngrams_that_become_equal_count_twice(replaced: Callable[..., ClozeInstance]) -> None:
    assert ngram_occurrences(replaced("@entity1 @entity1 .", "@entity1 XXXX @entity1")) == [2]


def test_without_being_told_bigrams_are_taken(replaced: Callable[..., ClozeInstance]) -> None:
    instance = replaced(PASSAGE, "drug XXXX lowers pain")
    assert ngram_occurrences(instance) == ngram_occurrences(instance, n=2)


def plain_formula(passage: list[str], question: list[str], entity: str, n: int) -> int:
    """Section 3 to the letter, on strings."""

    def grams(text: list[str]) -> list[list[str]]:
        return [text[i : i + n] for i in range(len(text) - n + 1)]

    asked = [
        [entity if token == "XXXX" else token for token in gram] for gram in grams(question) if "XXXX" in gram
    ]
    return sum(grams(passage).count(gram) for gram in asked)


WORDS = st.sampled_from(["a", "b", "@entity0", "@entity1"])


@given(
    passage=st.lists(WORDS, max_size=14),
    left=st.lists(WORDS, max_size=3),
    right=st.lists(WORDS, max_size=3),
    n=st.integers(2, 6),
)
def test_ngram_occurrences_is_the_papers_formula(
    replaced: Callable[..., ClozeInstance], passage: list[str], left: list[str], right: list[str], n: int
) -> None:
    keys = ["@entity0", "@entity1"]
    question = [*left, "XXXX", *right]
    instance = replaced(" ".join(passage), " ".join(question), None, keys)
    assert ngram_occurrences(instance, n=n) == [plain_formula(passage, question, key, n) for key in keys]
