"""The box completes words, authors and journals, in a real browser, and is never in the way of typing."""

from __future__ import annotations

from typing import Any

import pytest
from tests.web.browsing import opened


def _typed(page: Any, text: str) -> Any:
    """The completions of what is typed, with the keyboard alone."""
    page.get_by_label("Question or words").focus()
    page.keyboard.type(text)
    page.locator("#completions li").first.wait_for()
    return page.locator("#completions li")


def test_a_word_is_completed_by_arrow_and_enter_without_a_search(browser: Any, address: str) -> None:
    page, console = opened(browser)
    page.goto(address)
    entries = _typed(page, "cold espr")
    assert "espresso" in entries.all_inner_texts()
    page.keyboard.press("ArrowDown")
    marked = page.locator("#completions [aria-selected=true]")
    assert page.locator("#q").get_attribute("aria-activedescendant") == marked.get_attribute("id")
    page.keyboard.press("Enter")
    assert page.locator("#q").input_value() == "cold espresso"
    assert not page.locator("#completions").is_visible()
    assert page.locator("#q").get_attribute("aria-expanded") == "false"
    assert page.url == address
    assert console == []
    page.close()


def test_a_journal_becomes_its_field(browser: Any, address: str) -> None:
    page, _ = opened(browser, "phone")
    page.goto(address)
    entries = _typed(page, "archives of supp")
    entries.filter(has_text="journal").first.click()
    assert page.locator("#q").input_value() == '"Archives of Supposed Physiology"[ta]'
    page.keyboard.press("Enter")
    page.wait_for_url("**/?q=*")
    assert page.locator(".hits > li").count()
    page.close()


def test_names_are_text_and_escape_closes(browser: Any, address: str) -> None:
    page, console = opened(browser)
    nasty = '<img src=x onerror="alert(1)">, B'
    page.route(
        "**/api/complete*",
        lambda route: route.fulfill(json={"words": [], "authors": [nasty], "journals": []}),
    )
    page.goto(address)
    entries = _typed(page, "im")
    assert entries.all_inner_texts() == [f"{nasty}\nauthor"]
    assert page.locator("#completions img").count() == 0
    page.keyboard.press("Escape")
    assert not page.locator("#completions").is_visible()
    assert page.locator("#q").input_value() == "im"
    assert console == []
    page.close()


def test_enter_and_tab_mean_what_they_mean_without_completions(browser: Any, address: str) -> None:
    page, _ = opened(browser)
    page.goto(address)
    _typed(page, "espr")
    page.keyboard.press("Tab")
    assert not page.locator("#completions").is_visible()
    assert page.evaluate("document.activeElement.textContent") == "Search"
    page.locator("#q").fill("")
    _typed(page, "espr")
    page.keyboard.press("Enter")
    page.wait_for_url("**/?q=espr")
    page.close()


def test_a_slow_answer_to_an_earlier_text_is_not_shown(browser: Any, address: str) -> None:
    page, _ = opened(browser)
    waiting: list[Any] = []

    def hold(route: Any) -> None:
        if route.request.url.endswith("q=esp&limit=4"):
            waiting.append(route)
        else:
            route.fulfill(json={"words": ["latest"], "authors": [], "journals": []})

    page.route("**/api/complete*", hold)
    page.goto(address)
    page.locator("#q").focus()
    with page.expect_request("**/api/complete*"):
        page.keyboard.insert_text("esp")
    page.keyboard.type("r")
    page.locator("#completions li").first.wait_for()
    assert len(waiting) == 1
    waiting[0].fulfill(json={"words": ["stale"], "authors": [], "journals": []})
    page.wait_for_timeout(100)
    assert page.locator("#completions").inner_text() == "latest"
    page.close()


def test_what_completes_an_earlier_text_never_takes_the_place_of_what_is_typed(
    browser: Any, address: str
) -> None:
    page, _ = opened(browser)
    page.goto(address)
    _typed(page, "espr")
    page.route("**/api/complete*", lambda route: None)
    page.keyboard.insert_text("esso at night")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/?q=espresso+at+night*")
    page.close()


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("cold espr", True),
        ("(espr", True),
        ("tea -espr", True),
        ("IL-espr", False),
        ("10.1/j.espr", False),
        ("tea[espr", False),
    ],
)
def test_only_words_are_completed(browser: Any, address: str, typed: str, offered: bool) -> None:
    page, _ = opened(browser)
    words = {"words": ["espresso"], "authors": [], "journals": []}
    page.route("**/api/complete*", lambda route: route.fulfill(json=words))
    page.goto(address)
    page.locator("#q").focus()
    page.keyboard.type(typed)
    if offered:
        page.locator("#completions li").click()
        assert page.locator("#q").input_value() == typed.replace("espr", "espresso")
    else:
        page.wait_for_timeout(300)
        assert not page.locator("#completions").is_visible()
    page.close()
