"""What trained readers say, in the API and on the page: whose it is, how sure, and the sentences that it rests on."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any, get_args

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from starlette.testclient import TestClient
from tests import measured
from tests.web.apps import runs_code, text, web_app
from tests.web.conftest import PAPERS
from tests.web.readers import stances
from tests.web.test_quotes import SOURCES, WORDS
from tests.web.test_routes import COFFEE, outline

import anagnosis
from anagnosis.reports.report import Item, Listing, Run
from anagnosis.reports.search.results import CONCLUDE, STATES, ask_report
from anagnosis.searching.analysis import nothing_asked
from anagnosis.searching.answers.readers import Readers
from anagnosis.searching.index.index import open_index
from anagnosis.searching.records.conclusions import NO_READER, NOT_EARNED, Stance
from anagnosis.web.limits import Limits
from anagnosis.web.pages import NO_PAPER, SCRIPTS

BALDNESS, HELIOTROPE = "Does tea cure baldness?", "Which heliotrope number was seen?"


def ask(client: TestClient, question: str, **query: Any) -> dict[str, Any]:
    answer = client.get("/api/ask", params={"q": question, **query})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_each_paper_about_the_question_has_its_conclusion_and_stance(asked: TestClient) -> None:
    found = ask(asked, BALDNESS)
    concluded = found["conclusions"]
    assert found["names"] is None
    assert (concluded["reader"], concluded["off"]) == ("stance-features", "")
    assert concluded["figures"]["accuracy"] == measured.STANCES.accuracy
    (paper,) = concluded["papers"]
    assert paper["document"] == paper["evidence"]["passage"]["document"] == "990001"
    assert paper["evidence"]["text"] == "Tea cures baldness in all mice."
    assert (paper["stance"], paper["year"], paper["covered"]) == ("supports", "2018", 1)


def test_a_retracted_paper_is_listed_with_its_mark_and_does_not_count(asked: TestClient) -> None:
    (paper,) = ask(asked, BALDNESS)["conclusions"]["papers"]
    assert [notice["kind"] for notice in paper["notices"]] == ["retracted", "expression_of_concern"]
    assert paper["notices"][0]["about"] == "990002"
    page = asked.get("/", params={"q": BALDNESS}).text
    box = text(page[page.index('id="conclude"') : page.index('<h2 id="found">')])
    assert box.index("this paper was retracted.") < box.index("Tea cures baldness")
    assert re.search(r"Supports such stances: \d+% right not counted", box)


def test_another_population_stands_beside_the_conclusion(asked: TestClient, folder: Path) -> None:
    people = f"{BALDNESS[:-1]} in adults?"
    for question, stance in ((BALDNESS, "supports"), (people, None)):
        (paper,) = ask(asked, question)["conclusions"]["papers"]
        assert (paper["population"], paper["stance"]) == ("in mice", stance)
        page = asked.get("/", params={"q": question}).text
        assert "In mice" in text(page[page.index('id="conclude"') : page.index('<h2 id="found">')])
        assert "In mice" in text(page[page.index('id="sentence-1"') : page.index('id="sentence-2"')])
    listings = [one for one in ask_report(anagnosis.ask(folder, people)).blocks if isinstance(one, Listing)]
    marked = [one.caption for one in listings if Item("population", (Run("in mice"),)) in one.items]
    assert [one[:2] for one in marked] == ["1.", "2.", "1."], "sentences, and a conclusion"


def test_the_page_shows_the_figures_beside_the_stances(asked: TestClient) -> None:
    page = asked.get("/", params={"q": COFFEE}).text
    seen, concluded = text(page), ask(asked, COFFEE)["conclusions"]
    assert {one["stance"] for one in concluded["papers"]} <= set(get_args(Stance))
    assert f"Stances by stance-features : {measured.STANCES.says}." in seen
    assert seen.index("Sentences that fit best") < seen.index(CONCLUDE) < seen.index("Papers 1 to")
    for one in concluded["papers"]:
        assert html.escape(one["evidence"]["text"]) in html.unescape(page)
    assert 3 in outline(page)
    assert 'style="' not in page


def test_without_earned_stances_the_conclusions_stand_alone(folder: Path) -> None:
    unearned = stances(replace(measured.STANCES, accuracy=0.8))
    for readers, why in ((Readers(), NO_READER), (Readers(stance=unearned), NOT_EARNED)):
        with TestClient(web_app(open_index(folder), Limits(rate=0, reading_seconds=60), readers)) as client:
            concluded = ask(client, BALDNESS)["conclusions"]
            seen = text(client.get("/", params={"q": BALDNESS}).text)
        assert (concluded["reader"], concluded["figures"], concluded["off"]) == (None, None, why)
        assert [one["stance"] for one in concluded["papers"]] == [None]
        assert "Tea cures baldness in all mice." in seen
        assert f"Whether a conclusion supports or opposes is not shown: {why}." in seen
        assert "Supports" not in seen


def test_names_have_their_confidence_their_sentence_and_a_way_to_it(asked: TestClient) -> None:
    found = ask(asked, HELIOTROPE)
    assert found["conclusions"] is None
    first = found["names"]["answers"][0]
    assert first["text"] in first["evidence"]["text"]
    assert first["confidence"] == 0.9
    page = asked.get("/", params={"q": HELIOTROPE}).text
    seen = text(page)
    assert f"{first['text']} 90%" in seen
    assert f"Also: {first['names'][0]}" in seen
    assert f"Names by long-words : {measured.NAMES.says}." in seen
    papers = list(dict.fromkeys(document for document, _ in client_hits(asked, HELIOTROPE)))
    rank = papers.index(first["evidence"]["passage"]["document"]) + 1
    assert f'href="#hit{rank}"' in page
    assert f'id="hit{rank}"' in page
    outline(page)
    found = client_hits(asked, HELIOTROPE)
    for one in first["evidence"], *ask(asked, HELIOTROPE)["evidence"]:
        assert found[one["rank"] - 1] == (one["passage"]["document"], one["passage"]["number"])


def client_hits(client: TestClient, question: str) -> list[tuple[str, int]]:
    """The passages that are found, by rank."""
    found = client.get("/api/search", params={"q": question, "limit": 20, "by": "passage"}).json()["found"]
    return [(hit["passage"]["document"], hit["passage"]["number"]) for hit in found]


def test_what_is_not_sure_stays_plain(asked: TestClient) -> None:
    assert ask(asked, "Is zzzqqq xxyyz?")["conclusions"] is None
    said = {
        "Is zzzqqq xxyyz?": NO_PAPER,
        "Does tea stop earthquakes of the Himalaya?": STATES["nothing"].says,
    }
    for question, plain in said.items():
        seen = text(asked.get("/", params={"q": question}).text)
        assert plain in seen
        assert CONCLUDE not in seen


@settings(max_examples=30)
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8), st.sampled_from(["Does", "Which", "List"]))
def test_every_sentence_that_readers_rest_on_is_a_substring_of_its_paper(
    asked: TestClient, words: list[str], how: str
) -> None:
    question = f"{how} {' '.join(words)}?"[:1000]
    assume(not nothing_asked(question))
    found = ask(asked, question)
    quoted = list(found["evidence"])
    if found["conclusions"]:
        quoted += [one["evidence"] for one in found["conclusions"]["papers"] if one["evidence"]]
    if found["names"]:
        quoted += [one["evidence"] for one in found["names"]["answers"]]
    for one in quoted:
        assert one["text"] == one["passage"][one["stands_in"]][one["begin"] : one["end"]]
        assert one["text"] in SOURCES[one["passage"]["document"]]
    for one in found["names"]["answers"] if found["names"] else []:
        assert one["text"] in one["evidence"]["text"]


def test_hostile_papers_are_escaped_in_answers_too(asked: TestClient) -> None:
    for question in ("Does salt lower 7?", "Which salt lowers nothing?"):
        page = asked.get("/", params={"q": question}).text
        assert "alert(1)" in html.unescape(page)
        assert page.count("<script") == page.count('<script src="/static/') == len(SCRIPTS)
        assert "<img" not in page
        assert runs_code(page) == []
    concluded = ask(asked, "Does salt lower 7?")["conclusions"]
    assert PAPERS[0].id in {one["document"] for one in concluded["papers"]}
