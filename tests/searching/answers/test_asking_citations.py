"""Sentences of an answer with the text that cites them; a title is cited as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("tantivy", reason="the extra search is not installed")

from anagnosis.documents.document import Document, Section
from anagnosis.searching.answers.asking import ask
from anagnosis.searching.index.index import Index, create_index

PAPER = Document(
    "27",
    (Section("title", "Does tea help?"), Section("abstract", "Tea helped\nagainst salt.", "Findings")),
    facts={
        "date": "2016-03", "journal": "J Tea", "authors": "Nemo, Ana; Bo, B", "volume": "3", "pages": "7-9",
        "doi": "10.1/Tea", "retracted": "31",
    },
)  # fmt: skip


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    made = create_index(tmp_path / "index")
    made.add(PAPER, Counter())
    made.commit()
    yield made
    made.close()


def test_each_sentence_comes_with_its_citation(index: Index) -> None:
    answer = ask(index, "tea against salt")
    cited = {one.text: one.citation for one in answer.evidence}
    line = "[RETRACTED (31)] Nemo A, Bo B. Does tea help? J Tea 2016;3:7-9. PMID 27. doi:10.1/Tea"
    assert cited == {
        "Tea helped\nagainst salt.": f"“Tea helped against salt.” (Findings) {line}",
        "Does tea help?": f"“Does tea help?” (title) {line}",
    }
