"""A notebook shows a search and an answer as the report does, escaped, and their repr is one line."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("tantivy", reason="the extra search is not installed")

import json

from anagnosis import api
from anagnosis.datasets.folder import writing
from anagnosis.documents.document import Document, Section
from anagnosis.reports import render
from anagnosis.reports.records import report
from anagnosis.searching.index.index import create_index
from tests.golds import Row, instance

HOSTILE = "Tea <script>alert(1)</script> & sleep\x1b[31m."


def cloze_predictions(folder: Path) -> tuple[Path, Path]:
    """A dataset folder of two questions, and predictions of which one is right."""
    rows = [instance(Row(f"d{n}:0", ("a", "b"), 0)) for n in range(2)]
    made = writing.write(folder / "made", {"test": rows}, {"dataset": "made"})
    path = folder / "answers.jsonl"
    path.write_text("".join(json.dumps({"id": f"d{n}:0", "answer": "ab"[n]}) + "\n" for n in range(2)))
    return made.folder, path


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


def test_scores_are_shown_as_their_page_and_their_repr_is_one_line(tmp_path: Path) -> None:
    folder, path = cloze_predictions(tmp_path)
    results = api.score(folder, [path])
    shown, page = results._repr_html_() or "", render(report(results), ".html")
    assert page[page.index("</nav>") + len("</nav>") : page.index("</main>")].strip() in shown
    assert repr(results).startswith("<Results:")
    assert "\n" not in repr(results) + repr(report(results))
