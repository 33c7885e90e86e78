"""Hostile input to every route, and hostile papers on every page: refused plainly or escaped, never a crash."""

from __future__ import annotations

import json
import re
from itertools import product
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient
from tests.web.apps import runs_code
from tests.web.conftest import NASTY, PAPERS

from anagnosis.web.app import response
from anagnosis.web.faults import Fault
from anagnosis.web.pages import SCRIPTS
from anagnosis.web.parameters import cleaned

ROUTES = ("/", "/document", "/api/search", "/api/ask", "/api/complete", "/api/document")
NASTY_ID = quote(PAPERS[0].id)
# What the raw query string is → the statuses that are right for it.
QUERIES = {
    "q=" + "a" * 1001: {400, 404},
    "q=" + "a" * 9000: {414},
    "q=tea%00%01%1b%5b31m": {200, 400},
    "q=%ff%fe%80": {200, 400},
    "q=%E2%80%AEtea": {200, 400},
    "q=" + "%CC%81" * 900: {200, 400, 404},
    "q=tea&q=coffee": {200, 400},
    "q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E": {200, 400},
    "q={{7*7}}{%25+for+x+in+y+%25}": {200, 400},
    "q=title:tea+AND+*:*+OR+document:[a+TO+z]+\\": {200, 400},
    "q=tea&since=2020-13-45": {400, 200},
    "q=tea&" + "&".join(["journal=x"] * 50): {400, 200},
    "q=tea&limit=99999999999999999999999": {400, 200},
    "q=tea&limit=1e3&offset=-5": {400, 200},
    "q=tea&page=9999999": {400},
    "q=tea&unknown=1&utm_source=x": {200, 400},
    "id=../../../../etc/passwd": {400, 404, 200},
    "id=" + "a" * 2000: {400, 200},
    "": {200, 400},
    "a" * 7000: {200, 400},
}


def test_a_hostile_query_is_answered_or_refused(client: TestClient, subtests: pytest.Subtests) -> None:
    for route, query in product(ROUTES, QUERIES):
        with subtests.test(route=route, query=query[:30]):
            ident = "" if "id=" in query or "document" not in route else "&id=990001"
            answer = client.get(f"{route}?{query}{ident}")
            expected = QUERIES[query] | ({400} if route.startswith("/api") or "document" in route else set())
            expected |= {200} if "page=" in query else set()
            assert answer.status_code in expected, answer.text[:300]
            as_json = answer.headers["content-type"] == "application/json"
            assert as_json or "alert(1)</script>" not in answer.text.lower()
            # A question without words is no fault: the start page asks for more.
            if answer.status_code >= 400 and "Nothing to search for yet." not in answer.text:
                assert answer.headers["x-request-id"] in answer.text
            assert "root:" not in answer.text


REFUSED = {
    "/?q=tea&since=soon": "'soon' is no date",
    "/?q=tea&section=result": "unknown section 'result'",
    f"/?q={'a' * 1001}": "has more than 1000 characters",
    "/document?id=nothing": "no document 'nothing'",
    "/document": "is missing",
    "/nothing": "no such page",
    "/static/../app.py": "no such page",
    "/static/%2e%2e%2fapp.py": "no such page",
    "/api/ask": "is missing",
    "/api/ask?q=": "is missing",
    "/api/ask?q=%E2%80%AE%C2%A0": "there is no word in it",
    "/api/search?q=tea&since=2021&until=2020": "nothing lies between 2021 and 2020",
    "/api/search?q=tea&limti=3": "unknown parameter",
    "/api/search?q=tea&offset=1001": "1001 is out of range",
    "/?q=tea&page=51": "51 is out of range",
    "/api/ask?q=tea&q=coffee": "is given more than once",
    "/api/search?q=tea&limit=101": "101 is out of range",
    "/api/search?q=tea&limit=0": "0 is out of range",
    f"/api/search?q=tea&limit={2**70}": f"{2**70} is out of range",
    f"/api/search?q=tea&limit={'9' * 5000}": "has more than 1000 characters",
    "/api/search?q=tea&limit=many": "'many' is not a whole number",
    "/api/search?q=tea&highlight=perhaps": "'perhaps' is not True or False",
    "/api/search?q=tea&ranking=best": "unknown ranking 'best'",
    f"/api/search?q=tea{'&journal=J' * 100}": "is given more than 20 times",
    "/api/nothing": "no such page",
}


def test_a_refusal_says_what_and_is_a_page_or_json_as_its_route(
    client: TestClient, subtests: pytest.Subtests
) -> None:
    for address, said in REFUSED.items():
        with subtests.test(address[:40]):
            answer = client.get(address)
            assert answer.status_code in (400, 404)
            assert said in answer.text.replace("&#39;", "'")
            as_json = address.startswith("/api/")
            assert answer.headers["content-type"].startswith("application/json" if as_json else "text/html")
            assert answer.headers["cache-control"] == "no-store"
            if as_json:
                assert set(answer.json()) == {"status", "what", "where", "remedy", "request"}
                assert "limit=" not in address or answer.json()["where"] == "limit"


NAMES = {"since", "until", "added_since", "section", "journal", "type", "collection", "tag"}
ASKING = NAMES | {"q", "limit", "ranking", "synonyms", "without"}
TAKEN = {
    "search": ASKING | {"offset", "by", "sort", "facets", "highlight"},
    "ask": ASKING,
    "complete": {"q", "limit"},
    "document": {"id", "limit", "offset"},
    "related": {"id", "limit"},
    "collection": set[str](),
}


def test_no_folder_and_no_device_of_the_server_can_be_named(client: TestClient) -> None:
    """A verb may get new parameters, which are then the web's too: look at them here."""
    found = client.get("/openapi.json").json()["paths"]
    taken = {path: {one["name"] for one in each["get"]["parameters"]} for path, each in found.items()}
    assert taken == {f"/api/{name}": names for name, names in TAKEN.items()}


def test_a_mistake_in_a_filter_leads_back_to_the_question(client: TestClient) -> None:
    assert 'href="/?q=black+tea"' in client.get("/?q=black+tea&since=soon").text
    assert client.get("/?q=black+tea&utm_source=another+site").status_code == 200


def test_nothing_can_be_changed(client: TestClient) -> None:
    methods, routes = (
        ("POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"),
        (*ROUTES, "/health", "/api/collection"),
    )
    answers = {each: client.request(*each) for each in product(methods, routes)}
    assert {each for each, answer in answers.items() if answer.status_code != 405} == set()
    assert {each for each, answer in answers.items() if "GET" not in answer.headers.get("allow", "")} == set()


def test_a_large_body_is_refused_unread(client: TestClient) -> None:
    assert client.request("GET", "/api/search?q=tea", content=b"x" * 5000).status_code == 413
    huge = {"content-length": "9" * 30}
    assert client.request("GET", "/?q=tea", headers=huge).status_code == 413
    assert client.request("GET", "/?q=tea", content=b"x" * 50).status_code == 200


def test_a_papers_text_is_escaped_everywhere(client: TestClient) -> None:
    answers = ("/?q=Does+salt+lower+7%3F", "/?q=Which+salt+lowers+nothing%3F")
    for address in ("/?q=salt", f"/document?id={NASTY_ID}", f"/document?id={NASTY_ID}&q=salt", *answers):
        page = client.get(address).text
        assert "alert(1)" in page
        assert NASTY not in page
        assert "<img" not in page
        assert page.count("<script") == page.count('<script src="/static/') == len(SCRIPTS)
        assert not re.search(r"""href=["']?\s*(javascript|data):""", page)
        assert "{{ 7 * 7 }}" in page or address in answers
        assert runs_code(page) == []
        assert runs_code(page + NASTY) == ["img", "onerror"]
    concluded = client.get("/api/ask?q=Does+salt+lower+7%3F").json()["conclusions"]
    assert PAPERS[0].id in {one["document"] for one in concluded["papers"]}


def test_what_html_cannot_hold_is_replaced_on_pages_and_kept_in_json(client: TestClient) -> None:
    page = client.get("/?q=charlatanry").text
    assert not re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f]", page)
    found = client.get("/api/search?q=charlatanry").json()["found"][0]
    assert "\x01" in found["passage"]["text"]


def test_a_question_is_one_line_without_controls() -> None:
    assert cleaned(" a\x00b\n\tc\u202ed\u2028e ") == "a b cd e"
    assert cleaned("β-amyloid 日本 e\u0301") == "β-amyloid 日本 e\u0301"


REMEDIES = (
    "make them with `anagnosis index --out /srv/papers --encoder NAME`",
    "give --readers",
    "--replace makes it again",
    "run it with `--ranking lexical`",
)


def test_a_visitor_sees_no_command(subtests: pytest.Subtests) -> None:
    for path, remedy in product(("/api/ask", "/", "/ready"), REMEDIES):
        with subtests.test(path=path, remedy=remedy):
            fault = Fault(409, "no vectors here", "ranking", remedy)
            body = bytes(response({"path": path}, fault).body).decode()
            assert "no vectors here" in body
            assert "tell those who run this page" in body
            assert "anagnosis index" not in body
            assert "--" not in body.partition("tell those")[2].partition("page")[0]
            assert "/srv" not in body


def test_other_remedies_stay() -> None:
    for remedy in ("", "ask again in a moment, or search", "the well-known -x"):
        body = bytes(response({"path": "/ready"}, Fault(503, "", "", remedy)).body)
        assert json.loads(body)["remedy"] == remedy
