"""Copying a sentence with its citation, in a real browser."""

from __future__ import annotations

from typing import Any

import pytest
from tests.web.browsing import opened

PATH = "?q=Does+cold+brew+coffee+raise+gastric+pH+less+than+espresso%3F"
READ = "navigator.clipboard.readText()"


def test_one_press_copies_the_sentence_with_its_citation(browser: Any, address: str) -> None:
    page, console = opened(browser, permissions=["clipboard-read", "clipboard-write"])
    page.goto(address + PATH)
    field = page.locator(".evidence textarea").first
    assert not field.is_visible()
    button = page.locator(".evidence .copy").first
    button.focus()
    page.keyboard.press("Enter")
    page.get_by_text("Copied to the clipboard").wait_for(state="attached")
    copied = page.evaluate(READ)
    assert copied == field.input_value()
    assert copied.startswith("“For half an hour")
    assert "doi:10.5555" in copied
    assert console == []
    page.close()


def test_a_browser_without_a_clipboard_copies_too(browser: Any, address: str) -> None:
    page, console = opened(browser, permissions=["clipboard-read"])
    page.add_init_script("Object.defineProperty(navigator.clipboard, 'writeText', {value: undefined})")
    page.goto(address + PATH)
    page.locator(".evidence .copy").nth(1).click()
    page.get_by_text("Copied to the clipboard").wait_for(state="attached")
    assert page.evaluate(READ) == page.locator(".evidence textarea").nth(1).input_value()
    assert not page.locator(".evidence textarea").nth(1).is_visible()
    assert console == []
    page.close()


def test_where_nothing_can_be_copied_the_text_is_selected(browser: Any, address: str) -> None:
    page, _ = opened(browser)
    page.add_init_script(
        "Object.defineProperty(navigator.clipboard, 'writeText', {value: undefined});"
        "document.execCommand = () => false;"
    )
    page.goto(address + PATH)
    page.locator(".evidence .copy").first.click()
    field = page.locator(".evidence textarea").first
    assert field.is_visible()
    assert page.evaluate("getSelection().toString() || document.activeElement.value") == field.input_value()
    page.close()


@pytest.mark.parametrize("script", [True, False])
def test_the_citation_is_there_without_scripts(browser: Any, address: str, script: bool) -> None:
    page, _ = opened(browser, java_script_enabled=script)
    page.goto(address + PATH)
    assert page.locator(".evidence .copy").first.is_visible() is script
    summary = page.locator(".evidence .citation summary").first
    assert summary.is_visible() is not script
    if not script:
        summary.click()
        assert page.locator(".evidence textarea").first.is_visible()
    page.close()
