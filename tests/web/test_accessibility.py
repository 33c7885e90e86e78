"""Every page without a finding of axe-core, on every screen, light and dark, at 200 % zoom and on paper.

Everything that folds is open, and so are the buttons of feedback.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from importlib.resources import files
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from tests.web.apps import SIZES, served, visited

from anagnosis.documents.document import Document, Section
from anagnosis.searching.index.index import create_index

if TYPE_CHECKING:
    from anagnosis.searching.answers.readers import Readers

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


@pytest.mark.parametrize("size", SIZES)
def test_axe_reports_no_findings(browser: Any, answering: str, axe: str, size: str) -> None:
    found = dict[tuple[str, str], Any]()
    for name, scheme in product(PAGES, SCHEMES):
        address, how = answering + PAGES[name], {"color_scheme": scheme, "bypass_csp": True}
        with visited(browser, address, size, noise="", **how) as page:
            unfolded(page)
            page.evaluate(axe)
            found[name, scheme] = page.evaluate(FINDINGS)
    assert {where: findings for where, findings in found.items() if findings} == {}


def test_axe_finds_what_is_wrong(browser: Any, answering: str, axe: str) -> None:
    with visited(browser, answering, noise="", bypass_csp=True) as page:
        page.evaluate("document.querySelector('label[for=q]').remove()")
        page.evaluate(axe)
        assert any(one.startswith("label:") for one in page.evaluate(FINDINGS))


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


def test_nothing_is_wider_than_a_window_at_200_percent(browser: Any, answering: str) -> None:
    widths = dict[str, int]()
    for name, path in PAGES.items():
        page = browser.new_page(viewport={"width": 640, "height": 400})
        page.goto(answering + path)
        unfolded(page)
        widths[name] = page.evaluate(WIDTH)
        page.close()
    assert {name: width for name, width in widths.items() if width > 640} == {}


def test_what_is_printed_has_no_buttons_and_all_sentences(browser: Any, answering: str) -> None:
    with visited(browser, answering + PAGES["yes or no"], noise="") as page:
        page.emulate_media(media="print")
        shown = (
            "[...document.querySelectorAll('button, summary')].filter(each => each.checkVisibility()).length"
        )
        assert page.evaluate(shown) == 0
        assert page.locator(".answer blockquote").count()
        hidden = (
            "[...document.querySelectorAll('.answer blockquote')].filter(each => !each.checkVisibility())"
        )
        assert page.evaluate(f"{hidden}.length") == 0
        heading = page.locator("h1").bounding_box()
        assert heading["height"] > 10, "the question is printed above its answer"


TITLE = "Marzipan, migraine and the mill: a trial of marzipan against migraine in millers who eat little else"
ASIDE = (
    ", although neither age nor the season of the harvest mattered to people who had never seen a windmill"
)
QUESTIONS = {
    "yesno": "Does marzipan prevent migraine in millers?",
    "factoid": "Which sweet prevents migraine in millers?",
    "list": "List sweets that prevent migraine in millers",
    "summary": "How does marzipan prevent migraine in millers?",
}


def wordy_paper(number: int) -> Document:
    claim = f"In conclusion, marzipan number {number} prevents migraine in millers"
    sections = (
        Section("title", f"{TITLE} ({number}). {TITLE}"),
        Section("abstract", f"{claim}{ASIDE * 12}.", title="CONCLUSIONS OF THE AUTHORS " * 8),
    )
    journal = "Journal of Supposed Confectionery " * 4
    facts = {"date": "2018", "journal": journal, "types": "Randomized Controlled Trial"}
    return Document(str(number), sections, facts=facts)


@pytest.fixture(scope="module")
def wordy(tmp_path_factory: pytest.TempPathFactory, readers: Readers) -> Generator[str]:
    """A page over twelve papers that conclude at length, beside others on anything else."""
    folder = tmp_path_factory.mktemp("wordy")
    index = create_index(folder / "index")
    for number in range(12):
        index.add(wordy_paper(number), Counter())
    for number in range(100, 160):
        filler = Section("abstract", f"Windmill {number} was seen in a harvest.")
        index.add(Document(str(number), (Section("title", f"Windmill {number}"), filler)), Counter())
    index.commit()
    index.close()
    with served(folder / "index", readers) as address:
        yield address


def test_an_answer_takes_less_than_three_screens_and_opens(browser: Any, wordy: str) -> None:
    asked = {kind: f"{wordy}?q={question.replace(' ', '+')}" for kind, question in QUESTIONS.items()}
    with visited(browser, asked["yesno"], noise="") as page:
        more = page.locator("section.answer .conclusions .rest > summary").inner_text()
        assert more.endswith("more papers")
        for kind, address in asked.items():
            page.goto(address)
            box = page.locator("section.answer")
            assert box.locator("blockquote").count() >= 3
            begin = box.bounding_box()
            assert begin["y"] + begin["height"] < 3 * SIZES["desk"][1], kind
    with visited(browser, asked["summary"], noise="", java_script_enabled=False) as page:
        quote = page.locator(".answer blockquote").first
        assert "the rest of this sentence" in quote.inner_text()
        quote.locator("summary").click()
        opened = quote.inner_text()
        assert opened.count("windmill") == 12
        assert opened.strip().endswith("windmill.")
