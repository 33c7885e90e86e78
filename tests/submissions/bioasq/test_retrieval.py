"""Documents of an index: addresses of PubMed, the best first."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("tantivy", reason="the extra search is not installed")

from anagnosis.documents.document import Document, Section
from anagnosis.searching.index.index import create_index
from anagnosis.submissions.bioasq.retrieval import retrieve
from anagnosis.submissions.bioasq.rules import ADDRESS


def test_papers_without_a_pmid_are_no_documents(tmp_path: Path) -> None:
    index = create_index(tmp_path / "index")
    index.begin()
    texts = {
        **{f"x{n}": "Salt water stops blue mice. They sleep." for n in range(40)},
        "77": "Salt is not blue.",
    }
    for ident, text in texts.items():
        index.add(Document(ident, (Section("abstract", text),)), Counter(), "jsonl")
    index.add(Document("y", (Section("abstract", "Mice."),), facts={"pmid": "78"}), Counter(), "jsonl")
    index.commit()
    found = retrieve(index, "q", "Does salt water stop blue mice?")
    assert found is not None
    assert {*(found.documents or ())} == {ADDRESS.format(77), ADDRESS.format(78)}
    for question in ("", "   ", "What is it?"):
        assert retrieve(index, "q", question) is None
