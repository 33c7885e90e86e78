"""A served page: what it sends, how it goes on from its server, and a server that fails or has another tab's seconds.

The server here is a few lines that keep the rules of the real one, which tests/web/people tests.
"""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from anagnosis.labelling.opened_study import open_study
from anagnosis.labelling.question_page import render
from tests.labelling.browser import SHOWN, chosen, drawn, saved, stopped, sync_api

ADDRESS = "http://study.test/token/"


class Server:
    """The page of ann. stored: id → line. fails: how it answers a line, by status, or "" for no answer at all."""

    def __init__(self, page: bytes) -> None:
        self.page, self.stored = page, dict[str, Any]()
        self.fails: int | str | None = None
        self.posted: list[dict[str, Any]] = []

    def __call__(self, route: Any) -> None:
        request = route.request
        if self.fails == "" and request.url != ADDRESS:
            route.abort()
        elif request.url == ADDRESS:
            route.fulfill(body=self.page, content_type="text/html; charset=utf-8")
        elif request.method == "GET":
            assert request.url == f"{ADDRESS}answers"
            route.fulfill(json={"lines": [*self.stored.values()]})
        elif self.fails:
            fault = {"what": "the disk is full", "where": "answers-ann.jsonl", "remedy": "make room"}
            route.fulfill(status=self.fails, json=fault)
        else:
            route.fulfill(json={"line": self.take(json.loads(request.post_data))})

    def take(self, body: dict[str, Any]) -> dict[str, Any]:
        assert {*body} == {"line", "since"}
        self.posted.append(body)
        line, before = body["line"], self.stored.get(body["line"]["id"])
        seconds = 0 if before is None else before["seconds"]
        if line != before:
            new = (
                line["seconds"]
                if seconds == body["since"]
                else seconds + max(line["seconds"] - body["since"], 0)
            )
            self.stored[line["id"]] = {**line, "seconds": round(new, 1)}
        return self.stored[line["id"]]


@pytest.fixture
def server(tmp_path: Path) -> Server:
    sheets = drawn(tmp_path, 3)
    opened = open_study(tmp_path / "d", sheets)
    (person,) = opened.people
    return Server(render(opened.studies[person], person, opened.drawn.seed, send="answers"))


@pytest.fixture
def tabs(browser: Any, server: Server) -> Generator[Any]:
    """Makes windows of one browser in which only the script's clock goes on."""
    contexts: list[Any] = []

    def another(*, fresh: bool = False, **options: Any) -> Any:
        if fresh or not contexts:
            context = browser.new_context(accept_downloads=True, **options)
            context.route("**", server)
            contexts.append(context)
        page = contexts[-1].new_page()
        page.on("pageerror", lambda fault: pytest.fail(str(fault)))
        stopped(page)
        page.goto(ADDRESS)
        said(page, "server")
        return page

    yield another
    for context in contexts:
        context.close()


def said(page: Any, text: str) -> None:
    """Wait until the page says so."""
    sync_api.expect(page.locator("body")).to_contain_text(text, use_inner_text=True)


def settled(page: Any, server: Server, lines: int) -> None:
    """Wait until the server has so many lines, and the page knows."""
    for _ in range(500):
        if len(server.posted) >= lines:
            break
        page.wait_for_timeout(10)
    assert len(server.posted) == lines
    said(page, "All answers are kept on the server.")


def answered(server: Server) -> dict[int, tuple[str, float]]:
    return {line["place"]: (line["answer"], line["seconds"]) for line in server.stored.values()}


def test_each_answer_is_sent_when_its_question_is_left(server: Server, tabs: Any) -> None:
    page = tabs()
    assert not page.locator("#load").count()
    page.click("#begin")
    page.clock.run_for(20_000)
    chosen(page, 0)
    assert server.posted == []
    page.click(SHOWN + ".main")
    settled(page, server, 1)
    assert [body["since"] for body in server.posted] == [0]
    assert answered(server) == {1: ("fever", 20)}
    page.click(SHOWN + ".back")
    page.clock.run_for(6_000)
    chosen(page, 1)
    page.click("#save")
    settled(page, server, 2)
    assert server.posted[1]["since"] == 20
    assert answered(server) == {1: ("amitriptyline", 26)}


def test_the_page_goes_on_from_the_server_on_another_machine(server: Server, tabs: Any) -> None:
    page = tabs()
    page.click("#begin")
    page.clock.run_for(20_000)
    chosen(page, 0)
    page.click(SHOWN + ".main")
    settled(page, server, 1)
    other = tabs(fresh=True)
    assert other.inner_text("#progress") == "1 of 3 answered"
    assert other.inner_text("#begin") == "Go on"
    other.click("#map summary")
    other.click("#map >> text=1")
    assert other.is_checked(SHOWN + "input[data-e='0']")
    other.clock.run_for(5_000)
    chosen(other, 2)
    other.click(SHOWN + ".main")
    settled(other, server, 2)
    assert answered(server) == {1: ("tachycardia", 25)}


def test_two_tabs_add_their_seconds(server: Server, tabs: Any) -> None:
    one, two = tabs(), tabs()
    for number, (page, seconds, entity) in enumerate(((one, 20, 0), (two, 7, 1)), 1):
        page.bring_to_front()
        page.click("#begin")
        page.clock.run_for(seconds * 1000)
        chosen(page, entity)
        page.click(SHOWN + ".main")
        settled(page, server, number)
    assert answered(server) == {1: ("amitriptyline", 27)}
    two.click(SHOWN + ".back")
    two.clock.run_for(3_000)
    chosen(two, 2)
    two.click(SHOWN + ".main")
    settled(two, server, 3)
    assert server.posted[-1]["since"] == 27
    assert answered(server) == {1: ("tachycardia", 30)}


@pytest.mark.parametrize(
    ("fails", "what"),
    [("", "the server does not answer"), (507, "the disk is full; make room"), (500, "the disk")],
)
def test_what_the_server_does_not_take_is_kept_and_sent_again(
    fails: int | str, what: str, server: Server, tabs: Any
) -> None:
    page = tabs()
    page.click("#begin")
    server.fails = fails
    page.clock.run_for(20_000)
    chosen(page, 0)
    page.click(SHOWN + ".main")
    said(page, what)
    assert "1 not kept on the server yet" in page.inner_text("#fault")
    assert "This browser keeps your answers" in page.inner_text("#fault")
    page.clock.run_for(10_000)
    assert server.stored == {}
    server.fails = None
    page.clock.run_for(10_000)
    settled(page, server, 1)
    assert answered(server) == {1: ("fever", 20)}
    chosen(page, 1)
    page.click(SHOWN + ".main")
    settled(page, server, 2)
    assert answered(server)[2] == ("amitriptyline", 20)


def test_what_was_not_sent_when_the_page_was_closed_is_sent_by_the_next(server: Server, tabs: Any) -> None:
    page = tabs()
    page.click("#begin")
    server.fails = ""
    page.clock.run_for(20_000)
    chosen(page, 0)
    page.click(SHOWN + ".main")
    said(page, "the server does not answer")
    page.close()
    server.fails = None
    again = tabs()
    settled(again, server, 1)
    assert answered(server) == {1: ("fever", 20)}
    assert again.inner_text("#progress") == "1 of 3 answered"


def test_a_line_whose_answer_got_lost_is_not_counted_twice(server: Server, tabs: Any) -> None:
    """The server wrote the line, and its answer did not arrive: the page sends the line again."""
    page = tabs()
    page.click("#begin")
    page.clock.run_for(20_000)
    chosen(page, 0)
    server.fails = ""
    page.click(SHOWN + ".main")
    said(page, "the server does not answer")
    kept = json.loads(page.evaluate("localStorage.getItem(Object.keys(localStorage)[0])"))
    ((waiting,),) = ([tab["lines"] for tab in kept["waiting"].values()],)
    server.take({"line": waiting[0], "since": 0})
    server.fails = None
    page.clock.run_for(10_000)
    settled(page, server, 2)
    assert answered(server) == {1: ("fever", 20)}


def test_a_server_that_is_away_at_the_start_is_asked_again(server: Server, tabs: Any) -> None:
    server.stored = {}
    server.fails = ""
    page = tabs()
    assert "The server's answers are not here yet" in page.inner_text("#fault")
    page.click("#begin")
    page.clock.run_for(3_000)
    chosen(page, 0)
    page.click(SHOWN + ".main")
    server.fails = None
    page.clock.run_for(10_000)
    settled(page, server, 1)
    assert answered(server) == {1: ("fever", 3)}


def test_a_copy_can_be_saved(server: Server, tabs: Any) -> None:
    page = tabs()
    page.click("#begin")
    page.clock.run_for(4_000)
    chosen(page, 0)
    name, lines = saved(page)
    assert name == "answers-ann.jsonl"
    assert [(line["answer"], line["seconds"]) for line in lines] == [("fever", 4)]


def test_what_one_tab_could_not_send_is_not_lost_by_another(server: Server, tabs: Any) -> None:
    one, two = tabs(), tabs()
    one.bring_to_front()
    one.click("#begin")
    server.fails = ""
    one.clock.run_for(20_000)
    chosen(one, 0)
    one.click(SHOWN + ".main")
    said(one, "the server does not answer")
    two.bring_to_front()
    two.click("#begin")
    two.click(SHOWN + ".main")
    two.clock.run_for(5_000)
    chosen(two, 1)
    two.click(SHOWN + ".main")
    said(two, "the server does not answer")
    one.close()
    two.close()
    server.fails = None
    three = tabs()
    settled(three, server, 2)
    assert answered(server) == {1: ("fever", 20), 2: ("amitriptyline", 5)}


def test_a_line_that_another_tab_has_sent_is_sent_once(server: Server, tabs: Any) -> None:
    one = tabs()
    one.click("#begin")
    server.fails = ""
    one.clock.run_for(20_000)
    chosen(one, 0)
    one.click(SHOWN + ".main")
    said(one, "the server does not answer")
    server.fails = None
    two = tabs()  # which takes it over
    settled(two, server, 1)
    one.clock.run_for(30_000)
    assert len(server.posted) == 1
    assert answered(server) == {1: ("fever", 20)}
