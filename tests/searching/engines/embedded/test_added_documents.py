"""What was added is always found again, also where documents share a bit."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.searching.engines import embedded
from anagnosis.searching.engines.embedded import added_documents as added
from anagnosis.searching.engines.embedded.added_documents import Added
from anagnosis.searching.records.passage import Passage


@given(st.sets(st.text(max_size=8), max_size=30), st.text(max_size=8))
def test_what_was_added_is_there(documents: set[str], other: str) -> None:
    there = Added()
    for document in documents:
        there.add(document)
    assert all(document in there for document in documents)
    if not documents:
        assert other not in there


def test_documents_that_share_a_bit_are_told_apart_by_the_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(added, "BITS", 8)
    engine = embedded.create(tmp_path / "engine")
    for number in range(40):
        assert engine.mark(str(number)) is None
        engine.add([Passage(str(number), 0, "abstract", "", "", "Salt.")], f"mark {number}")
    engine.commit()
    assert [engine.mark(str(number)) for number in (0, 39, 40)] == ["mark 0", "mark 39", None]
    engine.close()
    engine.delete("39")
    engine.commit()
    assert [engine.mark(str(number)) for number in (0, 39)] == ["mark 0", None]
    engine.close()
