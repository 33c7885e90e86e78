"""What an answer says, in the API and on the page, and the sentences that it rests on."""

from __future__ import annotations

from typing import Any

from starlette.testclient import TestClient
from tests.web.apps import text

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
