"""Marks of papers: what a stored one may name."""

from __future__ import annotations

import pytest
from tests.rows import each_row

from anagnosis.documents.document import Document, Section
from anagnosis.errors import DamagedError
from anagnosis.searching.papers.records import Record, decoded, mark_of, outline_of, record_of


def made(document: Document, source: str) -> Record:
    return record_of(document, outline_of(document, source, 1))


def test_a_mark_comes_back_as_its_records() -> None:
    record = made(Document("1", (Section("abstract", "Tea."),)), "hash")
    ((back, pieces),) = decoded(mark_of([record], record.passages), 1)
    assert (back.id, pieces) == ("1", [])


@each_row("pieces", [[0, 1], [-1], []], ids=str)
def test_a_mark_that_names_other_passages_is_damaged(pieces: list[int]) -> None:
    records = [
        made(Document(name, (Section("abstract", text),)), name)
        for name, text in (("1", "Tea."), ("2", "Coffee."))
    ]
    mark = mark_of(records, records[0].passages)
    assert "[0]" in mark
    with pytest.raises(DamagedError, match="passages that are not there"):
        decoded(mark.replace("[0]", str(pieces).replace(" ", "")), 1)
