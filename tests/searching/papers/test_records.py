"""Records of papers: which version stays, and how an engine stores a paper."""

from __future__ import annotations

import pytest
from tests.rows import each_row

from anagnosis.documents.document import Document, Mention, Relation, Section
from anagnosis.errors import DamagedError
from anagnosis.searching.papers.records import Record, StoredPaper, decoded, has_text, kept, record_of


def document(text: str = "Tea helps.", **facts: str) -> Document:
    return Document("31", (Section("title", "Tea"), Section("abstract", text)), facts=facts)


def record(text: str = "Tea helps.", run: int = 1, **facts: str) -> Record:
    return record_of(document(text, **facts), "medline", run)


def test_a_paper_comes_back_as_it_was_stored() -> None:
    other = record_of(document(doi="10.1/x", journal="J"), "pubtator", 2)
    stored = StoredPaper("31", (record(), other), ("doi:10.1/x",))
    assert decoded(stored.encoded()) == stored


@each_row("data", [b"", b"\x93\xa231", StoredPaper("1", (record(),)).encoded()[:-1]])
def test_anything_else_is_damaged(data: bytes) -> None:
    with pytest.raises(DamagedError, match="a paper of the index is damaged"):
        decoded(data)


def test_a_record_keeps_what_an_index_shows() -> None:
    sections = (Section("title", "Tea"), Section("abstract", "Tea helps."), Section("ref", "1. Nemo."))
    mentions, relations = (Mention(((0, 3),), "Tea", "", ""),), (Relation("r", ("a",)),)
    whole = Document("31", sections, mentions, relations, {"doi": "10.1/x", "chemicals": "Tea"})
    assert record_of(whole, "", 1).document == Document("31", sections[:2], facts={"doi": "10.1/x"})


@each_row(
    "there, new, outcome, stays",
    [
        (record("A.", version="2"), record("B.", version="1"), "older_version", True),
        (record("A.", version="1"), record("B.", version="2"), "replaced", False),
        (record("A.", version="1"), record("B.", version="1"), "replaced", False),
        (record("A long one."), record("B."), "repeated", True),
        (record("B."), record("A long one."), "replaced", False),
        (record("A long one."), record("B.", run=2), "replaced", False),
        (record("A.", run=1), record("A.", run=2), "unchanged", True),
    ],
)
def test_which_version_stays(there: Record, new: Record, outcome: str, stays: bool) -> None:
    says, best = kept(there, new)
    assert (says, best.document) == (outcome, there.document if stays else new.document)


@each_row("first", [0, 1])
def test_two_versions_of_one_run_are_both_known_again_in_the_next(first: int) -> None:
    two = record("A long one."), record("B.")
    _, best = kept(two[first], two[1 - first])
    for again in ("A long one.", "B."):
        assert kept(best, record(again, run=2)) == ("unchanged", best)


def test_a_withdrawn_fact_goes_with_its_version() -> None:
    _, best = kept(record(tags="read"), record(run=2, retracted="9"))
    assert best.facts == {"retracted": "9"}


def test_a_changed_record_changes_the_digest_of_its_paper() -> None:
    one, other, run = (
        StoredPaper("31", (each,)) for each in (record("A."), record("B."), record("A.", run=2))
    )
    assert one.digest == run.digest != other.digest


@each_row(
    "label, text, is_there",
    [("abstract", "Tea.", True), ("abstract", " ", False), ("ref", "Tea.", False), ("title", "Tea", True)],
)
def test_what_has_text(label: str, text: str, is_there: bool) -> None:
    assert has_text(Document("1", (Section(label, text),))) == is_there
