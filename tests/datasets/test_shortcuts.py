"""What lets a system answer without reading, counted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from tests.rows import each_row

from anagnosis.datasets.biomrc import layout
from anagnosis.datasets.kinds.cloze_instance import Candidate, ClozeInstance, PassageMention
from anagnosis.datasets.shortcuts import (
    KEPT_IDS,
    QUESTIONS,
    SHORTCUTS,
    ShortcutCount,
    adjacent_repeats,
    answer_no_candidate,
    card,
)
from anagnosis.datasets.synonyms import Synonyms

SAMPLES = Path(__file__).parents[1] / "samples" / "biomrc"


def instance(
    passage: str,
    question: str = "XXXX",
    answer: int | None = 0,
    id: str = "1:0",
    identifiers: tuple[str, ...] = ("1", "2", "3"),
) -> ClozeInstance:
    """Mentions are the letters a, b, c: candidates 0, 1, 2."""

    def mentions(text: str) -> tuple[PassageMention, ...]:
        return tuple(PassageMention(((i, i + 1),), "abc".index(x)) for i, x in enumerate(text) if x in "abc")

    candidates = tuple(
        Candidate(f"disease/{name}", "Disease", n, (x,))
        for n, (name, x) in enumerate(zip(identifiers, "abc"))
    )
    return ClozeInstance(
        id, "1", "", passage, question, mentions(passage), mentions(question), candidates, answer, ("x",)
    )


def counts(*instances: ClozeInstance) -> dict[str, int]:
    return {line.name: line.instances for line in card({"train": instances})}


def test_the_card_has_its_lines_in_their_order() -> None:
    lines = card({})
    assert [line.name for line in lines] == list(SHORTCUTS)
    assert all((line.instances, line.of, line.share, line.ids) == (0, 0, None, ()) for line in lines)
    assert set(QUESTIONS) < set(SHORTCUTS)


@each_row(
    ("passage", "expected"), [("a a b", 1), ("a b", 0), ("a b b", 0), ("b b a a", 0), ("a", 1), ("b", 0)]
)
def test_the_answer_is_most_frequent_only_if_alone_at_the_top(passage: str, expected: int) -> None:
    assert counts(instance(passage))["answer_most_frequent"] == expected


@each_row(
    ("passage", "places"),
    [
        ("a (a) b", 1),
        ("a ( a ) and b(b)", 2),
        ("a (b) c", 0),
        ("a (a, b)", 0),
        ("a a b", 0),
        ("a and (a)", 0),
        ("a (x a)", 0),
        ("a (a)(a)", 1),
        ("", 0),
    ],
)
def test_an_adjacent_repeat_is_an_entity_and_itself_in_brackets(passage: str, places: int) -> None:
    assert adjacent_repeats(instance(passage)) == places


def test_adjacent_repeats_are_counted_by_instance_and_by_place_and_for_the_answer() -> None:
    lines = {
        line.name: line
        for line in card({"train": [instance("a (a) a (a) b (b)"), instance("c (c) a"), instance("b")]})
    }
    every, answer = lines["adjacent_repeats"], lines["answer_in_adjacent_repeat"]
    assert (every.instances, every.places, every.of) == (2, 4, 3)
    assert (answer.instances, answer.places, answer.of) == (1, 2, 3)


@pytest.mark.parametrize(
    ("identifiers", "expected"),
    [
        (("MESH:D018943", "D018943", "D1"), 1),
        (("MESH:D018943", "OMIM:018943"), 0),
        (("D1#0", "D1#1"), 1),
        (("D1", "D2"), 0),
    ],
)
def test_one_concept_under_two_spellings(identifiers: tuple[str, ...], expected: int) -> None:
    assert counts(instance("a b", identifiers=identifiers))["one_concept_two_spellings"] == expected


def test_one_concept_under_two_types() -> None:
    """As a gene and a family of one number, which are two candidates; 9606 of gene and species are two concepts."""
    kinds = (("gene/24247", "Gene"), ("gene-family/24247", "FamilyName"), ("species/24247", "Species"))
    typed = tuple(Candidate(key, kind, n, ("x",)) for n, (key, kind) in enumerate(kinds))
    (line,) = (
        line
        for line in card({"train": [replace(instance("a b"), candidates=typed)]})
        if "concept" in line.name
    )
    assert (line.instances, line.places, line.of) == (1, 1, 1)


def test_what_cannot_be_asked_is_counted_on_neither_side() -> None:
    withheld = instance("a b", answer=None)
    local = ClozeInstance("2:0", "2", "", "a", "XXXX", (), (), (Candidate("@entity0", "", 0, ()),), 0, ())
    lines = {line.name: line for line in card({"test": [withheld, local]})}
    assert lines["answer_visible_in_question"].of == 1
    assert lines["answer_most_frequent"].of == 1
    assert lines["one_concept_two_spellings"].of == 1
    assert lines["adjacent_repeats"].of == 2


def test_repeats_are_seen_within_and_across_splits_whatever_order_these_are_given_in() -> None:
    one, other, new = instance("a b", "XXXX of b"), instance("a b", "b of XXXX"), instance("a c")
    lines = {line.name: line for line in card({"test": [one, new], "train": [one, other, one]})}
    repeated, overlap = lines["repeated_instance"], lines["passage_in_earlier_split"]
    assert repeated.by_split == {"train": ShortcutCount(1, 3), "test": ShortcutCount(1, 2)}
    assert overlap.by_split == {"train": ShortcutCount(0, 3), "test": ShortcutCount(1, 2)}
    assert (overlap.instances, overlap.of, overlap.share) == (1, 5, 0.2)


def test_the_first_few_ids_are_kept() -> None:
    line = card({"dev": [instance("a", id=f"{n}:0") for n in range(9)]})[1]
    assert line.ids == tuple(f"{n}:0" for n in range(KEPT_IDS))


def test_the_carried_sample_has_one_of_almost_each() -> None:
    lines = {
        line.name: (line.instances, line.of) for line in card(layout.imported(SAMPLES, setting="A").splits)
    }
    assert lines == {
        "answer_visible_in_question": (2, 6),
        "answer_most_frequent": (0, 6),
        "adjacent_repeats": (3, 6),
        "answer_in_adjacent_repeat": (2, 6),
        "one_concept_two_spellings": (2, 6),
        "repeated_instance": (0, 6),
        "passage_in_earlier_split": (2, 6),
        "overlap_with_earlier_split": (2, 5),
        "answer_name_in_question": (0, 6),
        "answer_synonym_in_question": (0, 0),
        "question_from_caption": (0, 0),
        "question_from_back_matter": (0, 0),
        "answer_no_candidate": (0, 6),
    }
    local = {
        line.name: (line.instances, line.of) for line in card(layout.imported(SAMPLES, setting="B").splits)
    }
    assert local == lines | {"one_concept_two_spellings": (0, 0), "answer_name_in_question": (0, 0)}


def test_a_name_of_the_answer_in_the_question_counts_as_whole_words() -> None:
    def named(question: str) -> int:
        base = instance("a b", question)
        full = Candidate("disease/1", "Disease", 0, ("Lung cancer", "a"))
        return counts(
            msgspec.structs.replace(base, candidates=(full, *base.candidates[1:]), answers=("NSCLC",))
        )["answer_name_in_question"]

    assert named("XXXX, or lung Cancer?") == 1  # its preferred name
    assert named("(NSCLC) is XXXX") == 1  # its surface
    assert named("XXXX and lung cancers, NSCLC2") == 0
    assert named("lung cancers and lung cancer: XXXX") == 1
    assert named("XXXX") == 0


def test_an_answer_that_no_candidate_is_limits_accuracy() -> None:
    (line,) = (
        line
        for line in card({"train": [instance("a", answer=None), instance("a", id="2:0")]})
        if line.name == "answer_no_candidate"
    )
    assert (line.instances, line.of) == (1, 2)
    withheld = msgspec.structs.replace(instance("a", answer=None), answers=())
    assert answer_no_candidate(withheld) is None


class Names(Synonyms):
    """The first candidate's concept has these names, one of which is shorter than those of a dataset."""

    def of(self, key: str, type: str) -> frozenset[str]:
        assert type == "Disease"
        return frozenset({"nsclc", "carcinoma of the lung", "a"}) if key == "disease/1" else frozenset()


def test_a_synonym_counts_that_is_no_name_in_the_instance() -> None:
    def named(question: str, answer: int | None = 0) -> tuple[int, int]:
        (line,) = (
            line
            for line in card({"train": [instance("a b", question, answer)]}, Names({}))
            if line.name == "answer_synonym_in_question"
        )
        return line.instances, line.of

    assert named("XXXX (NSCLC)") == (1, 1)
    assert named("XXXX (NSCLC), b", 1) == (0, 1)
    assert named("XXXX and a") == (0, 1)  # which is the instance's name
    assert named("XXXX in NSCLCs") == (0, 1)
    assert named("XXXX (NSCLC)", None) == (0, 0)


@each_row(
    ("label", "caption", "back"),
    [("figure", 1, 0), ("table_cells", 1, 0), ("back", 0, 1), ("references", 0, 1), ("body", 0, 0)],
)
def test_the_section_of_a_question_is_known_from_its_label(label: str, caption: int, back: int) -> None:
    labelled = msgspec.structs.replace(instance("a"), labels=("tiny-a", f"section:{label}"))
    lines = {line.name: line for line in card({"test": [labelled, instance("a", id="2:0")]})}
    found = (lines["question_from_caption"], lines["question_from_back_matter"])
    assert [(line.instances, line.of) for line in found] == [(caption, 1), (back, 1)]


def windows(*sentences: str) -> Iterator[str]:
    """Passages of 20 sentences, each a sentence on."""
    for first in range(len(sentences) - 19):
        yield ". ".join(sentences[first : first + 20])


def test_windows_over_one_article_in_two_splits_overlap_in_most_of_their_sentences() -> None:
    passages = list(windows(*(f"this is sentence number {n} of an article that is long" for n in range(60))))
    splits = {
        "train": [instance(each, id=f"1:{n}") for n, each in enumerate(passages) if n % 2],
        "test": [instance(each, id=f"1:{n}") for n, each in enumerate(passages) if not n % 2],
    }
    lines = {line.name: line.by_split["test"] for line in card(splits) if "test" in line.by_split}
    assert lines["passage_in_earlier_split"].instances == 0
    assert lines["overlap_with_earlier_split"].of == 21
    assert lines["overlap_with_earlier_split"].instances >= 17  # 19 of 21 different sentences are in common


def test_local_numbers_hide_no_overlap_and_short_passages_are_not_judged() -> None:
    text = "we gave @entity{} to the animals for many days and weeks.\nso it was"
    splits = {
        "train": [instance(text.format(3))],
        "dev": [instance(text.format(17)), instance("a b c", id="2:0")],
    }
    (line,) = (line for line in card(splits) if line.name == "overlap_with_earlier_split")
    assert line.by_split["dev"] == ShortcutCount(1, 1)
