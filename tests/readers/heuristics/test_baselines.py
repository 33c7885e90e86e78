"""The baselines of BIOMRC, BioRead and CliCR: by hand, beside plain formulas and beside independent counts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.readers.marked_instances import marked_instance, published_questions, replaced
from tests.rows import each_row

from anagnosis.datasets.biomrc import layout
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.readers.heuristics.baselines import (
    first_entity,
    last_entity,
    maxfreq_entity,
    most_frequent_entity,
    most_frequent_unless_alone,
    neighbour_overlap,
    ngram_occurrences,
    rand_entity,
    random_candidate,
)
from anagnosis.readers.predict import make_reader, tied

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
    passage: str, first: set[int], last: set[int], most: set[int], unless_alone: set[int]
) -> None:
    instance = replaced(passage, "XXXX of a .")
    for reader, numbers in zip(READERS, (first, last, most, unless_alone), strict=True):
        assert {instance.candidates[index].number for index in tied(reader(instance))} == numbers


def test_the_order_of_the_candidates_makes_no_difference() -> None:
    passage = "@entity1 x @entity2 y @entity2 z @entity3 ."
    keys = ["@entity1", "@entity2", "@entity3"]
    ahead, back = replaced(passage, "x XXXX y"), replaced(passage, "x XXXX y", None, keys[::-1])
    for reader in (*READERS, neighbour_overlap, random_candidate):
        assert reader(ahead) == reader(back)[::-1]


def test_a_candidate_without_a_mention_is_never_first_or_last_or_most_frequent() -> None:
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
def test_neighbours_are_counted_as_by_hand(question: str, n: int, scores: list[float]) -> None:
    assert neighbour_overlap(replaced(PASSAGE, question), n=n) == scores


def test_two_extracted_ngrams_that_become_equal_count_twice() -> None:
    assert ngram_occurrences(replaced("@entity1 @entity1 .", "@entity1 XXXX @entity1")) == [2]


def grams(text: list[str], n: int) -> list[list[str]]:
    return [text[i : i + n] for i in range(len(text) - n + 1)]


def biomrc_s(passage: list[str], question: list[str], entity: str, n: int) -> int:
    """Section 3.1 to the letter, on strings: all n-grams of both texts, filtered, then compared."""
    asked = [[token for token in gram if token != "XXXX"] for gram in grams(question, n) if "XXXX" in gram]
    held = [gram for gram in grams(passage, n) if entity in gram]
    wanted, found = ({token for gram in side for token in gram} for side in (asked, held))
    return len((wanted & found) - {entity})


def bioread_s(passage: list[str], question: list[str], entity: str, n: int) -> int:
    """Section 3 to the letter, on strings."""
    asked = [gram for gram in grams(question, n) if "XXXX" in gram]
    filled = [[entity if token == "XXXX" else token for token in gram] for gram in asked]
    return sum(grams(passage, n).count(gram) for gram in filled)


WORDS = st.sampled_from(["a", "A", "@entity0", "@entity1", "@entity2"])


@pytest.mark.parametrize(
    ("reader", "formula"), [(neighbour_overlap, biomrc_s), (ngram_occurrences, bioread_s)]
)
@given(
    passage=st.lists(WORDS, max_size=14),
    left=st.lists(WORDS, max_size=4),
    right=st.lists(WORDS, max_size=4),
    n=st.integers(2, 6),
)
def test_base4_is_the_papers_formula(
    reader: Callable[..., list[float]],
    formula: Callable[..., int],
    passage: list[str],
    left: list[str],
    right: list[str],
    n: int,
) -> None:
    keys = ["@entity0", "@entity1", "@entity2"]
    question = [*left, "XXXX", *right]
    instance = replaced(" ".join(passage), " ".join(question), None, keys)
    assert reader(instance, n=n) == [formula(passage, question, key, n) for key in keys]


# --- CliCR's --------------------------------------------------------------------------------------


def answer(instance: ClozeInstance, scores: list[float]) -> str:
    (best,) = tied(scores)
    return instance.candidates[best].key


def test_rand_entity_draws_occurrences_so_that_a_frequent_entity_is_likelier() -> None:
    passage = "T\n" + "BEG__fever__END " * 6 + "BEG__cough__END " * 3 + "BEG__rash__END"
    drawn: Counter[str] = Counter()
    for number in range(2_000):
        instance = marked_instance(passage, id=f"report.{number}")
        scores = rand_entity(instance)
        assert sorted(scores) == [0.0, 0.0, 1.0]
        drawn[answer(instance, scores)] += 1
    # Six, three and one of ten occurrences, within four standard deviations.
    for entity, share in (("fever", 0.6), ("cough", 0.3), ("rash", 0.1)):
        assert drawn[entity] / 2_000 == pytest.approx(share, abs=4 * (share * (1 - share) / 2_000) ** 0.5)


def test_maxfreq_entity_scores_a_candidate_by_its_most_frequent_surface() -> None:
    instance = marked_instance("T\nBEG__Rash__END BEG__Rash__END BEG__rash__END BEG__itch__END")
    assert maxfreq_entity(instance) == [2.5, 1.0]


def test_one_candidate_is_the_answer_and_no_candidate_is_none() -> None:
    one = marked_instance("T\nBEG__fever__END")
    assert (rand_entity(one), maxfreq_entity(one)) == ([1.0], [1.5])
    none = marked_instance("T\nnothing")
    assert (rand_entity(none), maxfreq_entity(none)) == ([], [])


def test_candidates_that_the_passage_does_not_mention_tie_where_nothing_is_mentioned() -> None:
    instance = marked_instance("T\nBEG__fever__END and BEG__cough__END")
    silent = msgspec.structs.replace(instance, mentions=())
    assert rand_entity(silent) == maxfreq_entity(silent) == [0.0, 0.0]


@pytest.mark.shared
def test_maxfreq_entity_answers_as_the_published_program(shared: Path) -> None:
    folder = shared / "vectors" / "clicr" / "dataset"
    published = json.loads((folder / "baselines_and_scores.json").read_text())["predictions"]
    answers = published["maxfreq_concept_baseline"]
    for instance in published_questions(folder / "dataset-without-repeats1.0.json"):
        assert answer(instance, maxfreq_entity(instance)) == answers.pop(instance.id).lower()
    assert not answers


# --- on the real files of BIOMRC, ten instances each -----------------------------------------------

# A program that knew nothing of this one counted these, in Setting A and in Setting B alike.
NAMES = ("random-candidate", "BASE1", "BASE2", "BASE3", "BASE3+", "BASE4")
# Expected number right of 10, in the order of NAMES; last, how often BASE4 ties at the top.
EXPECTED = {
    "large/dataset_train": (2.2429, 5, 3, 0.5, 5.0, 5.5, 2),
    "large/dataset_val": (1.9854, 4, 1, 0.3333, 3.8333, 7.0, 3),
    "lite/dataset_train_small": (1.3464, 2, 1, 0.6667, 1.6667, 3.4583, 4),
    "lite/dataset_val_small": (1.1079, 3, 0, 0.5, 2.3333, 5.4167, 4),
    "lite/dataset_test_small": (1.4642, 1, 1, 0, 1.5, 5.6, 3),
    "tiny/dataset_tiny": (2.3781, 2, 5, 0.3333, 4.8333, 5.3333, 5),
    "tiny/dataset_tiny_B": (1.9187, 3, 0, 0.1111, 3.9444, 5.5333, 3),
}
FILES = [
    (file, expected)
    for name, expected in EXPECTED.items()
    for file in ((name,) if name.startswith("tiny") else (name, f"{name}_B"))
]


@pytest.mark.shared
@each_row(("file", "expected"), FILES, ids=[file for file, _ in FILES])
def test_every_baseline_has_the_expected_number_right(
    file: str, expected: tuple[float, ...], shared: Path
) -> None:
    imported = layout.imported(shared / "data" / "biomrc" / f"{file}.json")
    instances = [instance for split in imported.splits.values() for instance in split]
    answers = [instance.answer for instance in instances if instance.answer is not None]
    assert len(answers) == len(instances) == 10

    for name, right in zip(NAMES, expected, strict=False):
        best = [tied(scores) for scores in map(make_reader(name, training=lambda: ()), instances)]
        credits = [1 / len(own) for own, answer in zip(best, answers, strict=True) if answer in own]
        assert sum(credits) == pytest.approx(right, abs=5e-5), name
    base4 = make_reader("BASE4", training=lambda: ())
    assert sum(len(tied(base4(instance))) > 1 for instance in instances) == expected[-1]
