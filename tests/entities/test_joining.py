"""Annotations joined to a text: what fits, what is refused, and what is counted."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.documents.document import Document, Section
from anagnosis.entities.joining import join
from anagnosis.entities.third_party import Annotation
from anagnosis.errors import InputError

TEXT = "Heart attack and TNF-α."
PAPER = Document("7", (Section("abstract", TEXT),))


def annotation(start: int, end: int, text: str, identifier: str = "C1") -> Annotation:
    return Annotation(((start, end),), text, "x", identifier, "Name", where="a.mmi:1")


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
    assert [(mention.text, mention.identifier, mention.name) for mention in kept.mentions] == [
        ("Heart", "C1", "Name")
    ]
    assert counts["annotation_drift"] == 1


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
    assert counts["empty_span"] == 1


def test_repetition_and_lacking_identifiers_are_counted() -> None:
    given = [
        annotation(0, 12, "heart attack"),
        annotation(0, 5, "heart"),
        annotation(6, 16, "attack and", "CUI-less"),
        annotation(0, 5, "heart"),
        Annotation(((13, 16),), "and", "x", "C1"),
        annotation(5, 5, ""),
        annotation(17, 22, ""),
    ]
    counts = Counter[str]()
    assert len(join(PAPER, given, counts).mentions) == 5
    assert +counts == {
        "mention": 5, "repeated_annotation": 1, "empty_annotation": 1, "unlinked_mention": 1, "unchecked_annotation": 1,
    }  # fmt: skip


WORDS = st.text(st.sampled_from("aB-é .\n"), max_size=30)
PLACE = st.integers(-2, 35)
ANY = st.builds(
    Annotation,
    st.lists(st.tuples(PLACE, PLACE), min_size=1, max_size=3).map(tuple),
    WORDS,
    st.sampled_from(["x", "y"]),
    st.sampled_from(["C1", "C2", ""]),
    where=st.just("a.mmi:1"),
)
LEFT_OUT = ("empty_annotation", "annotation_drift", "repeated_annotation")


def paper(text: str) -> Document:
    return Document("7", (Section("abstract", text),))


@given(WORDS, st.lists(ANY, max_size=6))
def test_every_annotation_is_a_mention_of_the_texts_words_or_left_out_under_one_name(
    text: str, given: list[Annotation]
) -> None:
    counts = Counter[str]()
    joined = join(paper(text), given, counts, origins=(0, 1), accept_drift=True)
    assert len(joined.mentions) + sum(counts[name] for name in LEFT_OUT) == len(given)
    assert counts["mention"] == len(joined.mentions) == len(set(joined.mentions))
    starts = [mention.start for mention in joined.mentions]
    assert starts == sorted(starts)
    for mention in joined.mentions:
        assert mention.text == " ".join(text[start:end] for start, end in mention.spans)
        assert all(0 <= start < end <= len(text) for start, end in mention.spans)
