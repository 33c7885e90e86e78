"""What a page keeps: files that it saved and loads again, two tabs of it, a browser that stores nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.labelling.browser import SHOWN, begun, chosen, drawn, opened, saved, stopped, sync_api

STORES_NOTHING = (
    "Object.defineProperty(window, 'localStorage', {get: () => { throw new DOMException('denied'); }})"
)
FULL = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }"


def load(page: Any, file: Path) -> None:
    """Load a file, and wait for what the page reports."""
    page.set_input_files("#load", file)
    sync_api.expect(page.locator("body")).to_contain_text(file.name, use_inner_text=True)


def written(path: Path, lines: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.fixture
def lines(window: Any, tmp_path: Path) -> list[dict[str, Any]]:
    """What ann saved, who changed her first answer; the browser has forgotten her."""
    stopped(window)
    begun(window, drawn(tmp_path, 3))
    for entity, seconds in ((0, 20), (1, 30)):
        window.clock.run_for(1000 * seconds)
        chosen(window, entity)
        window.click(SHOWN + ".main")
    window.click(SHOWN + ".back")
    window.click(SHOWN + ".back")
    window.clock.run_for(5000)
    chosen(window, 4, "both")
    found = saved(window)[1]
    window.evaluate("localStorage.clear()")
    # A page keeps its answers when it is left.
    window.add_init_script("if (!window.name) { localStorage.clear(); window.name = 'begun'; }")
    return found


def test_a_saved_file_is_gone_on_from_in_another_browser(
    window: Any, tmp_path: Path, lines: list[dict[str, Any]]
) -> None:
    told = [(line["place"], line["answer"], line["seconds"]) for line in lines]
    assert told == [(1, "fever", 20), (2, "amitriptyline", 30), (1, "Sodium bicarbonate".lower(), 25)]
    opened(window, tmp_path / "s")
    assert window.inner_text("#progress") == "0 of 3 answered"
    load(window, written(tmp_path / "answers-ann.jsonl", lines))
    assert window.inner_text("#state") == "Loaded 2 answers from answers-ann.jsonl."
    assert window.inner_text("#progress") == "2 of 3 answered"
    window.click("#map summary")
    window.click("#map >> text=1")
    assert window.is_checked(SHOWN + "input[data-e='4']")
    window.clock.run_for(7000)
    chosen(window, 0)
    again = saved(window)[1]
    assert again[:3] == lines
    assert [(line["answer"], line["seconds"]) for line in again[3:]] == [("fever", 32)]  # 25 there, 7 here
    load(window, tmp_path / "answers-ann.jsonl")
    assert saved(window)[1] == again  # a file that is older takes nothing back


def test_who_began_before_loading_keeps_both(
    window: Any, tmp_path: Path, lines: list[dict[str, Any]]
) -> None:
    begun(window, tmp_path / "s")
    window.clock.run_for(8000)
    chosen(window, 2)
    window.click(SHOWN + ".main")
    load(window, written(tmp_path / "answers-ann.jsonl", lines))
    again = saved(window)[1]
    assert again[:3] == lines
    # The answer of this browser is the newer one, and its seconds are those of both.
    assert [(line["place"], line["answer"], line["seconds"]) for line in again[3:]] == [
        (1, "tachycardia", 33)
    ]


def changed(name: str, value: object) -> Callable[[list[dict[str, Any]]], str]:
    def change(lines: list[dict[str, Any]]) -> str:
        lines[1][name] = value
        return "".join(json.dumps(line) + "\n" for line in lines)

    return change


EDITED = {
    "another person": (
        changed("annotator", "bea"),
        'line 2: its annotator is "bea", and this page is of "ann"',
    ),
    "another dataset": (changed("dataset", "3f0c"), 'line 2: its dataset is "3f0c"'),
    "another question": (changed("id", "bcr-9.9"), 'line 2: "bcr-9.9" is no question of this page'),
    "another answer": (changed("answer", "aspirin"), 'line 2: answer cannot be "aspirin"'),
    "an answer of who could not": (changed("knowledge", "none"), "line 2: answer cannot be"),
    "knowledge of no name": (changed("knowledge", "guess"), 'line 2: knowledge cannot be "guess"'),
    "another place": (changed("place", 3), "line 2: its place is another than that of the question"),
    "negative seconds": (changed("seconds", -1), "line 2: its seconds are no number"),
    "another field": (changed("gold", "fever"), "line 2: it should have the fields id, answer,"),
    "no JSON": (lambda _: "{", "line 1 is no JSON"),
    "no object": (lambda _: "3\n", "line 1: it is no object"),
    "nothing": (lambda _: "\n\n", "no answers in it"),
}


def test_a_file_that_the_page_did_not_save_is_refused_with_its_line(
    window: Any, tmp_path: Path, lines: list[dict[str, Any]]
) -> None:
    opened(window, tmp_path / "s")
    for name, (change, what) in EDITED.items():
        file = tmp_path / f"{name}.jsonl"
        file.write_text(change([dict(line) for line in lines]))
        load(window, file)
        fault = window.inner_text("#load-fault")
        assert fault.startswith(f"{name}.jsonl: {what}")
        assert fault.endswith("; load a file that this page saved")
        assert window.inner_text("#progress") == "0 of 3 answered", name


@pytest.mark.parametrize("script", [STORES_NOTHING, FULL])
def test_where_nothing_is_stored_the_page_warns_before_it_is_closed(
    script: str, browser: Any, tmp_path: Path
) -> None:
    context = browser.new_context(accept_downloads=True)
    page = context.new_page()
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.add_init_script(script)
    sheets = drawn(tmp_path, 2)
    begun(page, sheets)
    page.reload()
    assert asked == []  # nothing is answered
    page.click("#begin")
    assert "This browser keeps no answers" in page.inner_text("#fault")
    chosen(page, 0)
    page.reload()
    assert asked == ["beforeunload"]
    page.click("#begin")
    chosen(page, 0)
    assert [line["answer"] for line in saved(page)[1]] == ["fever"]
    page.reload()
    assert asked == ["beforeunload"]  # the file has all of it
    context.close()


def test_what_is_kept_is_not_asked_about(browser: Any, tmp_path: Path) -> None:
    context = browser.new_context()
    page = context.new_page()
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    begun(page, drawn(tmp_path, 2))
    chosen(page, 0)
    page.close(run_before_unload=True)
    page = context.new_page()
    opened(page, tmp_path / "s")
    assert page.inner_text("#progress") == "1 of 2 answered"
    assert asked == []
    context.close()


def test_a_page_that_crashes_loses_no_answer(tmp_path: Path, browser: Any) -> None:
    sheets = drawn(tmp_path, 3)
    context = browser.new_context()
    page = context.new_page()
    begun(page, sheets)
    chosen(page, 0)
    page.click(SHOWN + ".main")
    chosen(page, 1)  # chosen, not left yet
    with pytest.raises(sync_api.Error):
        page.goto("chrome://crash")
    page = context.new_page()
    opened(page, sheets)
    assert page.inner_text("#progress") == "2 of 3 answered"
    assert page.inner_text("#begin") == "Go on"
    context.close()


def test_two_tabs_of_one_page_lose_nothing(browser: Any, tmp_path: Path) -> None:
    sheets = drawn(tmp_path, 3)
    context = browser.new_context(accept_downloads=True)
    one, two = context.new_page(), context.new_page()
    for page in (two, one):
        page.bring_to_front()
        begun(page, sheets)
    chosen(one, 0)
    one.click(SHOWN + ".main")
    sync_api.expect(two.locator("#progress")).to_contain_text("1 of 3")
    two.bring_to_front()
    two.click(SHOWN + ".main")
    chosen(two, 1)
    two.click(SHOWN + ".main")
    sync_api.expect(one.locator("#progress")).to_contain_text("2 of 3")
    one.bring_to_front()
    one.click(SHOWN + ".main")
    chosen(one, 2)
    for page in (one, two):
        page.bring_to_front()
        lines = saved(page)[1]
        assert {line["place"]: line["answer"] for line in lines} == {
            1: "fever",
            2: "amitriptyline",
            3: "tachycardia",
        }
        assert len(lines) == 3
    context.close()


def test_seconds_of_two_tabs_are_added_and_never_become_fewer(browser: Any, tmp_path: Path) -> None:
    sheets = drawn(tmp_path, 2)
    context = browser.new_context(accept_downloads=True)
    one, two = context.new_page(), context.new_page()
    for page in (one, two):
        stopped(page)
        begun(page, sheets)
    for page, seconds, entity in ((one, 50, 0), (two, 10, 1)):
        page.bring_to_front()
        page.clock.run_for(seconds * 1000)
        chosen(page, entity)
        page.click(SHOWN + ".main")
        sync_api.expect(two.locator("#progress")).to_contain_text("1 of 2")
    first, second = saved(two)[1]
    assert (first["answer"], second["answer"]) == ("fever", "amitriptyline")
    assert 50 <= first["seconds"] <= 51
    assert second["seconds"] - first["seconds"] == 10
    context.close()


def test_a_file_in_which_seconds_become_fewer_is_put_right(
    window: Any, tmp_path: Path, lines: list[dict[str, Any]]
) -> None:
    """`--collect` refuses such a file."""
    lines[2]["seconds"] = 5
    opened(window, tmp_path / "s")
    load(window, written(tmp_path / "answers-ann.jsonl", lines))
    assert [line["seconds"] for line in saved(window)[1]] == [20, 30, 20]
