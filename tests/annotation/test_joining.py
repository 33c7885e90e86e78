"""Annotations joined to a text: what fits, what is refused, and what is counted."""

from __future__ import annotations

from collections import Counter

import pytest

from anagnosis.annotation.joining import MINIMUM_SCORE, join
from anagnosis.annotation.third_party.record import Annotation
from anagnosis.documents.document import Document, Section
from anagnosis.errors import InputError

TEXT = "Heart attack and TNF-α."
PAPER = Document("7", (Section("abstract", TEXT),))


def annotation(
    start: int, end: int, text: str, identifier: str = "C1", score: float | None = None
) -> Annotation:
    return Annotation(((start, end),), text, "x", identifier, "Name", score, where="a.mmi:1")


def test_a_mention_has_the_texts_words_and_the_concepts_name() -> None:
    (mention,) = join(PAPER, [annotation(17, 22, "tnf a")], Counter()).mentions
    assert (mention.text, mention.identifier, mention.name) == ("TNF-α", "C1", "Name")


@pytest.mark.parametrize(
    ("start", "end", "words"), [(1, 13, "reads 'eart attack ' there"), (20, 32, "ends before")]
)
def test_an_annotation_of_another_text_is_one_line_with_its_place(start: int, end: int, words: str) -> None:
    with pytest.raises(InputError) as refused:
        join(PAPER, [annotation(start, end, "heart attack x")], Counter())
    assert f"a.mmi:1: 'heart attack x' is annotated at {start}–{end}, but the text of 7 {words}" in str(
        refused.value
    )


def test_accepted_drift_is_left_out_and_counted() -> None:
    counts = Counter[str]()
    kept = join(PAPER, [annotation(3, 15, "nothing"), annotation(0, 5, "heart")], counts, accept_drift=True)
    assert [mention.text for mention in kept.mentions] == ["Heart"]
    assert counts["annotation_drift"] == 1


@pytest.mark.parametrize(("score", "kept"), [(9.99, 0), (10.0, 1), (None, 1)])
def test_the_minimum_score_is_inclusive_and_spares_those_without(score: float | None, kept: int) -> None:
    counts = Counter[str]()
    given = [annotation(0, 5, "heart", score=score)]
    assert len(join(PAPER, given, counts, minimum_score=MINIMUM_SCORE).mentions) == kept
    assert counts["score_too_low"] == 1 - kept


def test_offsets_from_one_are_shifted_where_the_format_may_have_them() -> None:
    given, counts = [annotation(1, 6, "heart"), annotation(7, 13, "attack")], Counter[str]()
    kept = join(PAPER, given, counts, origins=(0, 1))
    assert [mention.spans for mention in kept.mentions] == [((0, 5),), ((6, 12),)]
    assert counts["origin_shifted"] == 1
    with pytest.raises(InputError):
        join(PAPER, given, Counter())


def test_parts_in_any_order_are_a_mention_in_the_texts_order() -> None:
    parts = Annotation(((6, 12), (0, 5), (3, 3)), "attack ... heart", "x", "C1")
    counts = Counter[str]()
    (mention,) = join(PAPER, [parts], counts).mentions
    assert (mention.spans, mention.text) == (((0, 5), (6, 12)), "Heart attack")
    assert (counts["discontinuous_mention"], counts["empty_span"]) == (1, 1)


def test_nesting_overlap_repetition_and_lacking_identifiers_are_counted() -> None:
    given = [
        annotation(0, 12, "heart attack"),
        annotation(0, 5, "heart"),
        annotation(6, 16, "attack and", "CUI-less"),
        annotation(0, 5, "heart"),
        annotation(5, 5, ""),
        annotation(17, 22, ""),
    ]
    counts = Counter[str]()
    assert len(join(PAPER, given, counts).mentions) == 4
    assert +counts == {
        "mention": 4, "nested_mention": 1, "overlapping_mention": 1, "repeated_annotation": 1,
        "empty_annotation": 1, "unlinked_mention": 1, "unchecked_annotation": 1,
    }  # fmt: skip


def test_a_negated_mention_stays_and_is_counted() -> None:
    counts = Counter[str]()
    negated = Annotation(((0, 5),), "Heart", "x", "C1", is_negated=True)
    assert join(PAPER, [negated], counts).mentions
    assert counts["negated_mention"] == 1
