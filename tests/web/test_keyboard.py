"""Keys of the results, in a real browser; a reader of the page can switch them off."""

from __future__ import annotations

from typing import Any

from tests.web.browsing import opened

MANY = "?q=twentyone"
FOCUSED = (
    "document.activeElement.closest('article')?.getAttribute('aria-labelledby') || document.activeElement.id"
)


def test_a_slash_leads_to_the_box_and_arrows_walk_through_the_results(browser: Any, address: str) -> None:
    page, console = opened(browser)
    page.goto(address + MANY)
    assert page.locator(".hits > li").count() > 2
    walked = []
    for key in ("/", "ArrowDown", "ArrowDown", "j", "k", "ArrowUp", "ArrowUp"):
        page.keyboard.press(key)
        walked.append(page.evaluate(FOCUSED))
    assert walked == ["q", "hit1", "hit2", "hit3", "hit2", "hit1", "q"]
    assert page.locator("#q").input_value() == "twentyone"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/document?id=*")
    assert console == []
    page.close()


def test_letters_are_typed_in_fields_and_modified_keys_are_the_browsers(browser: Any, address: str) -> None:
    page, _ = opened(browser)
    page.goto(address + MANY)
    page.keyboard.press("/")
    page.keyboard.type("j/k?")
    assert page.locator("#q").input_value() == "j/k?"
    page.locator("#found").click()
    page.keyboard.press("Control+j")
    assert not page.evaluate("document.activeElement.closest('article')")
    page.close()


def test_keys_work_on_a_box_to_tick(browser: Any, address: str) -> None:
    page, _ = opened(browser)
    page.goto(address + MANY)
    walked = []
    for key in ("j", "/"):
        page.locator(".hits input[type=checkbox]").first.focus()
        page.keyboard.press(key)
        walked.append(page.evaluate(FOCUSED))
    assert walked == ["hit2", "q"]
    page.close()


def test_the_keys_are_shown_and_can_be_switched_off_for_good(browser: Any, address: str) -> None:
    page, _ = opened(browser)
    page.goto(address + MANY)
    page.keyboard.press("?")
    page.get_by_label("Use these keys").click()
    page.keyboard.press("Escape")
    assert not page.locator("#keys").is_visible()
    page.reload()
    page.keyboard.press("/")
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.tagName") == "BODY"
    page.get_by_role("button", name="Keys").click()
    assert not page.get_by_label("Use these keys").is_checked()
    page.close()


def test_the_first_result_is_two_tabs_away(browser: Any, address: str) -> None:
    page, _ = opened(browser)
    page.goto(address + MANY)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the papers"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUSED) == "hit1"
    page.close()
