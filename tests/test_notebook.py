"""A notebook shows a search and an answer as the report does, escaped, and their repr is one line."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("tantivy", reason="the extra search is not installed")

from anagnosis import api
from anagnosis.documents.document import Document, Section
from anagnosis.reports import render
from anagnosis.reports.records import report
from anagnosis.searching.index.index import create_index

HOSTILE = "Tea <script>alert(1)</script> & sleep\x1b[31m."


@pytest.mark.parametrize("verb", [api.search, api.ask])
def test_an_answer_is_shown_as_its_page_and_escaped(verb: Callable[..., Any], tmp_path: Path) -> None:
    index = create_index(tmp_path / "index")
    paper = Document("1", (Section("title", HOSTILE), Section("abstract", f"Tea helps. {HOSTILE}")))
    index.add(paper, Counter())
    index.commit()
    answer = verb(index, "Does <b>tea</b> help sleep?")
    index.close()
    shown, page = answer._repr_html_(), render(report(answer), ".html")
    assert page[page.index("</h1>") + 5 : page.index("</main>")].strip() in shown
    assert "alert(1)" in html.unescape(shown)
    for raw in ("<script", "<b>", "\x1b", "<html"):
        assert raw not in shown
    assert "\n" not in repr(answer)
    assert len(repr(answer)) < 200
