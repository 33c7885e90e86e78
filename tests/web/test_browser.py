"""The page in a real browser: by keyboard, without scripts, on a phone and on a desk, by a screen reader's tree."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.web.browsing import SIZES, opened

COFFEE = "Does cold brew coffee raise gastric pH less than espresso?"


def focused(page: Any) -> str:
    return page.evaluate("(document.activeElement.id || document.activeElement.textContent).trim()")


def test_a_question_is_asked_and_a_paper_opened_by_keyboard_alone(browser: Any, address: str) -> None:
    page, said = opened(browser)
    page.goto(address)
    page.keyboard.press("Tab")
    assert focused(page) == "Skip to the content"
    assert page.evaluate("document.activeElement.getBoundingClientRect().left >= 0")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert focused(page) == "q"
    page.keyboard.type(COFFEE)
    page.keyboard.press("Enter")
    page.wait_for_url("**/?q=*")
    assert page.url.endswith("q=" + COFFEE.replace(" ", "+").replace("?", "%3F")), (
        "empty filters are not sent"
    )
    for _ in range(60):
        page.keyboard.press("Tab")
        if "/document" in str(page.evaluate("document.activeElement.getAttribute('href')")):
            break
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid", "what has the focus is seen to have it"
    page.keyboard.press("Enter")
    page.wait_for_url("**/document?id=*")
    assert page.locator("mark.fit-3").count()
    assert said == []
    page.close()


def test_filters_open_by_keyboard_and_narrow(browser: Any, address: str) -> None:
    page, said = opened(browser)
    page.goto(f"{address}?q=coffee")
    page.locator(".filters summary").focus()
    page.keyboard.press("Enter")
    page.get_by_label("results").focus()
    page.keyboard.press("Space")
    page.get_by_label("Published from").fill("2000")
    page.keyboard.press("Enter")
    page.wait_for_url("**section=results**")
    assert "since=2000" in page.url
    assert "journal=" not in page.url
    assert set(page.locator(".hits .section").all_inner_texts()) <= {"results"}
    page.go_back()
    assert page.get_by_label("Journal").is_enabled()
    assert said == []
    page.close()


def test_it_works_without_scripts(browser: Any, address: str) -> None:
    page, said = opened(browser, java_script_enabled=False)
    page.goto(address)
    page.get_by_label("Question or words").fill(COFFEE)
    page.get_by_role("button", name="Search").click()
    page.wait_for_url("**q=Does**")
    assert "For half an hour, cold brew raises" in page.locator(".evidence blockquote").first.inner_text()
    page.locator(".hits h3 a").first.click()
    page.wait_for_url("**/document?id=*")
    assert said == []
    page.close()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "path", ["", "?q=salt", "?q=coffee&section=results", "document?id=990005&q=heliotrope", "nothing"]
)
def test_nothing_is_wider_than_the_screen_and_all_text_can_be_read(
    browser: Any, address: str, size: str, scheme: str, path: str
) -> None:
    page, said = opened(browser, size, color_scheme=scheme)
    page.goto(address + path)
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size][0]
    assert page.evaluate(FAINT) == []
    assert not page.evaluate(SMALL), "what is touched is large enough"
    assert [line for line in said if "404" not in line] == []
    page.close()


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


def test_a_screen_reader_is_told_landmarks_headings_and_strength(browser: Any, address: str) -> None:
    page, _ = opened(browser)
    page.goto(f"{address}?q=Does+tea+cure+baldness%3F")
    tree = page.locator("body").aria_snapshot()
    for landmark in ("banner", "main", "contentinfo", 'search "Ask the collection"'):
        assert re.search(rf"^ *- {re.escape(landmark)}", tree, re.MULTILINE), landmark
    for told in (
        'heading "Results for: Does tea cure baldness?" [level=1]',
        'heading "Answer: Answered here" [level=2]',
        'combobox "Question or words"',
        'heading "strong fit: Tea cures baldness" [level=3]',
        'article "strong fit: Tea cures baldness"',
    ):
        assert told in tree
    assert tree.index("this paper was retracted") < tree.index("fit: Tea cures baldness in all mice.")
    assert "●" not in tree
    every = "[...document.querySelectorAll('input:not([type=hidden]), button')]"
    assert page.evaluate(f"{every}.filter(each => !each.labels?.length && !each.textContent).length") == 0
    page.close()


BALDNESS, HELIOTROPE = "?q=Does+tea+cure+baldness%3F", "?q=Which+heliotrope+number+was+seen%3F"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", [BALDNESS, HELIOTROPE])
def test_answers_fit_every_screen_and_can_be_read(
    browser: Any, answering: str, size: str, scheme: str, path: str
) -> None:
    page, said = opened(browser, size, color_scheme=scheme)
    page.goto(answering + path)
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size][0]
    assert page.evaluate(FAINT) == []
    if path == BALDNESS:
        assert page.locator(".conclusions .stance").first.is_visible()
    assert said == []
    page.close()


def test_a_screen_reader_hears_the_answer_whose_it_is_and_where_it_stands(
    browser: Any, answering: str
) -> None:
    page, _ = opened(browser)
    page.goto(answering + BALDNESS)
    tree = page.locator("section.answer").aria_snapshot()
    for told in (
        'region "What papers conclude"',
        'heading "What papers conclude" [level=3]',
        'heading "Sentences that fit best" [level=3]',
    ):
        assert told in tree, tree
    assert re.search(r"(?:Supports|Opposes) such stances: 90% right", tree), tree
    assert "right for 90% [84%, 94%]" in tree
    assert "img" not in tree
    assert "●" not in tree
    assert tree.index("this paper was retracted") < tree.index("Tea cures baldness")
    page.close()


def test_the_way_from_a_name_to_its_section_is_walked_without_scripts(browser: Any, answering: str) -> None:
    page, said = opened(browser, "phone", java_script_enabled=False)
    page.goto(answering + HELIOTROPE)
    page.locator(".names .below").first.click()
    page.wait_for_url("**#hit*")
    rank = page.url.rpartition("#")[2]
    assert page.locator(f"#{rank}").is_visible()
    assert -1 < page.locator(f"#{rank}").bounding_box()["y"] < SIZES["phone"][1] / 2
    assert said == []
    page.close()


def test_script_in_a_paper_does_not_run(browser: Any, address: str) -> None:
    page, said = opened(browser)
    ran: list[str] = []
    page.on("dialog", lambda dialog: (ran.append(dialog.message), dialog.dismiss()))
    page.goto(f"{address}?q=salt")
    title = page.locator(".hits h3").filter(has_text="<script>alert(1)</script>").locator("a")
    title.click()
    page.wait_for_url("**/document?id=*")
    assert ran == []
    assert said == []
    page.close()
