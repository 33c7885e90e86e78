"""BASE1–4 of BIOMRC on instances worked by hand, and BASE4 against its plain formula."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row

from anagnosis.readers.heuristics.baselines import (
    first_entity,
    last_entity,
    most_frequent_entity,
    most_frequent_unless_alone,
    neighbour_overlap,
    random_candidate,
)
from anagnosis.readers.predict import tied

if TYPE_CHECKING:
    from collections.abc import Callable

    from anagnosis.datasets.kinds.cloze_instance import ClozeInstance

# passage → the tied answers of BASE1, BASE2, BASE3, BASE3+
BY_HAND = [
    ("@entity1 a @entity2 b @entity2 c @entity3", {1}, {3}, {2}, {1, 3}),
    ("@entity1 a @entity2 b @entity2 @entity1 c @entity3", {1}, {3}, {1, 2}, {1, 2}),
    ("@entity4 @entity4 @entity4 @entity1 @entity1 @entity2", {4}, {2}, {4}, {1}),
    ("a @entity5 b", {5}, {5}, {5}, {5}),
    ("@entity1 a @entity2 b @entity3", {1}, {3}, {1, 2, 3}, {1, 2, 3}),
]
READERS = (first_entity, last_entity, most_frequent_entity, most_frequent_unless_alone)


@each_row(("passage", "first", "last", "most", "unless_alone"), BY_HAND)
def test_the_tied_answers_are_those_found_by_hand(
    passage: str,
    first: set[int],
    last: set[int],
    most: set[int],
    unless_alone: set[int],
    replaced: Callable[..., ClozeInstance],
) -> None:
    instance = replaced(passage, "XXXX of a .")
    for reader, numbers in zip(READERS, (first, last, most, unless_alone), strict=True):
        assert {instance.candidates[index].number for index in tied(reader(instance))} == numbers


def test_the_order_of_the_candidates_makes_no_difference(replaced: Callable[..., ClozeInstance]) -> None:
    passage = "@entity1 x @entity2 y @entity2 z @entity3 ."
    keys = ["@entity1", "@entity2", "@entity3"]
    ahead, back = replaced(passage, "x XXXX y"), replaced(passage, "x XXXX y", None, keys[::-1])
    for reader in (*READERS, neighbour_overlap, random_candidate):
        assert reader(ahead) == reader(back)[::-1]


def test_a_candidate_without_a_mention_is_never_first_or_last_or_most_frequent(
    replaced: Callable[..., ClozeInstance],
) -> None:
    instance = replaced("a @entity2 b @entity1 c", "XXXX", None, ["@entity9", "@entity2", "@entity1"])
    assert first_entity(instance) == [-2, 0, -1]
    assert last_entity(instance) == [-1, 0, 1]
    assert most_frequent_entity(instance) == [0, 1, 1]


# Worked by hand, n = 3. Question trigram: XXXX lowers pain.
#   @entity1: the drug E | drug E lowers | E lowers pain       lowers 2, pain 1
#   @entity2: pain in E | in E while | E while @entity3 | fever in E | in E .       pain 1
#   @entity3: @entity2 while E | while E lowers | E lowers pain | E . end       lowers 2, pain 1
PASSAGE = "the drug @entity1 lowers pain in @entity2 while @entity3 lowers pain and fever in @entity2 ."


@each_row(
    ("question", "n", "scores"),
    [
        ("XXXX lowers pain in rats .", 3, [2, 1, 2]),
        ("XXXX lowers pain in rats .", 2, [1, 0, 1]),
        # XXXX lowers pain in: all three words are fewer than four tokens away from each entity
        ("XXXX lowers pain in rats .", 4, [3, 3, 3]),
        # the XXXX lowers: two bigrams at n = 2, one trigram and XXXX lowers pain at n = 3
        ("the XXXX lowers pain", 2, [1, 0, 1]),
        ("the XXXX lowers pain", 3, [3, 1, 2]),
        # case is kept, and a question of fewer tokens than n has no n-gram
        ("Lowers XXXX Pain", 3, [0, 0, 0]),
        ("XXXX lowers", 3, [0, 0, 0]),
        # entities beside the placeholder are tokens like others, but an entity is no neighbour of itself
        ("in @entity2 while XXXX", 3, [0, 1, 2]),
    ],
)
def test_neighbours_are_counted_as_by_hand(
    question: str, n: int, scores: list[float], replaced: Callable[..., ClozeInstance]
) -> None:
    assert neighbour_overlap(replaced(PASSAGE, question), n=n) == scores


def plain_formula(passage: list[str], question: list[str], entity: str, n: int) -> int:
    """Section 3.1 to the letter, on strings: all n-grams of both texts, filtered, then compared."""

    def grams(text: list[str]) -> list[list[str]]:
        return [text[i : i + n] for i in range(len(text) - n + 1)]

    asked = [[token for token in gram if token != "XXXX"] for gram in grams(question) if "XXXX" in gram]
    held = [gram for gram in grams(passage) if entity in gram]
    wanted, found = ({token for gram in side for token in gram} for side in (asked, held))
    return len((wanted & found) - {entity})


WORDS = st.sampled_from(["a", "b", "c", "A", "@entity0", "@entity1", "@entity2"])


@given(
    passage=st.lists(WORDS, max_size=14),
    left=st.lists(WORDS, max_size=4),
    right=st.lists(WORDS, max_size=4),
    n=st.integers(2, 6),
)
def test_neighbour_overlap_is_the_papers_formula(
    replaced: Callable[..., ClozeInstance], passage: list[str], left: list[str], right: list[str], n: int
) -> None:
    keys = ["@entity0", "@entity1", "@entity2"]
    question = [*left, "XXXX", *right]
    instance = replaced(" ".join(passage), " ".join(question), None, keys)
    assert neighbour_overlap(instance, n=n) == [plain_formula(passage, question, key, n) for key in keys]
