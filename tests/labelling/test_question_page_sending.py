"""A served page: what it sends, how it goes on from its server, and servers that fail or have another tab's seconds."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.labelling.browser import SHOWN, chosen, saved
from tests.labelling.page_server import Server, answered, said, settled


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
        page.click("#map summary")
        page.click("#map >> text=1")
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
    assert "1 answer is not kept on the server yet" in page.inner_text("#fault")
    assert "This browser keeps your answers" in page.inner_text("#fault")
    page.clock.run_for(10_000)
    while server.refused < 2:
        page.wait_for_timeout(10)
    page.wait_for_timeout(100)  # until the page knows
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
