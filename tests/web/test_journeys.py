"""Journeys in a real browser; without Chromium or playwright they are skipped. Rules are tested on the server.

`visited` fails where a page reports anything in its console.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.web.apps import SIZES, visited

COFFEE = "Does cold brew coffee raise gastric pH less than espresso?"
ASKED_COFFEE = "?q=Does+cold+brew+coffee+raise+gastric+pH+less+than+espresso%3F"
BALDNESS, HELIOTROPE = "?q=Does+tea+cure+baldness%3F", "?q=Which+heliotrope+number+was+seen%3F"
SALT, PATIENTS, MANY = "?q=Does+salt+lower+nothing%3F", "?q=patients", "?q=twentyone"
FOCUSED_TEXT = "(document.activeElement.id || document.activeElement.textContent).trim()"
KEPT = "Object.values(localStorage)"  # all that the browser keeps


def test_a_question_is_asked_and_a_paper_opened_by_keyboard_alone(browser: Any, address: str) -> None:
    with visited(browser, address) as page:
        page.keyboard.press("Tab")
        assert page.evaluate(FOCUSED_TEXT) == "Skip to the content"
        assert page.evaluate("document.activeElement.getBoundingClientRect().left >= 0")
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        assert page.evaluate(FOCUSED_TEXT) == "q"
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


def test_all_is_there_without_scripts(browser: Any, address: str, answering: str) -> None:
    with visited(browser, address, java_script_enabled=False) as page:
        page.get_by_label("Question or words").fill(COFFEE)
        page.get_by_role("button", name="Search").click()
        page.wait_for_url("**q=Does**")
        assert "For half an hour, cold brew raises" in page.locator(".evidence blockquote").first.inner_text()
        assert not page.locator(".evidence .copy").first.is_visible()
        page.locator(".hits h3 a").first.click()
        page.wait_for_url("**/document?id=*")

        page.goto(address + ASKED_COFFEE)
        page.locator(".evidence .citation summary").first.click()
        assert page.locator(".evidence textarea").first.is_visible()
        page.goto(address + PATIENTS)
        assert saved_papers(page, ticked="") == 2
        page.goto(answering + BALDNESS)
        assert not page.locator("#feedback").is_visible()

    with visited(browser, address + PATIENTS, "phone", java_script_enabled=False) as page:
        page.get_by_role("link", name="Filter", exact=True).click()
        year = page.locator(".facet li a").first.inner_text()
        follow(page, page.locator(".facet li a").first)
        assert dates(page) == (year, year)
        follow(page, page.locator(".facet li a[href*='section=']").first)
        assert page.locator(".chip").count() == 3
        while page.locator(".chip").count():
            follow(page, page.locator(".chip").first)
        assert page.locator(".others a").first.is_hidden()
        page.locator(".others summary").first.click()
        assert page.locator(".others a").first.is_visible()

    with visited(browser, answering + HELIOTROPE, "phone", java_script_enabled=False) as page:
        page.locator('.hits .text a[href^="#sentence-"]').first.click()
        page.locator(".evidence .below").first.click()
        page.wait_for_url("**#hit*")
        rank = page.url.rpartition("#")[2]
        assert page.locator(f"#{rank}").is_visible()
        assert -1 < page.locator(f"#{rank}").bounding_box()["y"] < SIZES["phone"][1] / 2


def follow(page: Any, control: Any) -> None:
    """Click what leads to another page, and wait for it: its address changes before its elements are there."""
    with page.expect_navigation():
        control.click()


def dates(page: Any) -> tuple[str, str]:
    given = parse_qs(urlsplit(page.url).query)
    return given["since"][0], given["until"][0]


def saved_papers(page: Any, ticked: str) -> int:
    """The number of papers in the file of two that are selected. ticked: what the page says of them, with scripts."""
    page.get_by_text("Save", exact=True).click()
    button = page.locator("#selected").get_by_role("button", name="RIS")
    assert button.is_disabled() == bool(ticked)
    for rank in (1, 3):
        page.get_by_label(f"Select paper {rank}", exact=True).check()
    with page.expect_download() as saved:
        button.click()
    assert saved.value.suggested_filename == "papers.ris"
    assert ticked in page.locator("#selected").inner_text()
    return saved.value.path().read_text("utf-8").count("ER  -")


def test_a_list_is_narrowed_by_the_form_and_saved(browser: Any, address: str) -> None:
    with visited(browser, f"{address}?q=coffee") as page:
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

    with visited(browser, address + PATIENTS, noise="") as page:
        assert saved_papers(page, ticked="2 ticked") == 2


def typed(page: Any, text: str) -> Any:
    """The completions of what is typed, with the keyboard alone."""
    page.get_by_label("Question or words").focus()
    page.keyboard.type(text)
    page.locator("#completions li").first.wait_for()
    return page.locator("#completions li")


def test_the_box_completes_words_and_names_and_is_never_in_the_way(browser: Any, address: str) -> None:
    with visited(browser, address) as page:
        entries = typed(page, "cold espr")
        assert "espresso" in entries.all_inner_texts()
        page.keyboard.press("ArrowDown")
        marked = page.locator("#completions [aria-selected=true]")
        assert page.locator("#q").get_attribute("aria-activedescendant") == marked.get_attribute("id")
        page.keyboard.press("Enter")
        assert page.locator("#q").input_value() == "cold espresso"
        assert not page.locator("#completions").is_visible()
        assert page.locator("#q").get_attribute("aria-expanded") == "false"
        assert page.url == address

    with visited(browser, address, "phone", noise="") as page:
        typed(page, "archives of supp").filter(has_text="journal").first.click()
        assert page.locator("#q").input_value() == '"Archives of Supposed Physiology"[ta]'
        page.keyboard.press("Enter")
        page.wait_for_url("**/?q=*")
        assert page.locator(".hits > li").count()

    with visited(browser, address, noise="") as page:
        typed(page, "espr")
        page.keyboard.press("Tab")
        assert not page.locator("#completions").is_visible()
        assert page.evaluate("document.activeElement.textContent") == "Search"
        page.locator("#q").fill("")
        typed(page, "espr")
        page.keyboard.press("Enter")
        page.wait_for_url("**/?q=espr")

        page.goto(address)
        typed(page, "espr")
        page.route("**/api/complete*", lambda route: None)
        page.keyboard.insert_text("esso at night")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.wait_for_url("**/?q=espresso+at+night*")


def judge(page: Any, address: str) -> None:
    page.goto(address)
    page.get_by_role("button", name="Judge this answer").click()


def saved(page: Any, path: Path) -> list[dict[str, Any]]:
    with page.expect_download() as download:
        page.get_by_role("button", name="Save feedback").click()
    assert download.value.suggested_filename == "feedback.jsonl"
    download.value.save_as(path)
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_judgements_are_saved_as_lines(browser: Any, answering: str, tmp_path: Path) -> None:
    feedback = tmp_path / "feedback.jsonl"
    with visited(browser, answering + BALDNESS) as page:
        assert not page.locator(".judge button").first.is_visible()
        assert not page.get_by_role("button", name="Save feedback").is_visible()
        assert page.evaluate(KEPT) == [], "nothing is kept until a user judges"
        judge(page, answering + BALDNESS)
        first = page.locator(".judge").first
        shown = first.get_attribute("data-text")
        first.get_by_role("button", name="Answers", exact=True).click()
        judge(page, answering + HELIOTROPE)
        page.get_by_role("button", name="No sentence answers").click()
        tea, flower = saved(page, feedback)
    assert (tea["feedback"], tea["question"], tea["state"]) == (1, "Does tea cure baldness?", "answered")
    assert tea["sentences"][0]["answers"] is True
    assert [one["answers"] for one in flower["sentences"]] == [False] * len(flower["sentences"])
    assert tea["sentences"][0]["text"] == shown

    with visited(browser, answering + SALT) as page:  # whose paper is hostile
        judge(page, answering + SALT)
        first = page.locator(".judge").first
        first.get_by_role("button", name="Answers", exact=True).click()
        (line,) = saved(page, feedback)
        assert any("<script>alert(1)</script>" in one["text"] for one in line["sentences"])
        assert page.locator(".judge script").count() == 0


def test_script_in_a_paper_does_not_run(browser: Any, address: str) -> None:
    ran: list[str] = []
    with visited(browser, "about:blank") as page:
        page.on("dialog", lambda dialog: (ran.append(dialog.message), dialog.dismiss()))
        page.goto(f"{address}?q=salt")
        page.locator(".hits h3").filter(has_text="<script>alert(1)</script>").locator("a").click()
        page.wait_for_url("**/document?id=*")
    assert ran == []
