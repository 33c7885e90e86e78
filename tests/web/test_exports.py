"""What researchers take along from the page: exports, citations, counts, lists by date, related papers."""

from __future__ import annotations

import re
from html import unescape

import pytest
from starlette.testclient import TestClient
from tests.web.conftest import PAPERS

from anagnosis.searching.citing.formats import FORMATS, export_format

COFFEE = "Does cold brew coffee raise gastric pH less than espresso?"


def test_results_are_a_file_of_each_format(client: TestClient, subtests: pytest.Subtests) -> None:
    for name in FORMATS:
        with subtests.test(name):
            answer = client.get("/export", params={"q": "coffee", "to": name})
            module = export_format(name)
            assert answer.status_code == 200
            assert answer.headers["content-type"].split(";")[0] == module.media_type.split(";")[0]
            assert answer.headers["content-disposition"] == f'attachment; filename="papers{module.suffix}"'
            assert "coffee" in answer.text.lower()
            hostile = client.get("/export", params={"id": PAPERS[0].id, "to": name})
            assert hostile.status_code == 200
            assert hostile.headers["x-content-type-options"] == "nosniff"
            assert "\u202e" not in hostile.text


def test_filters_and_the_limit_hold_and_ids_choose_papers(client: TestClient) -> None:
    def ids(**given: str | list[str]) -> list[str]:
        answer = client.get("/export", params={"to": "ris", **given})
        return re.findall(r"^ID  - (.+?)\r$", answer.text, re.MULTILINE)

    assert len(ids(q="twentyone", limit="3")) == 3
    assert ids(q="tea", journal="J Tea") == ["990001"]
    assert ids(id=["990003", "990001"]) == ["990003", "990001"]


REFUSED: tuple[tuple[dict[str, str], int], ...] = (
    ({"to": "ris"}, 400),
    ({"q": "tea", "id": "990001", "to": "ris"}, 400),
    ({"q": "tea"}, 400),
    ({"q": "tea", "to": "doc"}, 400),
    ({"q": "the of", "to": "ris"}, 400),
    ({"q": "tea", "to": "ris", "limit": "1001"}, 400),
    ({"id": "990001", "to": "ris", "sort": "date"}, 400),
    ({"id": "990001", "to": "ris", "journal": "J Tea"}, 400),
    ({"id": "no-such", "to": "ris"}, 404),
)


def test_what_cannot_be_exported_is_refused_with_a_page(client: TestClient) -> None:
    answers = [client.get("/export", params=given) for given, _ in REFUSED]
    assert "no paper is selected" in answers[0].text
    assert "a question and ids of papers at once" in answers[1].text
    assert [answer.status_code for answer in answers] == [status for _, status in REFUSED]
    assert all("<h1" in answer.text for answer in answers)


def test_a_sentence_of_an_answer_has_its_citation_to_select(client: TestClient) -> None:
    page = client.get("/", params={"q": COFFEE}).text
    citations = [unescape(each) for each in re.findall(r"<textarea readonly[^>]*>([^<]*)</textarea>", page)]
    evidence = client.get("/api/ask", params={"q": COFFEE}).json()["evidence"]
    assert citations[: len(evidence)] == [one["citation"] for one in evidence]
    assert not set(citations[: len(evidence)]) & set(citations[len(evidence) :]), (
        "each is cited where it stands"
    )
    listed = client.get("/", params={"q": "cold brew coffee"}).text
    assert citations[0].partition("” (")[2].partition(") ")[2] in unescape(listed), "as the list does"
    assert citations[0].startswith(f"“{evidence[0]['text']}” (")


def test_related_papers_are_those_of_the_api_on_a_papers_page(client: TestClient) -> None:
    answer = client.get("/api/related", params={"id": "990001", "limit": 5}).json()
    assert "990001" not in [one["passage"]["document"] for one in answer["related"]]
    page = client.get("/document", params={"id": "990001"}).text
    assert [unescape(each) for each in re.findall(r'<li>[^\n]*<a href="/document\?id=([^"&]*)"', page)] == [
        one["passage"]["document"] for one in answer["related"]
    ]
    assert client.get("/api/related", params={"id": "no-such"}).status_code == 404
    assert client.get("/api/related", params={"id": "990001", "limit": 99}).status_code == 400


def test_a_papers_page_names_its_authors_and_leads_to_their_papers(client: TestClient) -> None:
    page = client.get("/document", params={"id": "990001"}).text
    links = re.findall(r'<a href="([^"]*)"><bdi>([^<]*, [AB])</bdi></a>', page)
    assert [unescape(name) for _, name in links] == ["Nemo, A", "<Bo>, B"]
    assert "Tea cures baldness" in client.get(unescape(links[0][0])).text.partition('id="found"')[2]
