"""When a page may be closed: what it has told its server, what a file has, and what it says and asks of the rest."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from tests.labelling.browser import SHOWN, begun, chosen, drawn, opened, saved
from tests.labelling.page_server import Server, answered, said, settled
from tests.labelling.test_question_page_keeping import FULL, STORES_NOTHING

KEPT = "All answers are kept on the server."
NOT_YET = "The answer on screen is not on the server yet."


@pytest.fixture
def page(browser: Any) -> Generator[Any]:
    """A tab in which dialogs are taken as "leave" and kept in `page.asked`."""
    context = browser.new_context(accept_downloads=True)
    tab = context.new_page()
    tab.asked = []
    tab.on("dialog", lambda dialog: (tab.asked.append(dialog.type), dialog.accept()))
    yield tab
    context.close()


def at_the_end(page: Any) -> str:
    """What the last page says."""
    page.click("#map summary")
    page.click("#map >> text=End")
    return page.inner_text("#end")


def test_an_answer_that_stays_is_sent_before_its_question_is_left(server: Server, tabs: Any) -> None:
    page = tabs()
    page.click("#begin")
    assert page.inner_text("#state") == KEPT
    page.clock.run_for(10_000)
    chosen(page, 0)
    assert page.inner_text("#state") == NOT_YET
    page.clock.run_for(3_000)
    assert server.posted == []
    page.clock.run_for(3_000)
    settled(page, server, 1)
    assert answered(server) == {1: ("fever", 10)}  # the seconds until the answer, not those of the pause
    page.click(SHOWN + ".main")
    page.clock.run_for(60_000)
    assert len(server.posted) == 1


def test_a_click_is_no_line_while_others_follow(server: Server, tabs: Any) -> None:
    page = tabs()
    page.click("#begin")
    for entity in (0, 1, 2, 0, 3):
        page.clock.run_for(4_000)
        chosen(page, entity)
    assert server.posted == []
    page.clock.run_for(6_000)
    settled(page, server, 1)
    assert answered(server) == {1: ("qrs complex", 20)}


def test_an_answer_that_is_not_complete_is_not_said_to_be_kept(server: Server, tabs: Any) -> None:
    page = tabs()
    page.click("#begin")
    page.click(SHOWN + ".passage a >> nth=0")
    page.clock.run_for(20_000)
    assert page.inner_text("#state") == NOT_YET
    assert server.posted == []


def test_a_window_that_is_hidden_sends_the_answer_on_screen(server: Server, tabs: Any) -> None:
    page = tabs()
    page.click("#begin")
    chosen(page, 0)
    page.evaluate(
        "Object.defineProperty(document, 'visibilityState', {get: () => 'hidden', configurable: true})"
    )
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    settled(page, server, 1)


def test_words_that_are_being_written_are_no_line(window: Any, tmp_path: Path) -> None:
    window.clock.install(time=0)
    window.clock.pause_at(1)
    begun(window, drawn(tmp_path, 1, texts=True, knowledge=False))
    window.fill(SHOWN + "input[type=text]", "whole")
    window.clock.run_for(20_000)
    window.fill(SHOWN + "input[type=text]", "whole bowel irrigation")
    window.clock.run_for(40_000)
    window.fill(SHOWN + "input[type=text]", "an enema")
    assert [line["answer"] for line in saved(window)[1]] == ["whole bowel irrigation", "an enema"]


def test_the_last_page_says_that_answers_are_not_kept_until_they_are(server: Server, tabs: Any) -> None:
    page = tabs()
    page.click("#begin")
    server.fails = ""
    for entity in (0, 1):
        chosen(page, entity)
        page.click(SHOWN + ".main")
    said(page, "the server does not answer")
    text = at_the_end(page)
    assert "Leave the page open: 2 answers are not kept on the server yet." in text
    assert "you may close the page" not in text
    server.fails = None
    page.clock.run_for(10_000)
    settled(page, server, 2)
    said(page, "you may close the page")
    assert "Leave the page open" not in page.inner_text("#end")


def test_closing_asks_where_the_server_lacks_an_answer(server: Server, tabs: Any) -> None:
    page = tabs()
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.click("#begin")
    chosen(page, 0)
    page.click(SHOWN + ".main")
    settled(page, server, 1)
    page.reload()
    said(page, KEPT)
    assert asked == []
    server.fails = ""
    page.click("#begin")
    chosen(page, 1)
    page.click(SHOWN + ".main")
    said(page, "the server does not answer")
    page.reload()
    assert asked == ["beforeunload"]


def test_another_tab_and_another_browser_show_a_changed_answer(server: Server, tabs: Any) -> None:
    one, two = tabs(), tabs()
    far = tabs(fresh=True)
    for page in (one, two, far):
        page.click("#begin")
    chosen(one, 0)
    one.click(SHOWN + ".main")
    settled(one, server, 1)
    two.wait_for_selector(SHOWN + "input[data-e='0']:checked")  # by the browser's own event
    assert two.inner_text("#progress") == "1 of 3 answered"
    assert not far.is_checked(SHOWN + "input[data-e='0']")
    far.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # it is looked at again
    far.wait_for_selector(SHOWN + "input[data-e='0']:checked")
    chosen(far, 2)
    far.click(SHOWN + ".main")
    settled(far, server, 2)
    for page in (one, two):
        page.evaluate("dispatchEvent(new Event('focus'))")
    two.wait_for_selector(SHOWN + "input[data-e='2']:checked")
    one.click(SHOWN + ".back")
    assert one.is_checked(SHOWN + "input[data-e='2']")
    assert answered(server)[1][0] == "tachycardia"
    one.wait_for_timeout(500)
    asked = server.asked
    one.wait_for_timeout(500)
    assert server.asked == asked  # no tab makes another ask without an end


def test_what_is_being_changed_here_is_not_overwritten_from_elsewhere(server: Server, tabs: Any) -> None:
    one, far = tabs(), tabs(fresh=True)
    for page in (one, far):
        page.click("#begin")
    chosen(one, 0)
    one.click(SHOWN + ".main")
    settled(one, server, 1)
    chosen(far, 1)
    far.evaluate("dispatchEvent(new Event('focus'))")
    said(far, NOT_YET)
    assert far.is_checked(SHOWN + "input[data-e='1']")
    far.click(SHOWN + ".main")
    settled(far, server, 2)
    assert answered(server)[1][0] == "amitriptyline"


def test_a_reply_that_is_older_than_an_answer_is_asked_for_again(server: Server, tabs: Any) -> None:
    """The page asks, sends an answer meanwhile, and must not take the reply from before as newer."""
    page = tabs()
    page.click("#begin")
    chosen(page, 0)
    page.click(SHOWN + ".main")
    settled(page, server, 1)
    page.click(SHOWN + ".back")
    held: list[Any] = []

    def hold(route: Any) -> None:
        if route.request.method == "GET" and not held:
            held.append((route, {"lines": [dict(line) for line in server.stored.values()]}))
        else:
            server(route)

    page.route("**/answers", hold)
    page.evaluate("dispatchEvent(new Event('focus'))")
    chosen(page, 2)
    page.click("#save")  # which commits the answer
    settled(page, server, 2)
    ((route, before),) = held
    assert [line["answer"] for line in before["lines"]] == ["fever"]
    with page.expect_response(lambda response: response.request.method == "GET"):
        route.fulfill(json=before)
    page.wait_for_timeout(200)
    assert page.is_checked(SHOWN + "input[data-e='2']")
    assert answered(server)[1][0] == "tachycardia"


def test_who_loses_an_answer_that_is_only_begun_is_asked(page: Any, tmp_path: Path) -> None:
    page.add_init_script(STORES_NOTHING)
    begun(page, drawn(tmp_path, 2))
    page.click(SHOWN + ".passage a >> nth=0")
    page.reload()
    assert page.asked == ["beforeunload"]


def test_the_last_page_of_a_file_says_what_is_in_no_file(page: Any, tmp_path: Path) -> None:
    sheets = drawn(tmp_path, 2)
    begun(page, sheets)
    chosen(page, 0)
    text = at_the_end(page)
    assert "1 answer is in no file yet. Save your answers, and give the file back." in text
    assert "This browser keeps your answers, too, unless its window is a private one." in text
    saved(page)
    assert "The file that you saved last has all your answers: give it back." in page.inner_text("#end")
    assert "no file yet" not in page.inner_text("#end")
    page.reload()  # which the page remembers
    assert "The file that you saved last has all your answers" in at_the_end(page)
    page.click("#map >> text=1")
    chosen(page, 1)
    page.click("#map >> text=End")
    assert "1 answer is in no file yet." in page.inner_text("#end")
    assert page.asked == []  # the browser has them


def test_who_has_answered_nothing_is_told_nothing_of_files(page: Any, tmp_path: Path) -> None:
    begun(page, drawn(tmp_path, 2))
    text = at_the_end(page)
    assert "no file yet" not in text
    assert "The file that you saved" not in text


def test_the_first_page_says_what_the_browser_keeps(page: Any, tmp_path: Path) -> None:
    opened(page, drawn(tmp_path, 2))
    assert "This browser keeps your answers, so that you may close the page" in page.inner_text("#start")
    assert "a private window forgets them" in page.inner_text("#start")


def test_a_browser_that_stops_keeping_answers_asks_before_the_page_is_closed(
    page: Any, tmp_path: Path
) -> None:
    begun(page, drawn(tmp_path, 2))
    chosen(page, 0)
    page.click(SHOWN + ".main")
    page.evaluate(f"void ({FULL})")
    chosen(page, 1)
    assert "This browser keeps no answers" in page.inner_text("#fault")
    page.reload()
    assert page.asked == ["beforeunload"]
