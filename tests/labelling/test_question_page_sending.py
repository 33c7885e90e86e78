"""A served page: what it sends, how it goes on from its server, and servers that fail or have another tab's seconds."""

from __future__ import annotations

from typing import Any

import pytest

from tests.labelling.browser import SHOWN, chosen
from tests.labelling.page_server import Server, answered, said, settled


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


def test_closing_asks_where_the_server_lacks_an_answer(server: Server, tabs: Any) -> None:
    page = tabs()
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.click("#begin")
    chosen(page, 0)
    page.click(SHOWN + ".main")
    settled(page, server, 1)
    page.reload()
    said(page, "All answers are kept on the server.")
    assert asked == []
    server.fails = ""
    page.click("#begin")
    chosen(page, 1)
    page.click(SHOWN + ".main")
    said(page, "the server does not answer")
    page.reload()
    assert asked == ["beforeunload"]
