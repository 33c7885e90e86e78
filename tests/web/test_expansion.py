"""Names that join a question's words, and completions, on the page and in the API."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest

pytest.importorskip("tantivy", reason="the extra search is not installed")
pytest.importorskip("starlette", reason="the extra web is not installed")

from starlette.testclient import TestClient
from tests.web.apps import web_app

from anagnosis import api
from anagnosis.searching.index.index import open_index
from anagnosis.searching.sentences.highlighting import UNTRAINED
from anagnosis.web.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Iterator

NASTY = '"><script>alert(1)</script>'


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    """Two papers and a vocabulary with a hostile name."""
    papers = tmp_path / "papers.jsonl"
    lines = ['{"_id": "1", "title": "Heart attack in mice", "text": "A heart attack."}']
    lines += ['{"_id": "2", "title": "", "text": "Myocardial infarction. A script alert 1 script."}']
    papers.write_text("\n".join(lines) + "\n")
    (tmp_path / "terms.tsv").write_text(
        f"id\tname\tsynonyms\n1\tMyocardial infarction\theart attack|{NASTY}\n"
    )
    api.index([papers], tmp_path / "index", terms=[tmp_path / "terms.tsv"])
    opened = open_index(tmp_path / "index")
    with TestClient(web_app(opened, scorer=UNTRAINED, limits=Limits()), "http://localhost") as made:
        yield made
    opened.close()


def ids(client: TestClient, **given: object) -> list[str]:
    answer = client.get("/api/search", params={"q": "heart attack", **given}).json()  # pyright: ignore[reportArgumentType]
    return [hit["passage"]["document"] for hit in answer["found"]]


def test_the_api_adds_names_unless_told_otherwise(client: TestClient) -> None:
    assert sorted(ids(client)) == ["1", "2"]
    assert ids(client, synonyms="false") == ["1"]
    assert ids(client, without=["Myocardial infarction", NASTY]) == ["1"]
    answer = client.get("/api/search", params={"q": "heart attack"}).json()
    assert "Myocardial infarction" in answer["expanded"][0]["added"]
    assert client.get("/api/ask", params={"q": "heart attack"}).json()["expanded"] == answer["expanded"]


def test_what_a_user_removed_stays_removed_behind_every_link_and_in_the_form(client: TestClient) -> None:
    page = client.get("/", params={"q": "heart attack"}).text
    assert "Also searched" in page
    assert "without=Myocardial+infarction" in page
    assert "<script>alert" not in page
    assert "without=Myocardial" not in client.get("/?q=heart+attack&without=myocardial+infarction").text
    for given in ({"without": ["myocardial infarction", NASTY]}, {"synonyms": "false"}):
        (name, value), *_ = given.items()
        page = client.get("/", params={"q": "heart attack", "journal": "none such", **given}).text
        assert "Nothing was found with these filters" in page
        page += client.get("/", params={"q": "heart attack", **given}).text
        links = [unescape(each) for each in re.findall(r'href="(/[^"]*)"', page)]
        asking = [each for each in links if "q=" in each]
        assert {each.partition("?")[0] for each in asking} == {"/", "/document", "/export"}
        wanted = value if isinstance(value, list) else [value]
        others = {each for each in asking if parse_qs(urlsplit(each).query).get(name) != wanted}
        assert {"/?q=heart+attack", "/?q=heart+attack&journal=none+such"} <= others, "back to all names"
        for each in others:
            assert set(parse_qs(urlsplit(each).query).get(name, [])) < set(wanted), "back to one name"
        hidden = re.findall(rf'<input type="hidden" name="{name}" value="([^"]*)">', page)
        assert [unescape(each) for each in hidden] == len(hidden) // len(wanted) * wanted
        assert len(hidden) >= 2 * len(wanted)
        files = {client.get(each).text for each in asking if each.startswith("/export") and "to=csv" in each}
        assert all("heart attack in mice" in each.lower() and "\n2," not in each for each in files)


def test_beginnings_are_completed(client: TestClient) -> None:
    assert client.get("/api/complete", params={"q": "a he"}).json()["words"] == ["heart"]
    assert client.get("/api/complete", params={"q": "zzz"}).json()["words"] == []
    assert client.get("/api/complete", params={"q": ""}).status_code == 400
    assert client.get("/api/complete", params={"q": "a", "limit": 21}).status_code == 400
