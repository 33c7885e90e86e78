"""Every page without a finding of axe-core, on every screen, light and dark, at 200 % zoom and on paper.

Everything that folds is open, and so are the buttons of feedback.
"""

from __future__ import annotations

from importlib.resources import files
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from tests.web.apps import SIZES, visited

if TYPE_CHECKING:
    pass

SCHEMES = ("light", "dark")
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
# Of the page without readers.
PLAIN = ("", "?q=salt", "?q=coffee&section=results", "document?id=990005&q=heliotrope", "nothing")
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


def unfolded(page: Any) -> None:
    page.evaluate(OPENED)
    judging = page.get_by_role("button", name="Judge this answer")
    if judging.count():
        judging.click()


@pytest.mark.parametrize("size", [pytest.param("phone", marks=pytest.mark.slow), "desk"])
def test_axe_reports_no_findings(browser: Any, answering: str, axe: str, size: str) -> None:
    found = dict[tuple[str, str], Any]()
    for name, scheme in product(PAGES, SCHEMES):
        address, how = answering + PAGES[name], {"color_scheme": scheme, "bypass_csp": True}
        with visited(browser, address, size, noise="", **how) as page:
            unfolded(page)
            page.evaluate(axe)
            found[name, scheme] = page.evaluate(FINDINGS)
    assert {where: findings for where, findings in found.items() if findings} == {}


@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_wider_than_the_screen_and_all_text_can_be_read(
    browser: Any, address: str, answering: str, size: str, subtests: pytest.Subtests
) -> None:
    for scheme, path in product(SCHEMES, PLAIN):
        with (
            subtests.test(scheme=scheme, path=path),
            visited(browser, address + path, size, noise="404", color_scheme=scheme) as page,
        ):
            page.evaluate(OPENED)
            assert page.evaluate(WIDTH) <= SIZES[size][0]
            assert page.evaluate(FAINT) == []
            assert not page.evaluate(SMALL), "what is touched is large enough"
    for scheme, name in product(SCHEMES, ("yes or no", "a name")):
        with (
            subtests.test(scheme=scheme, name=name),
            visited(browser, answering + PAGES[name], size, color_scheme=scheme) as page,
        ):
            assert page.evaluate(WIDTH) <= SIZES[size][0]
            assert page.evaluate(FAINT) == []
            assert name == "a name" or page.locator(".conclusions .stance").first.is_visible()
