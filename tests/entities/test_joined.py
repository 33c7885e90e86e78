"""Annotations of a text with other blanks find their place in the paper's text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis import api
from anagnosis.documents.document import Document, Mention, Section
from anagnosis.entities.joined import realigned
from anagnosis.entities.third_party import Annotation
from anagnosis.errors import InputError


def annotation(start: int, end: int) -> Annotation:
    return Annotation(((start, end),), "", "Gene", "", where="a.tsv:1")


def test_offsets_follow_the_characters_that_are_no_blanks():
    moved = realigned([annotation(8, 15), annotation(0, 3)], "She had TNF - α .", "She had\n TNF-α.")
    assert moved is not None
    assert [each.spans for each in moved] == [((9, 14),), ((0, 3),)]


@pytest.mark.parametrize("ours", ["She had TNF-β.", "She had TNF-α", ""])
def test_texts_of_other_characters_are_not_moved(ours: str):
    assert realigned([annotation(8, 15)], "She had TNF - α .", ours) is None


@pytest.mark.parametrize("span", [(-1, 3), (2, 99), (3, 3), (3, 4)])
def test_spans_of_blanks_or_outside_the_text_stay(span: tuple[int, int]):
    moved = realigned([annotation(*span)], "She had", "She  had")
    assert moved is not None
    assert moved[0].spans == (span,)


WORDS = st.lists(st.text(st.characters(categories=("L", "N", "P")), min_size=1, max_size=5), min_size=1)


@given(WORDS, st.data())
def test_a_moved_span_has_the_same_characters(words: list[str], data: st.DataObject):
    blanks = st.sampled_from(["", " ", "\n", "  "])
    theirs = " ".join(words)
    ours = "".join(data.draw(blanks) + word for word in words)
    start = data.draw(st.integers(0, len(theirs) - 1))
    end = data.draw(st.integers(start + 1, len(theirs)))
    moved = realigned([annotation(start, end)], theirs, ours)
    assert moved is not None
    ((begin, stop),) = moved[0].spans
    if theirs[start:end].strip():
        assert "".join(ours[begin:stop].split()) == "".join(theirs[start:end].split())


def annotated(folder: Path, text: str, *spans: tuple[int, int]) -> Path:
    mentions = tuple(Mention((span,), text[slice(*span)], "Gene", "") for span in spans)
    api.write([Document("7", (Section("body", text),), mentions)], folder / "annotated.jsonl", format="jsonl")
    return folder / "annotated.jsonl"


def test_mentions_in_tokenised_text_are_joined_to_a_papers_text(tmp_path: Path):
    papers = [Document("7", (Section("title", "TNF-α rises."), Section("abstract", "We saw (TNF-α).")))]
    api.write(papers, tmp_path / "papers.jsonl", format="jsonl")
    theirs = annotated(tmp_path, "TNF - α rises . We saw ( TNF-α ) .", (0, 7), (25, 30))
    done = api.annotate([tmp_path / "papers.jsonl"], tmp_path / "out.jsonl", annotations=[("jsonl", theirs)])
    (document,) = api.read(tmp_path / "out.jsonl")
    assert [(m.spans, m.text, m.type) for m in document.mentions] == [
        (((0, 5),), "TNF-α", "Gene"),
        (((21, 26),), "TNF-α", "Gene"),
    ]
    assert done.counts["other_blanks"] == 1


def test_mentions_in_another_text_are_drift(tmp_path: Path):
    api.write([Document("7", (Section("title", "IL-2 rises."),))], tmp_path / "papers.jsonl", format="jsonl")
    theirs = annotated(tmp_path, "TNF rises .", (0, 3))
    with pytest.raises(InputError, match="'TNF' is annotated at 0–3, but the text of 7 reads 'IL-'"):
        api.annotate([tmp_path / "papers.jsonl"], tmp_path / "out.jsonl", annotations=[("jsonl", theirs)])
