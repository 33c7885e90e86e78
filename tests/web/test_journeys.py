"""Twelve journeys in a real browser; without Chromium or playwright they are skipped. Rules are tested on the server.

`visited` fails where a page reports anything in its console.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.web.apps import SIZES, served, visited

from anagnosis import api
from anagnosis.cli import run
from anagnosis.datasets.folder import store

COFFEE = "Does cold brew coffee raise gastric pH less than espresso?"
ASKED_COFFEE = "?q=Does+cold+brew+coffee+raise+gastric+pH+less+than+espresso%3F"
BALDNESS, HELIOTROPE = "?q=Does+tea+cure+baldness%3F", "?q=Which+heliotrope+number+was+seen%3F"
SALT, PATIENTS, MANY = "?q=Does+salt+lower+nothing%3F", "?q=patients", "?q=twentyone"
LONG_PAPER, COFFEE_PAPER = "document?id=990005&q=heliotrope", "document?id=99000027"
FOCUSED = (
    "document.activeElement.closest('article')?.getAttribute('aria-labelledby') || document.activeElement.id"
)
FOCUSED_TEXT = "(document.activeElement.id || document.activeElement.textContent).trim()"
CLIPBOARD = "navigator.clipboard.readText()"
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


def test_keys_walk_through_the_papers_until_they_are_switched_off(browser: Any, address: str) -> None:
    with visited(browser, address + MANY) as page:
        assert page.locator(".hits > li").count() > 2
        walked = []
        for key in ("/", "ArrowDown", "ArrowDown", "j", "k", "ArrowUp", "ArrowUp"):
            page.keyboard.press(key)
            walked.append(page.evaluate(FOCUSED))
        assert walked == ["q", "hit1", "hit2", "hit3", "hit2", "hit1", "q"]
        assert page.locator("#q").input_value() == "twentyone"
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.wait_for_url("**/document?id=*")

    with visited(browser, address + MANY, noise="") as page:
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Skip to the papers"
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        assert page.evaluate(FOCUSED) == "hit1", "the first result is two tabs away"

        page.goto(address + MANY)
        page.keyboard.press("/")
        page.keyboard.type("j/k?")
        assert page.locator("#q").input_value() == "j/k?", "letters are typed in fields"
        page.locator("#found").click()
        page.keyboard.press("Control+j")
        assert not page.evaluate("document.activeElement.closest('article')"), "this key is the browser's"

        page.goto(address + MANY)
        walked = []
        for key in ("j", "/"):
            page.locator(".hits input[type=checkbox]").first.focus()
            page.keyboard.press(key)
            walked.append(page.evaluate(FOCUSED))
        assert walked == ["hit2", "q"], "keys work on a box to tick"

        page.goto(address + MANY)
        page.keyboard.press("?")
        page.get_by_label("Use these keys").click()
        page.keyboard.press("Escape")
        assert not page.locator("#keys").is_visible()
        page.reload()
        page.keyboard.press("/")
        page.keyboard.press("j")
        assert page.evaluate("document.activeElement.tagName") == "BODY"
        page.get_by_role("button", name="Keys").click()
        assert not page.get_by_label("Use these keys").is_checked()


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
        page.goto(address + COFFEE_PAPER)
        page.locator(".contents summary").click()
        assert page.locator(".contents a").first.is_visible()
        page.goto(address + PATIENTS)
        assert saved_papers(page, ticked="") == 2
        page.goto(answering + BALDNESS)
        assert not page.locator("#feedback").is_visible()

    for size in SIZES:
        with visited(browser, address + PATIENTS, size, java_script_enabled=False) as page:
            if size == "phone":
                page.get_by_role("link", name="Filter", exact=True).click()
            page.get_by_label("From year").fill("2000")
            page.get_by_label("Until year").fill("2015")
            page.get_by_role("button", name="Set").click()
            assert dates(page) == ("2000", "2015")
            page.locator(".facet li a").first.click()
            assert page.locator(".chip").count() == 3
            while page.locator(".chip").count():
                page.locator(".chip").first.click()
            assert page.locator(".others p.text").first.is_hidden()
            page.locator(".others summary").first.click()
            assert page.locator(".others p.text").first.is_visible()

    with visited(browser, answering + HELIOTROPE, "phone", java_script_enabled=False) as page:
        page.locator(".names .below").first.click()
        page.wait_for_url("**#hit*")
        rank = page.url.rpartition("#")[2]
        assert page.locator(f"#{rank}").is_visible()
        assert -1 < page.locator(f"#{rank}").bounding_box()["y"] < SIZES["phone"][1] / 2


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


def test_a_list_is_narrowed_by_the_form_and_by_dragged_years_and_saved(browser: Any, address: str) -> None:
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

        page.goto(address + PATIENTS)
        box = page.locator(".years svg").bounding_box()
        page.mouse.move(box["x"] + 5, box["y"] + 5)
        page.mouse.down()
        page.keyboard.press("Escape")
        page.mouse.up()
        assert page.locator(".bar.chosen").count() == 0, "Escape gives a drag up"
        assert page.get_by_label("From year").input_value() == ""
        assert "since" not in page.url

    with visited(browser, address + PATIENTS) as page:
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
        assert dates(page) == wanted
        assert page.locator(".chip").first.inner_text().startswith(f"from {wanted[0]}")


def typed(page: Any, text: str) -> Any:
    """The completions of what is typed, with the keyboard alone."""
    page.get_by_label("Question or words").focus()
    page.keyboard.type(text)
    page.locator("#completions li").first.wait_for()
    return page.locator("#completions li")


# What is typed, and whether its last word is completed.
WORDS = {
    "cold espr": True,
    "(espr": True,
    "tea -espr": True,
    "IL-espr": False,
    "10.1/j.espr": False,
    "tea[espr": False,
}


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


def test_completions_are_text_of_the_latest_words(browser: Any, address: str) -> None:
    nasty = '<img src=x onerror="alert(1)">, B'
    with visited(browser, address) as page:
        names = {"words": [], "authors": [nasty], "journals": []}
        page.route("**/api/complete*", lambda route: route.fulfill(json=names))
        assert typed(page, "im").all_inner_texts() == [f"{nasty}\nauthor"]
        assert page.locator("#completions img").count() == 0
        page.keyboard.press("Escape")
        assert not page.locator("#completions").is_visible()
        assert page.locator("#q").input_value() == "im"

    waiting: list[Any] = []

    def hold(route: Any) -> None:
        if route.request.url.endswith("q=esp&limit=4"):
            waiting.append(route)
        else:
            route.fulfill(json={"words": ["latest"], "authors": [], "journals": []})

    with visited(browser, address, noise="") as page:
        page.route("**/api/complete*", hold)
        page.locator("#q").focus()
        with page.expect_request("**/api/complete*"):
            page.keyboard.insert_text("esp")
        page.keyboard.type("r")
        page.locator("#completions li").first.wait_for()
        assert len(waiting) == 1
        waiting[0].fulfill(json={"words": ["stale"], "authors": [], "journals": []})
        page.wait_for_timeout(100)
        assert page.locator("#completions").inner_text() == "latest"

    words = {"words": ["espresso"], "authors": [], "journals": []}
    for text, offered in WORDS.items():
        with visited(browser, address, noise="") as page:
            page.route("**/api/complete*", lambda route: route.fulfill(json=words))
            page.locator("#q").focus()
            page.keyboard.type(text)
            if offered:
                page.locator("#completions li").click()
                assert page.locator("#q").input_value() == text.replace("espr", "espresso")
            else:
                page.wait_for_timeout(300)
                assert not page.locator("#completions").is_visible(), text


def test_a_screen_reader_is_told_landmarks_headings_and_strength(
    browser: Any, address: str, answering: str
) -> None:
    with visited(browser, address + BALDNESS, noise="") as page:
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


def test_sentences_and_papers_are_copied_with_their_citation(browser: Any, address: str) -> None:
    granted: dict[str, Any] = {"permissions": ["clipboard-read", "clipboard-write"]}
    with visited(browser, address + ASKED_COFFEE, **granted) as page:
        field, button = page.locator(".evidence textarea").first, page.locator(".evidence .copy").first
        assert not field.is_visible()
        assert not page.locator(".evidence .citation summary").first.is_visible()
        assert button.is_visible()
        button.focus()
        page.keyboard.press("Enter")
        page.get_by_text("Copied to the clipboard").wait_for(state="attached")
        copied = page.evaluate(CLIPBOARD)
        assert copied == field.input_value()
        assert copied.startswith("“For half an hour")
        assert "doi:10.5555" in copied

    for size in SIZES:
        with visited(browser, address + COFFEE_PAPER, size, **granted) as page:
            page.get_by_role("button", name="Copy the citation of this paper").click()
            page.get_by_text("Copied to the clipboard").wait_for(state="attached")
            assert "Cold brew coffee raises gastric pH" in page.evaluate(CLIPBOARD)

    no_clipboard = "Object.defineProperty(navigator.clipboard, 'writeText', {value: undefined});"
    with visited(browser, "about:blank", permissions=["clipboard-read"]) as page:
        page.add_init_script(no_clipboard)
        page.goto(address + ASKED_COFFEE)
        page.locator(".evidence .copy").nth(1).click()
        page.get_by_text("Copied to the clipboard").wait_for(state="attached")
        assert page.evaluate(CLIPBOARD) == page.locator(".evidence textarea").nth(1).input_value()
        assert not page.locator(".evidence textarea").nth(1).is_visible()

    with visited(
        browser, "about:blank", noise=""
    ) as page:  # where nothing can be copied, the text is selected
        page.add_init_script(no_clipboard + "document.execCommand = () => false;")
        page.goto(address + ASKED_COFFEE)
        page.locator(".evidence .copy").first.click()
        field = page.locator(".evidence textarea").first
        assert field.is_visible()
        selected = "getSelection().toString() || document.activeElement.value"
        assert page.evaluate(selected) == field.input_value()


def test_the_contents_of_a_paper_lead_to_its_sections(browser: Any, address: str) -> None:
    with visited(browser, address + LONG_PAPER) as page:
        contents, text = page.locator(".contents"), page.locator(".passages")
        assert page.locator(".contents a").first.is_visible()
        box, beside = contents.bounding_box(), text.bounding_box()
        assert box["x"] + box["width"] <= beside["x"], "they stand beside the text"
        page.evaluate("scrollTo(0, 3000)")
        assert page.evaluate("scrollY") == 3000
        assert 0 <= contents.bounding_box()["y"] < 100, "and stay there"

    with visited(browser, address + LONG_PAPER + "&page=2", noise="") as page:
        page.locator(".contents a").first.click()
        page.wait_for_url("**#p*")
        assert "page=" not in page.url
        assert "q=heliotrope" in page.url
        assert page.locator(f"#{page.url.rpartition('#')[2]}").is_visible()

    with visited(browser, address + COFFEE_PAPER, "phone") as page:
        assert not page.locator(".contents a").last.is_visible()
        page.locator(".contents summary").focus()
        page.keyboard.press("Enter")
        page.locator(".contents a[href^='#p']").last.click()
        target = page.url.rpartition("#")[2]
        assert -1 <= page.locator(f"#{target}").bounding_box()["y"] < SIZES["phone"][1]


def judge(page: Any, address: str) -> None:
    page.goto(address)
    page.get_by_role("button", name="Judge this answer").click()


def saved(page: Any, path: Path) -> list[dict[str, Any]]:
    with page.expect_download() as download:
        page.get_by_role("button", name="Save feedback").click()
    assert download.value.suggested_filename == "feedback.jsonl"
    download.value.save_as(path)
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_judgements_become_a_dataset(browser: Any, answering: str, tmp_path: Path) -> None:
    feedback = tmp_path / "feedback.jsonl"
    read = ["import", str(feedback), "--layout", "feedback"]
    with visited(browser, answering + BALDNESS) as page:
        assert not page.locator(".judge button").first.is_visible()
        assert not page.get_by_role("button", name="Save feedback").is_visible()
        assert page.evaluate(KEPT) == [], "nothing is kept until a user judges"
        judge(page, answering + BALDNESS)
        first = page.locator('[data-judge="sentence"]').first
        shown = first.get_attribute("data-text")
        first.get_by_role("button", name="Answers", exact=True).click()
        page.locator('[data-judge="stance"]').first.get_by_role("button", name="Opposes").click()
        judge(page, answering + HELIOTROPE)
        page.locator('[data-judge="name"]').first.get_by_role("button", name="Wrong name").click()
        page.get_by_role("button", name="No sentence answers").click()
        tea, flower = saved(page, feedback)
    assert (tea["feedback"], tea["question"], tea["state"]) == (1, "Does tea cure baldness?", "answered")
    assert tea["sentences"][0]["answers"] is True
    text = "Tea cures baldness in all mice."
    assert tea["stances"] == [{"document": "990001", "text": text, "shown": "supports", "right": "opposes"}]
    assert [one["answers"] for one in flower["sentences"]] == [False] * len(flower["sentences"])
    assert [one["right"] for one in flower["names"]] == [False]
    assert run([*read, "--out", str(tmp_path / "set")]) == 0
    (instance,) = store.instances(api.load(tmp_path / "set"), "train")
    assert instance.question == "Does tea cure baldness?"
    assert [one.text for one in instance.sentences if one.held] == [shown]

    with visited(browser, answering + SALT) as page:  # whose paper is hostile
        judge(page, answering + SALT)
        first = page.locator('[data-judge="sentence"]').first
        first.get_by_role("button", name="Answers", exact=True).click()
        (line,) = saved(page, feedback)
        assert any("<script>alert(1)</script>" in one["text"] for one in line["sentences"])
        assert page.locator(".judge script").count() == 0
    assert run([*read, "--check"]) == 0


# What another program, or another version, left in the browser.
LEFT = (
    "no json",
    '{"a": 1}',
    '[1, null, {"feedback": 2, "question": "x"}]',
    '[{"feedback": 1, "question": "Does tea cure baldness?", "stances": [null], "names": 1, "sentences": [[]]}]',
)


def test_feedback_stays_in_the_browser_until_it_is_deleted(
    browser: Any, answering: str, folder: Path, tmp_path: Path
) -> None:
    def delete(decided: str) -> None:
        page.once("dialog", lambda dialog: getattr(dialog, decided)())
        page.get_by_role("button", name="Delete feedback").click()

    with visited(browser, answering + BALDNESS, noise="") as page:
        judge(page, answering + BALDNESS)
        sentence = page.locator('[data-judge="sentence"]').first
        right = sentence.get_by_role("button", name="Answers", exact=True)
        right.click()
        page.reload()
        page.get_by_role("button", name="Judge this answer").click()
        assert right.get_attribute("aria-pressed") == "true"
        right.click()
        assert right.get_attribute("aria-pressed") == "false"
        assert page.evaluate(KEPT) == []
        right.click()
        delete("dismiss")
        assert right.get_attribute("aria-pressed") == "true"
        delete("accept")
        assert right.get_attribute("aria-pressed") == "false"
        assert not page.get_by_role("button", name="Save feedback").is_visible()

    for left in LEFT:
        with visited(browser, answering + BALDNESS) as page:
            page.evaluate(
                """kept => {
                    const { collection } = document.querySelector(".answer").dataset;
                    localStorage.setItem(`anagnosis.feedback.${collection}`, kept);
                }""",
                left,
            )
            judge(page, answering + BALDNESS)
            page.locator(".judge button").first.click()
            questions = [line["question"] for line in saved(page, tmp_path / "f")]
            assert questions == ["Does tea cure baldness?"], left
            if "2" in left:  # another version's lines are its own
                assert json.loads(page.evaluate(KEPT)[0])[:-1] == json.loads(left)
                delete("accept")
                assert json.loads(page.evaluate(KEPT)[0]) == json.loads(left)

    shutil.copytree(folder, tmp_path / "other")
    (tmp_path / "same").symlink_to(folder)
    port, seen = 0, list[bool]()
    with visited(browser, "about:blank", noise="") as page:  # each collection has feedback of its own
        for served_now in (folder, tmp_path / "other", tmp_path / "same"):
            with served(served_now, port=port) as address:
                port = int(address.rpartition(":")[2].strip("/"))
                page.goto(address + BALDNESS)
                seen.append(page.get_by_role("button", name="Save feedback").is_visible())
                if served_now == folder:
                    page.get_by_role("button", name="Judge this answer").click()
                    page.get_by_role("button", name="No sentence answers").click()
    assert seen == [False, False, True]

    with visited(browser, "about:blank", noise="") as page:
        page.add_init_script("Storage.prototype.setItem = () => { throw new Error('full'); }")
        judge(page, answering + BALDNESS)
        page.locator(".judge button").first.click()
        assert "does not keep feedback" in page.locator("#live").inner_text()


def test_script_in_a_paper_does_not_run(browser: Any, address: str) -> None:
    ran: list[str] = []
    with visited(browser, "about:blank") as page:
        page.on("dialog", lambda dialog: (ran.append(dialog.message), dialog.dismiss()))
        page.goto(f"{address}?q=salt")
        page.locator(".hits h3").filter(has_text="<script>alert(1)</script>").locator("a").click()
        page.wait_for_url("**/document?id=*")
    assert ran == []
