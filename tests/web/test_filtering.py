"""Filters, other sections and selected papers of the list in a real browser, with and without scripts."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.web.browsing import SIZES, opened

PATIENTS = "?q=patients"


def _dates(page: Any) -> tuple[str, str]:
    given = parse_qs(urlsplit(page.url).query)
    return given["since"][0], given["until"][0]


def test_years_are_dragged_over_the_bars_from_either_end(browser: Any, address: str) -> None:
    page, console = opened(browser)
    page.goto(address + PATIENTS)
    bars = page.locator("svg .bar")
    box, number = page.locator(".years svg").bounding_box(), bars.count()
    assert number > 4
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * (number - 1.5) / number, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 1.5 / number, y)
    assert page.locator(".bar.chosen").count() == number - 2
    wanted = bars.nth(1).get_attribute("data-first"), bars.nth(number - 2).get_attribute("data-last")
    page.mouse.up()
    page.wait_for_url("**since=**")
    assert _dates(page) == wanted
    assert page.locator(".chip").first.inner_text().startswith(f"from {wanted[0]}")
    assert console == []
    page.close()


def test_escape_gives_a_drag_up(browser: Any, address: str) -> None:
    page, _ = opened(browser)
    page.goto(address + PATIENTS)
    box = page.locator(".years svg").bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    page.keyboard.press("Escape")
    page.mouse.up()
    assert page.locator(".bar.chosen").count() == 0
    assert page.get_by_label("From year").input_value() == ""
    assert "since" not in page.url
    page.close()


@pytest.mark.parametrize("size", SIZES)
def test_filters_and_other_sections_work_without_scripts(browser: Any, address: str, size: str) -> None:
    page, _ = opened(browser, size, java_script_enabled=False)
    page.goto(address + PATIENTS)
    if size == "phone":
        page.get_by_role("link", name="Filter", exact=True).click()
    page.get_by_label("From year").fill("2000")
    page.get_by_label("Until year").fill("2015")
    page.get_by_role("button", name="Set").click()
    assert _dates(page) == ("2000", "2015")
    page.locator(".facet li a").first.click()
    assert page.locator(".chip").count() == 3
    while page.locator(".chip").count():
        page.locator(".chip").first.click()
    assert page.locator(".others p.text").first.is_hidden()
    page.locator(".others summary").first.click()
    assert page.locator(".others p.text").first.is_visible()
    page.close()


@pytest.mark.parametrize("scripts", [True, False])
def test_selected_papers_are_saved(browser: Any, address: str, scripts: bool) -> None:
    page, _ = opened(browser, java_script_enabled=scripts)
    page.goto(address + PATIENTS)
    page.get_by_text("Save", exact=True).click()
    button = page.locator("#selected").get_by_role("button", name="RIS")
    assert button.is_disabled() == scripts
    for rank in (1, 3):
        page.get_by_label(f"Select paper {rank}", exact=True).check()
    with page.expect_download() as saved:
        button.click()
    records = saved.value.path().read_text("utf-8").count("ER  -")
    assert (saved.value.suggested_filename, records) == ("papers.ris", 2)
    if scripts:
        assert "2 ticked" in page.locator("#selected").inner_text()
    page.close()
