"""What an answer says, in the API and on the page, and the sentences that it rests on."""

from __future__ import annotations

import html
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient
from tests.web.apps import text
from tests.web.test_routes import COFFEE, outline

import anagnosis
from anagnosis.reports.report import Item, Listing, Run
from anagnosis.reports.search.results import CONCLUDE, STATES, ask_report

BALDNESS, HELIOTROPE = "Does tea cure baldness?", "Which heliotrope number was seen?"


def ask(client: TestClient, question: str, **query: Any) -> dict[str, Any]:
    answer = client.get("/api/ask", params={"q": question, **query})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_each_paper_about_the_question_has_its_conclusion(asked: TestClient) -> None:
    (paper,) = ask(asked, BALDNESS)["conclusions"]["papers"]
    assert paper["document"] == paper["evidence"]["passage"]["document"] == "990001"
    assert paper["evidence"]["text"] == "Tea cures baldness in all mice."
    assert (paper["year"], paper["covered"]) == ("2018", 1)


def test_a_retracted_paper_is_listed_with_its_mark(asked: TestClient) -> None:
    (paper,) = ask(asked, BALDNESS)["conclusions"]["papers"]
    assert [notice["kind"] for notice in paper["notices"]] == ["retracted", "expression_of_concern"]
    assert paper["notices"][0]["about"] == "990002"
    page = asked.get("/", params={"q": BALDNESS}).text
    box = text(page[page.index('id="conclude"') : page.index('<h2 id="found">')])
    assert box.index("this paper was retracted.") < box.index("Tea cures baldness")


def test_another_population_stands_beside_the_conclusion(asked: TestClient, folder: Path) -> None:
    people = f"{BALDNESS[:-1]} in adults?"
    for question in (BALDNESS, people):
        (paper,) = ask(asked, question)["conclusions"]["papers"]
        assert paper["population"] == "in mice"
        page = asked.get("/", params={"q": question}).text
        assert "In mice" in text(page[page.index('id="conclude"') : page.index('<h2 id="found">')])
        assert "In mice" in text(page[page.index('id="sentence-1"') : page.index('id="sentence-2"')])
    listings = [one for one in ask_report(anagnosis.ask(folder, people)).blocks if isinstance(one, Listing)]
    marked = [one.caption for one in listings if Item("population", (Run("in mice"),)) in one.items]
    assert [one[:2] for one in marked] == ["1.", "2.", "1."], "sentences, and a conclusion"


def test_the_page_shows_the_conclusions_below_the_sentences(asked: TestClient) -> None:
    page = asked.get("/", params={"q": COFFEE}).text
    seen, concluded = text(page), ask(asked, COFFEE)["conclusions"]
    assert seen.index("Sentences that fit best") < seen.index(CONCLUDE) < seen.index("Papers 1 to")
    for one in concluded["papers"]:
        assert html.escape(one["evidence"]["text"]) in html.unescape(page)
    assert 3 in outline(page)
    assert 'style="' not in page


def test_a_sentence_has_the_rank_of_its_passage(asked: TestClient) -> None:
    found = client_hits(asked, HELIOTROPE)
    for one in ask(asked, HELIOTROPE)["evidence"]:
        assert found[one["rank"] - 1] == (one["passage"]["document"], one["passage"]["number"])


def client_hits(client: TestClient, question: str) -> list[tuple[str, int]]:
    """The passages that are found, by rank."""
    found = client.get("/api/search", params={"q": question, "limit": 20, "by": "passage"}).json()["found"]
    return [(hit["passage"]["document"], hit["passage"]["number"]) for hit in found]


def test_what_is_not_sure_stays_plain(asked: TestClient) -> None:
    assert ask(asked, "Is zzzqqq xxyyz?")["conclusions"] is None
    said = {
        "Is zzzqqq xxyyz?": "No paper in this collection fits the question.",
        "Does tea stop earthquakes of the Himalaya?": STATES["nothing"].says,
    }
    for question, plain in said.items():
        seen = text(asked.get("/", params={"q": question}).text)
        assert plain in seen
        assert CONCLUDE not in seen
