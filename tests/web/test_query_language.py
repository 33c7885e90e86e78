"""The page and the API read the query language, and show how they understood it."""

from __future__ import annotations

from starlette.testclient import TestClient
from tests.web.apps import text


def test_the_api_shows_how_it_understood_a_query(client: TestClient) -> None:
    answer = client.get("/api/search", params={"q": '"tea cures" -salt 2018[dp]'}).json()
    assert answer["understood"]["line"] == '"tea cures" · not salt · published 2018'
    assert [hit["passage"]["document"] for hit in answer["found"]] == ["990001"]
    asked = client.get("/api/ask", params={"q": "Does tea cure baldness? -salt"}).json()
    assert asked["understood"]["line"] == "best with: Does tea cure baldness? · not salt"
    assert asked["evidence"][0]["passage"]["document"] == "990001"


def test_the_page_shows_it_too(client: TestClient) -> None:
    seen = text(client.get("/", params={"q": "tea OR (salt"}).text)
    assert "Understood as tea or salt" in seen
    assert "Please note: a parenthesis has no partner" in seen
    assert "Understood as" not in text(client.get("/", params={"q": "tea and salt"}).text)


def test_an_identifier_leads_to_its_paper(client: TestClient) -> None:
    gone = client.get("/", params={"q": "PMID: 990001"}, follow_redirects=False)
    assert (gone.status_code, gone.headers["location"]) == (303, "/document?id=990001")
    assert gone.headers["cache-control"] == "private, no-cache"
    page = client.get("/", params={"q": "PMID: 990001"})
    assert "Tea cures baldness in all mice." in text(page.text)
    found = client.get("/api/search", params={"q": "PMID: 990001"}).json()
    assert found["understood"]["papers"] == ["990001"]
    absent = text(client.get("/", params={"q": "PMID: 4"}).text)
    assert "no paper here is 4" in absent


def test_several_identifiers_and_names_alone_are_results_without_an_answer(client: TestClient) -> None:
    for query in ("PMID: 990001 PMID: 99000027", "2018/03[dp]"):
        page = client.get("/", params={"q": query}, follow_redirects=False)
        assert page.status_code == 200
        assert "Tea cures baldness in all mice." in text(page.text)
        assert 'id="answer"' not in page.text
