"""A paper's page in a real browser: its contents beside its text, its citation, and its terms."""

from __future__ import annotations

from typing import Any

import pytest
from tests.web.browsing import SIZES, opened

LONG, COFFEE = "document?id=990005&q=heliotrope", "document?id=99000027"


def test_contents_stand_beside_the_text_and_stay_on_a_wide_screen(browser: Any, address: str) -> None:
    page, console = opened(browser)
    page.goto(address + LONG)
    contents, text = page.locator(".contents"), page.locator(".passages")
    assert page.locator(".contents a").first.is_visible()
    box, beside = contents.bounding_box(), text.bounding_box()
    assert box["x"] + box["width"] <= beside["x"]
    page.evaluate("scrollTo(0, 3000)")
    assert page.evaluate("scrollY") == 3000
    assert 0 <= contents.bounding_box()["y"] < 100
    assert console == []
    page.close()


def test_contents_are_folded_on_a_phone_and_lead_to_a_section(browser: Any, address: str) -> None:
    page, console = opened(browser, "phone")
    page.goto(address + COFFEE)
    link = page.locator(".contents a").last
    assert not link.is_visible()
    page.locator(".contents summary").focus()
    page.keyboard.press("Enter")
    links = page.locator(".contents a[href^='#p']")
    links.last.click()
    target = page.url.rpartition("#")[2]
    assert -1 <= page.locator(f"#{target}").bounding_box()["y"] < SIZES["phone"][1]
    assert console == []
    page.close()


def test_contents_are_there_without_scripts(browser: Any, address: str) -> None:
    page, _ = opened(browser, java_script_enabled=False)
    page.goto(address + COFFEE)
    page.locator(".contents summary").click()
    assert page.locator(".contents a").first.is_visible()
    page.close()


def test_contents_of_a_long_paper_lead_to_its_other_pages(browser: Any, address: str) -> None:
    page, _ = opened(browser)
    page.goto(address + LONG + "&page=2")
    page.locator(".contents a").first.click()
    page.wait_for_url("**#p*")
    assert "page=" not in page.url
    assert "q=heliotrope" in page.url
    assert page.locator(f"#{page.url.rpartition('#')[2]}").is_visible()
    page.close()


@pytest.mark.parametrize("size", SIZES)
def test_the_citation_of_a_paper_is_copied(browser: Any, address: str, size: str) -> None:
    page, console = opened(browser, size, permissions=["clipboard-read", "clipboard-write"])
    page.goto(address + COFFEE)
    page.get_by_role("button", name="Copy the citation of this paper").click()
    page.get_by_text("Copied to the clipboard").wait_for(state="attached")
    assert "Cold brew coffee raises gastric pH" in page.evaluate("navigator.clipboard.readText()")
    assert console == []
    page.close()
