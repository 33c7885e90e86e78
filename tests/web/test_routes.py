"""What each route gives: the page as somebody reads it, the API as a program does."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise, product
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.web.apps import text, web_app

from anagnosis.documents.document import Document, Section
from anagnosis.reports.search.results import CONCLUDE
from anagnosis.searching.index.index import create_index, open_index
from anagnosis.searching.passages import SECTIONS
from anagnosis.searching.sentences import evidence_order
from anagnosis.web import pages
from anagnosis.web.limits import Limits

COFFEE = "Does cold brew coffee raise gastric pH less than espresso?"


def test_a_question_brings_its_kind_its_sentences_and_ranked_sections(client: TestClient) -> None:
    page = client.get("/", params={"q": COFFEE}).text
    seen = text(page)
    assert "Read as asking for yes or no." in seen
    assert f"{CONCLUDE} Concludes in sentence 1 above" in seen
    assert "anagnosis serve" not in seen
    assert "For half an hour, cold brew raises gastric pH less than espresso does." in seen
    assert "strong" in seen
    assert f"Sentences were scored by {evidence_order.ABOUT.name}" in seen
    assert 'href="https://pubmed.ncbi.nlm.nih.gov/99000027/"' in page
    assert 'id="hit1"' in page
    outline(page)


# Of questions: the state of their answers.
ASKED = {
    COFFEE: "answered",
    "Does tea cure baldness?": "answered",
    "Which heliotrope number was seen?": "answered",
    "Does cold brew coffee lower the risk of heliotropes?": "closest",
    "Is zzzqqq coffee?": "nothing",
}


@pytest.mark.parametrize("question", ASKED)
def test_a_sentence_is_shown_once_and_none_is_strong_beside_a_doubt(asked: TestClient, question: str) -> None:
    page = asked.get("/", params={"q": question}).text
    assert f'data-state="{ASKED[question]}"' in page
    copied = r"<textarea.*?</textarea>|<h3 id=.hit.*?</h3>|<p class=.cite.*?</p>"  # to paste, and titles
    seen = text(re.sub(copied, "", page, flags=re.DOTALL))
    quotes = [text(each) for each in re.findall(r"<blockquote[^>]*>(.*?)</blockquote>", page, re.DOTALL)]
    assert 0 < len(quotes) == len(set(quotes))
    for quote in quotes:  # one may be the beginning of another
        assert seen.count(quote) == sum(quote in each for each in quotes)
    places = set(re.findall(r'id="((?:sentence|name|conclusion)-\d+)"', page))
    assert set(re.findall(r'href="#((?:sentence|name|conclusion)-\d+)"', page)) <= places
    assert "sentence 1 above" in seen
    assert ("strong" in seen) == (ASKED[question] == "answered")
    for passage in re.findall(r'<p class="text".*?</p>', page, re.DOTALL):
        assert passage.count("<mark") <= 2


def test_words_that_ask_nothing_get_twenty_papers_and_no_answer(client: TestClient) -> None:
    page = client.get("/", params={"q": "patients"}).text
    assert 'id="answer"' not in page
    assert "Papers 1 to 20" in text(page)
    question = "Is blood of patients cold?"
    asked = client.get("/", params={"q": question}).text
    assert 'id="answer"' in asked
    assert "Papers 1 to 20" in text(asked)
    found = client.get("/api/search", params={"q": question, "limit": 20}).json()["found"]
    linked = re.findall(r'<h3 id="hit(\d+)" dir="auto"><a href="/document\?id=([^&"]*)', asked)
    assert linked == [(str(hit["rank"]), hit["passage"]["document"]) for hit in found]
    marked = [any(one["strength"] for one in hit["sentences"]) for hit in found]
    for article, is_marked in zip(asked.split("<article")[1:], marked, strict=True):
        is_quoted = 'href="#sentence-' in article
        assert "<mark" in article or is_quoted or not is_marked, "also those that the answer did not read"
    assert sum(marked) > 15


def test_a_corrected_question_stands_before_the_verdict(client: TestClient) -> None:
    page = text(client.get("/", params={"q": "Does coffee raise gastric acidd of patiens?"}).text)
    assert page.index("Did you mean Does coffee raise gastric acid of patients? ") < page.index("Answer:")
    assert "??" not in page.replace(" ", "")


def outline(page: str) -> list[int]:
    """The levels of the headings, of which none is left out on the way down."""
    levels = [int(level) for level in re.findall(r"<h([1-6])", page)]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    return levels


def test_a_question_without_an_answer_says_so(client: TestClient) -> None:
    seen = text(client.get("/", params={"q": "Is zzzqqq xxyyz?"}).text)
    assert "No paper in this collection fits the question." in seen
    assert "Nothing was found. Other words may find more." in seen
    seen = text(client.get("/", params={"q": "coffee", "journal": "No such journal"}).text)
    assert "Nothing was found with these filters." in seen


def test_a_question_for_nothing_is_asked_for_more(client: TestClient) -> None:
    remedy = "add words for what the question is about"
    said = {
        "the of and": "all of these words stand in nearly every paper",
        "?!": "there is no word in it",
    }
    for route, (question, what) in product(("search", "ask"), said.items()):
        answer = client.get(f"/api/{route}", params={"q": question})
        told = answer.json()
        assert (answer.status_code, told["where"], told["what"], told["remedy"]) == (400, "q", what, remedy)
    for query in ("-tea", "NOT tea", "the AND of"):
        answers = {
            route: client.get(route, params={"q": query}) for route in ("/", "/api/search", "/api/ask")
        }
        assert {answer.status_code for answer in answers.values()} == {400}
        assert "Nothing to search for yet." in text(answers["/"].text)
    assert "Nothing to search for yet" not in text(client.get("/").text)
    assert "There is no word in it. Please add words" in text(client.get("/", params={"q": "?!"}).text)
    answer = client.get("/", params={"q": "The of and?"})
    assert answer.status_code == 400
    assert "Please add words for what the question is about." in text(answer.text)
    assert 'value="The of and?"' in answer.text, "the words can be added to"
    assert "Papers 1 to" not in text(answer.text)
    paper = client.get("/document", params={"id": "990001", "q": "the of and"}).text
    assert "<mark" not in paper
    assert "Back to" not in paper


@pytest.mark.parametrize(
    ("name", "called", "whole"),
    [
        ("journal", "Tea J", "No such journal here: Tea J; for example J Tea."),
        (
            "type", "Randomised Controlled Trial",
            "No such type of publication here: Randomised Controlled Trial; for example Randomized Controlled Trial",
        ),
    ],
)  # fmt: skip
def test_a_name_that_is_not_here_is_told_with_others_that_are(
    client: TestClient, name: str, called: str, whole: str
) -> None:
    query = {"q": "tea", name: called, "section": "abstract"}
    assert whole in text(client.get("/", params=query).text)
    for route in ("search", "ask"):
        assert client.get(f"/api/{route}", params=query).json()["left_out"].startswith(whole)
    near = whole.removesuffix(".").rpartition("example ")[2].lower()
    assert client.get("/api/ask", params=query | {name: near}).json()["left_out"] == ""


def test_papers_without_a_date_are_counted_where_dates_are_asked_for(client: TestClient) -> None:
    said = client.get("/api/search?q=tea&since=2010").json()["left_out"]
    found = re.fullmatch(
        r"Left out by the filter of dates: (\d+) papers without a date of publication\.", said
    )
    assert found is not None
    assert int(found[1]) > 3
    assert client.get("/api/ask?q=tea&until=2010").json()["left_out"] == said
    assert client.get("/api/ask?q=tea").json()["left_out"] == ""
    assert said in text(client.get("/?q=tea&since=2010").text)
    assert "Left out by" not in text(client.get("/?q=tea").text)


def test_a_long_document_comes_in_parts(client: TestClient) -> None:
    first = client.get("/api/document", params={"id": "990005"}).json()
    rest = client.get("/api/document", params={"id": "990005", "offset": 200}).json()
    assert (first["total"], len(first["passages"]), len(rest["passages"])) == (205, 100, 5)
    page = client.get("/document", params={"id": "990005", "page": 3}).text
    assert 'id="p204"' in page
    assert 'id="p199"' not in page
    assert "Earlier passages" in page
    assert client.get("/document", params={"id": "990005", "page": 4}).status_code == 404
    assert "Of this paper there is only the title." in client.get("/document", params={"id": "990004"}).text


def test_further_pages_follow_without_repeating(client: TestClient) -> None:
    def shown(number: int) -> list[str]:
        page = client.get("/", params={"q": "twentyone", "page": number}).text
        return re.findall(r'<h3 id="hit(\d+)"', page)

    assert [*shown(1), *shown(2)] == [str(rank) for rank in range(1, 22)]
    assert "There are no more papers." in client.get("/", params={"q": "twentyone", "page": 3}).text


def test_a_paper_is_shown_once_with_its_other_passages(client: TestClient) -> None:
    page = client.get("/", params={"q": "heliotrope"}).text
    assert len(re.findall(r'<h3 id="hit\d+"', page)) == 1
    counted = re.search(r"<summary>(\d+) more sections</summary>(.*?)</details>", page, re.DOTALL)
    assert counted
    links = re.findall(r'href="/document\?id=990005[^"#]*#p(\d+)"', counted[2])
    assert len(links) == len(set(links)) == int(counted[1]) > 50
    found = client.get("/api/search", params={"q": "heliotrope"}).json()
    (hit,) = found["found"]
    assert hit["passage"]["document"] == "990005"
    assert hit["passage"]["number"] not in {one["number"] for one in hit["more"]}
    passages = client.get("/api/search", params={"q": "heliotrope", "by": "passage", "limit": 3}).json()
    assert ([one["more"] for one in passages["found"]], passages["more"]) == ([[], [], []], True)


def test_filters_stay_in_the_form_and_are_named_below_it(client: TestClient) -> None:
    page = client.get("/?q=coffee&section=results&since=2010&journal=A&journal=B").text
    assert 'value="results" checked' in page
    assert 'name="since" value="2010"' in page
    assert page.count('name="journal" value=') == 2
    assert "Only: from 2010 × results × A × B × Remove all" in text(page)


def test_a_ranking_that_the_index_has_not_is_refused(client: TestClient) -> None:
    dense = client.get("/api/search", params={"q": "tea", "ranking": "dense"})
    assert (dense.status_code, dense.json()["remedy"]) == (409, "leave it out, or ask for lexical")
    assert client.get("/api/search", params={"q": "tea", "ranking": "lexical"}).json()["ranking"] == "lexical"


def test_counts_health_and_readiness(client: TestClient) -> None:
    counts = client.get("/api/collection").json()
    assert counts["documents"] > 166
    assert counts["sections"] == list(SECTIONS)
    assert client.get("/health").json() == {"status": "ok"}
    assert client.get("/ready").json() == {"status": "ready"}
    assert client.head("/").status_code == 200


def test_an_empty_collection_says_so_and_sees_the_first_commit(tmp_path: Path) -> None:
    emptied = create_index(tmp_path / "index")
    emptied.add(Document("0", (Section("title", "Salt"),)), Counter())
    emptied.commit()
    emptied.delete(["0"], Counter())
    emptied.commit()
    emptied.close()
    with TestClient(web_app(open_index(tmp_path / "index"), Limits())) as client:
        assert "There is no paper in this collection yet." in client.get("/").text
        writer = open_index(tmp_path / "index")
        writer.add(Document("1", (Section("title", "Tea"), Section("abstract", "Tea is hot."))), Counter())
        writer.commit()
        writer.close()
        assert "Tea is hot." in client.get("/?q=tea").text


def test_files_are_kept_for_good_under_their_marked_address(client: TestClient) -> None:
    addresses = dict(re.findall(r'"(/static/[^"?]*)(\?v=\w+)"', client.get("/").text))
    assert addresses.keys() == {f"/static/{name}" for name in pages.STATIC}
    kept = {path: client.get(path + mark).headers["cache-control"] for path, mark in addresses.items()}
    assert [path for path, how in kept.items() if "immutable" not in how] == []
    assert [path for path in addresses if "immutable" in client.get(path).headers["cache-control"]] == []
