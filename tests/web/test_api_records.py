"""What an answer says, in the API and on the page, and the sentences that it rests on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from starlette.testclient import TestClient
from tests.web.apps import text

import anagnosis
from anagnosis.reports.report import Item, Listing, Run
from anagnosis.reports.search.results import ask_report

BALDNESS = "Does tea cure baldness?"


def ask(client: TestClient, question: str, **query: Any) -> dict[str, Any]:
    answer = client.get("/api/ask", params={"q": question, **query})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_each_paper_about_the_question_has_its_conclusion_a_retracted_one_with_its_mark(
    asked: TestClient,
) -> None:
    (paper,) = ask(asked, BALDNESS)["conclusions"]["papers"]
    assert paper["document"] == paper["evidence"]["passage"]["document"] == "990001"
    assert paper["evidence"]["text"] == "Tea cures baldness in all mice."
    assert (paper["year"], paper["covered"]) == ("2018", 1)
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
    assert [one[:2] for one in marked] == ["1.", "1."], "a sentence, and a conclusion"
