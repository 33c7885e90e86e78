"""Where the question and the faults of a page stand: seen, in the order in which they are read, and over no answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.labelling.browser import SHOWN, begun, chosen, drawn, opened, window
from tests.labelling.cloze_reports import REPORT, dataset, instance
from tests.labelling.page_server import Server, said
from tests.labelling.test_question_page_accessibility import ALL, AXE, FINDINGS, SIZES
from tests.labelling.test_question_page_keeping import STORES_NOTHING

LONG = "\n".join(
    f"He took [drug {n % 9}] for {n} days , and then he felt as he had felt before ." for n in range(100)
)
PHONE = {"viewport": {"width": 390, "height": 844}}
PLACES = """() => {
  const section = document.querySelector('section.question:not([hidden])');
  const parts = ['.asked', '.passage', 'form'].map(name => section.querySelector(name));
  return parts.map(part => { const {top, bottom} = part.getBoundingClientRect(); return [top, bottom]; });
}"""
ORDER = """() => {
  const section = document.querySelector('section.question:not([hidden])');
  return [...section.querySelectorAll('.query, .passage, fieldset')].map(part => part.className || part.tagName);
}"""
UNCOVERED = """selector => {
  const part = document.querySelector(selector);
  const {left, right, top, bottom} = part.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) return false;
  return part.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
}"""
COVERED = """() => [...document.querySelectorAll('section:not([hidden]) :is(label, button, summary)')].filter(each => {
  const {left, top, bottom} = each.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight || !each.checkVisibility()) return false;
  return [top + 2, bottom - 2].some(y => !each.contains(document.elementFromPoint(left + 12, y)));
}).map(each => each.textContent.trim())"""


@pytest.fixture
def long(tmp_path: Path) -> Path:
    """Pages with passages of 1,400 tokens and more."""
    dataset(tmp_path / "d", [instance(f"r{n}.1", f"{REPORT}\n{LONG}") for n in range(3)])
    return drawn(tmp_path, 3)


def test_on_a_phone_the_question_is_seen_first_and_while_the_passage_is_read(
    browser: Any, long: Path
) -> None:
    with window(browser, **PHONE) as page:
        begun(page, long)
        asked, passage, answer = page.evaluate(PLACES)
        assert asked[0] >= 0
        assert asked[1] <= passage[0] < 844  # with the beginning of the passage below it
        assert answer[0] > 2 * 844
        assert page.evaluate(ORDER)[:3] == ["query", "passage", "FIELDSET"]
        page.mouse.wheel(0, 2000)
        page.wait_for_function("() => scrollY > 1500")
        asked, passage, _ = page.evaluate(PLACES)
        assert asked[0] == 0
        assert asked[1] < 844 / 2
        assert passage[0] < 0
        page.click(SHOWN + ".to-answer a")
        asked, _, answer = page.evaluate(PLACES)
        assert 0 <= asked[0] < asked[1] <= answer[0] < asked[1] + 30  # above the answer, and over none of it


def test_on_a_phone_no_answer_is_ever_covered(browser: Any, long: Path) -> None:
    with window(browser, bypass_csp=True, **PHONE) as page:
        begun(page, long)
        page.click(SHOWN + ".to-answer a")
        page.evaluate(AXE)
        first = page.evaluate("scrollY") - 600
        for further in range(0, 1400, 35):
            page.evaluate("y => scrollTo(0, y)", first + further)
            assert page.evaluate(COVERED) == []
            if not further % 350:
                assert page.evaluate(FINDINGS, ALL) == []


def test_what_gets_the_focus_stands_below_the_question(browser: Any, long: Path) -> None:
    with window(browser, **PHONE) as page:
        begun(page, long)
        page.click(SHOWN + ".to-answer a")
        for _ in range(25):  # backwards through the passage
            page.keyboard.press("Shift+Tab")
            top, asked = page.evaluate(
                "[document.activeElement, document.querySelector('section:not([hidden]) .asked')]"
                ".map(each => each.getBoundingClientRect()).map((each, n) => n ? each.bottom : each.top)"
            )
            if page.evaluate("document.activeElement.closest('.passage') !== null"):
                assert top >= asked


def test_a_low_window_gives_the_passage_its_room(browser: Any, long: Path) -> None:
    """A phone on its side, or 400 % zoom: the question stands above the passage, and goes with it."""
    with window(browser, viewport={"width": 844, "height": 390}) as page:
        begun(page, long)
        page.mouse.wheel(0, 2000)
        page.wait_for_function("() => scrollY > 1500")
        assert page.evaluate(PLACES)[0][1] < 0


def test_in_a_wide_window_the_question_stands_beside_the_passage_and_above_the_answer(
    browser: Any, long: Path
) -> None:
    with window(browser, viewport={"width": 1280, "height": 800}) as page:
        begun(page, long)
        asked, passage, answer = page.evaluate(PLACES)
        assert answer[0] <= asked[0] < asked[1] < 800
        assert abs(passage[0] - answer[0]) < 40
        assert page.evaluate(ORDER)[:3] == ["passage", "query", "FIELDSET"]
        page.focus(SHOWN + ".query a")
        page.set_viewport_size({"width": 390, "height": 844})
        page.wait_for_function(
            "() => document.querySelector('section:not([hidden]) .read > .asked') !== null"
        )
        assert page.evaluate(ORDER)[:3] == ["query", "passage", "FIELDSET"]
        assert page.evaluate("document.activeElement.closest('.query') !== null")
        chosen(page, 1)
        page.set_viewport_size({"width": 1280, "height": 800})
        page.wait_for_function("() => document.querySelector('section:not([hidden]) form > .asked') !== null")
        assert page.is_checked(SHOWN + "input[data-e='1']")


@pytest.mark.parametrize("size", SIZES)
def test_what_the_server_does_not_take_is_said_beside_the_answers(
    size: str, server: Server, tabs: Any
) -> None:
    width, height = SIZES[size]
    page = tabs(viewport={"width": width, "height": height})
    page.click("#begin")
    server.fails = ""
    chosen(page, 0)
    page.click(SHOWN + ".main")
    said(page, "the server does not answer")
    fault = page.locator("#fault")
    assert fault.get_attribute("role") == "alert"
    assert page.evaluate(UNCOVERED, "#fault")  # where the next question begins
    assert page.locator(SHOWN + ".asked #fault").count() == 1
    if size == "phone":
        page.click(SHOWN + ".to-answer a")
        assert page.evaluate(UNCOVERED, "#fault")  # above the answer
    for end in range(0, 900, 100):
        page.evaluate("y => scrollTo(0, y)", end)
        assert page.evaluate(COVERED) == []
    page.click("#map summary")
    for to, section in (("End", "#end"), ("Start", "#start")):
        page.click(f"#map >> text={to}")
        assert page.locator(f"{section} #fault").count() == 1
        assert page.evaluate(UNCOVERED, "#fault")


@pytest.mark.parametrize("size", SIZES)
def test_what_a_file_lacks_is_said_beside_the_field_that_loads_it(
    size: str, browser: Any, tmp_path: Path
) -> None:
    width, height = SIZES[size]
    with window(browser, viewport={"width": width, "height": height}) as page:
        begun(page, drawn(tmp_path, 2))
        page.focus("#load")
        page.set_input_files("#load", {"name": "x.jsonl", "mimeType": "text/plain", "buffer": b"{"})
        page.wait_for_selector("#load-fault:not(:empty)")
        assert page.locator("#load-fault").get_attribute("role") == "alert"
        page.locator("#load-fault").scroll_into_view_if_needed()
        load, fault = page.locator("#load").bounding_box(), page.locator("#load-fault").bounding_box()
        assert 0 <= fault["y"] - load["y"] - load["height"] < 40
        assert page.inner_text("#fault") == ""


def test_what_the_browser_does_not_keep_is_said_beside_the_button_that_saves(
    browser: Any, tmp_path: Path
) -> None:
    with window(browser, **PHONE) as page:
        page.add_init_script(STORES_NOTHING)
        opened(page, drawn(tmp_path, 2))
        assert page.locator("#start #fault").is_visible()
        assert not page.locator(".kept:visible").count()
        page.click("#begin")
        page.locator("#save").scroll_into_view_if_needed()
        save, fault = page.locator("#save").bounding_box(), page.locator("#fault").bounding_box()
        assert 0 <= fault["y"] - save["y"] - save["height"] < 40
