"""Pages of decisions and judgements by axe-core, on a phone, light and dark, and by keyboard alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from anagnosis import api
from tests.labelling.browser import SHOWN, begun, opened, saved, window
from tests.labelling.decision_files import asked, unlabelled, written
from tests.labelling.test_decisions import label
from tests.labelling.test_judging import SOURCES
from tests.labelling.test_question_page_accessibility import ALL, AXE, COLOURS, FINDINGS, OPENED, SIZES


def judging(kind: str) -> Callable[[Path], Path]:
    def draw(at: Path) -> Path:
        api.label(SOURCES[kind](at), at / "pages", kind=kind, draw=3, people=["ann"])
        return at / "pages/ann.html"

    return draw


def decisions(at: Path) -> Path:
    built = written(at / "built", [unlabelled(number) for number in range(3)], "train")
    api.label(built, at / "pages", kind="decisions", draw=3, people=["ann,bea"])
    return at / "pages/ann.html"


def discussion(at: Path) -> Path:
    decisions(at)
    label(at / "pages", "ann", ["yes", "no", "maybe"])
    label(at / "pages", "bea", ["no", "yes", "yes"])
    api.label(at / "built", at / "pages", kind="decisions")
    return at / "pages/discussion.html"


def answers(at: Path) -> Path:
    built = written(at / "built", [asked(number) for number in range(3)])
    how: dict[str, Any] = {"view": "reasoning-free", "knowledge": True}
    api.label(built, at / "pages", kind="answers", draw=3, people=["ann"], **how)
    return at / "pages/ann.html"


PAGES = {
    "answers": answers,
    "decisions": decisions,
    "discussion": discussion,
    **{kind: judging(kind) for kind in SOURCES},
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {name: make(tmp_path_factory.mktemp(name)) for name, make in PAGES.items()}


@pytest.mark.parametrize("name", PAGES)
def test_axe_reports_no_findings(name: str, browser: Any, pages: dict[str, Path]) -> None:
    width, height = SIZES["phone"]
    with window(browser, viewport={"width": width, "height": height}, bypass_csp=True) as page:
        opened(page, pages[name].parent, pages[name].stem)
        page.evaluate(AXE)
        for at in ("start", "question"):
            if at == "question":
                page.click("#begin")
            page.evaluate(OPENED)
            page.emulate_media(color_scheme="light")
            assert page.evaluate(FINDINGS, ALL) == [], at
            page.emulate_media(color_scheme="dark")
            assert page.evaluate(FINDINGS, COLOURS) == [], at
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_statements_are_judged_by_keyboard_alone(window: Any, pages: dict[str, Path]) -> None:
    begun(window, pages["statements"].parent)
    keys = window.keyboard

    def focused() -> str:
        return window.evaluate("document.activeElement.name + ' ' + document.activeElement.value")

    while focused() != "well formed yes":
        keys.press("Tab")
    keys.press("Space")
    keys.press("Tab")
    assert focused() == "same meaning yes"
    keys.press("ArrowDown")
    assert focused() == "same meaning no"
    keys.press("Tab")
    keys.type("XXXX stops it.")
    keys.press("Enter")
    assert "Question 2 of 3" in window.inner_text(SHOWN + "h2")
    (line,) = saved(window)[1]
    assert (line["well formed"], line["same meaning"], line["corrected"]) == ("yes", "no", "XXXX stops it.")
