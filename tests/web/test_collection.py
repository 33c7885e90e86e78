"""What the page asks of an index: each question is read once for the list, and a list is counted once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("tantivy", reason="the extra search is not installed")
pytest.importorskip("fastapi", reason="the extra web is not installed")

from starlette.testclient import TestClient
from tests.web.apps import web_app

from anagnosis import api
from anagnosis.searching.answers import asking
from anagnosis.searching.index import index as index_module
from anagnosis.searching.index.index import open_index
from anagnosis.web.limits import Limits


# The first page reads the question for the list and for the answer, a further page for the list alone.
@pytest.mark.parametrize(("page", "reads"), [(1, 2), (2, 1)])
def test_a_page_reads_its_question_once_for_each_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: int, reads: int
) -> None:
    papers = tmp_path / "papers.jsonl"
    papers.write_text('{"_id": "1", "title": "Tea", "text": "Tea warms adults."}\n')
    api.index([papers], tmp_path / "index")
    calls: list[str] = []

    def recorded(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **how: Any) -> Any:
            calls.append(name)
            return function(*given, **how)

        return call

    opened = open_index(tmp_path / "index")
    with TestClient(web_app(opened, Limits(rate=0)), "http://localhost") as client:
        monkeypatch.setattr(index_module, "read_question", recorded("read", index_module.read_question))
        monkeypatch.setattr(asking, "matches", recorded("matches", asking.matches))
        shown = client.get("/", params={"q": "tea adults", "page": page})
        assert shown.status_code == 200
        assert sorted(calls) == ["matches"] + ["read"] * reads
        assert client.get("/api/search", params={"q": "tea"}).json()["matches"]["papers"] == 1
    opened.close()
