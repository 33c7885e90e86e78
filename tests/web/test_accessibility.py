"""Every page without a finding of axe-core, readable and no wider than the screen, light and dark, on desk and phone.

Everything that folds is open, and so are the buttons of feedback. A page is loaded once for all of it.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import pytest
from tests.web.apps import SIZES, visited

PAGES = {
    "start": "",
    "yes or no": "?q=Does+tea+cure+baldness%3F",
    "closest": "?q=Does+cold+brew+coffee+lower+the+risk+of+heliotropes%3F",
    "a name": "?q=Which+heliotrope+number+was+seen%3F",
    "nothing": "?q=Is+zzzqqq+xxyyz%3F",
    "a topic": "?q=coffee",
    "a filter": "?q=coffee&section=results&journal=No+such+journal",
    "a paper": "document?id=99000027&q=coffee",
    "a long paper": "document?id=990005&q=heliotrope",
    "a retracted paper": "document?id=990001&q=tea",
    "a title alone": "document?id=990004",
    "not found": "no-such-page",
}
OPENED = "document.querySelectorAll('details').forEach(each => each.open = true)"
WIDTH = "document.documentElement.scrollWidth"
FINDINGS = """async () => (await axe.run(document, {resultTypes: ['violations']})).violations
  .map(one => `${one.id}: ${one.nodes.map(node => node.html.slice(0, 120)).join(' | ')}`)"""
# Every text's contrast with the ground it stands on, WCAG 2.2: at least 4.5.
FAINT = """() => {
  const parts = colour => colour.match(/[\\d.]+/g).map(Number);
  const linear = v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => [r, g, b].map(v => linear(v / 255))
    .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
  const ground = each => { for (; each; each = each.parentElement) {
    const found = parts(getComputedStyle(each).backgroundColor); if (found.length < 4 || found[3] > 0) return found; }
    return [255, 255, 255]; };
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), faint = [];
  while (walk.nextNode()) { const each = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || !each.checkVisibility()) continue;
    const [a, b] = [light(parts(getComputedStyle(each).color)), light(ground(each))].sort((x, y) => y - x);
    if ((a + .05) / (b + .05) < 4.5) faint.push(each.outerHTML.slice(0, 80)); }
  return faint; }"""
SMALL = """() => [...document.querySelectorAll('button, summary, input:not([type=checkbox])')]
  .filter(each => each.checkVisibility() && each.getBoundingClientRect().height < 24).length"""


@pytest.fixture(scope="module")
def axe() -> str:
    """The script of axe-core."""
    pytest.importorskip("axe_playwright_python", reason="axe is not installed")
    return files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")


def unfold(page: Any) -> None:
    page.evaluate(OPENED)
    judging = page.get_by_role("button", name="Judge this answer")
    if judging.count():
        judging.click()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_can_be_used_by_everybody(browser: Any, answering: str, axe: str, name: str) -> None:
    with visited(browser, answering + PAGES[name], noise="40", bypass_csp=True) as page:
        unfold(page)
        for size, scheme in (("desk", "light"), ("phone", "dark")):
            width, height = SIZES[size]
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(color_scheme=scheme)
            assert page.evaluate(WIDTH) <= width, size
            assert page.evaluate(FAINT) == [], scheme
            assert not page.evaluate(SMALL), "what is touched is large enough"
        assert name != "yes or no" or page.locator(".conclusions").first.is_visible()
        if name != "a long paper":  # of whose 6,000 elements axe finds nothing new in 14 seconds
            page.emulate_media(color_scheme="light")
            page.evaluate(axe)
            assert page.evaluate(FINDINGS) == []
