"""Every page without a finding of axe-core, on a phone and on a desk, light and dark, and at 200 % zoom.

Everything that folds is open, and so are the buttons of feedback.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import pytest
from tests.web.browsing import SIZES, opened

pytest.importorskip("axe_playwright_python", reason="axe is not installed")
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")

PAGES = {
    "start": "",
    "stop words": "?q=the+of",
    "yes or no": "?q=Does+tea+cure+baldness%3F",
    "closest": "?q=Does+cold+brew+coffee+lower+the+risk+of+heliotropes%3F",
    "a name": "?q=Which+heliotrope+number+was+seen%3F",
    "a list": "?q=List+papers+on+salt",
    "a description": "?q=What+happens+to+coffee+in+the+stomach%3F",
    "nothing": "?q=Is+zzzqqq+xxyyz%3F",
    "a typo": "?q=cofee",
    "a filter": "?q=coffee&section=results&journal=No+such+journal",
    "a later page": "?q=exactlytwenty&page=2",
    "a paper": "document?id=99000027",
    "a marked paper": "document?id=990005&q=heliotrope",
    "a retracted paper": "document?id=990001&q=tea",
    "a title alone": "document?id=990004",
    "not found": "no-such-page",
    "not understood": "?q=tea&since=x",
}
OPENED = "document.querySelectorAll('details').forEach(each => each.open = true)"
FINDINGS = """async () => (await axe.run(document, {resultTypes: ['violations']})).violations
  .map(one => `${one.id}: ${one.nodes.map(node => node.html.slice(0, 120)).join(' | ')}`)"""


def unfolded(page: Any) -> None:
    page.evaluate(OPENED)
    judging = page.get_by_role("button", name="Judge this answer")
    if judging.count():
        judging.click()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", PAGES)
def test_axe_reports_no_findings(browser: Any, answering: str, name: str, size: str) -> None:
    for scheme in ("light", "dark"):
        page, _ = opened(browser, size, color_scheme=scheme, bypass_csp=True)
        page.goto(answering + PAGES[name])
        unfolded(page)
        page.evaluate(AXE)
        assert page.evaluate(FINDINGS) == [], scheme
        page.close()


def test_axe_finds_what_is_wrong(browser: Any, answering: str) -> None:
    page, _ = opened(browser, bypass_csp=True)
    page.goto(answering)
    page.evaluate("document.querySelector('label[for=q]').remove()")
    page.evaluate(AXE)
    assert any(one.startswith("label:") for one in page.evaluate(FINDINGS))
    page.close()


@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_wider_than_a_window_at_200_percent(browser: Any, answering: str, name: str) -> None:
    page = browser.new_page(viewport={"width": 640, "height": 400})
    page.goto(answering + PAGES[name])
    unfolded(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 640
    page.close()


def test_what_is_printed_has_no_buttons_and_all_sentences(browser: Any, answering: str) -> None:
    page, _ = opened(browser)
    page.goto(answering + PAGES["yes or no"])
    page.emulate_media(media="print")
    shown = "[...document.querySelectorAll('button, summary')].filter(each => each.checkVisibility()).length"
    assert page.evaluate(shown) == 0
    quotes = page.locator(".answer blockquote")
    assert quotes.count()
    hidden = (
        "[...document.querySelectorAll('.answer blockquote')].filter(each => !each.checkVisibility()).length"
    )
    assert page.evaluate(hidden) == 0
    heading = page.locator("h1").bounding_box()
    assert heading["height"] > 10, "the question is printed above its answer"
    page.close()
