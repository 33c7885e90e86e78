"""What a page keeps: files that it saved and loads again, and two tabs of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.labelling.browser import SHOWN, begun, chosen, drawn, opened, saved, stopped, sync_api


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
