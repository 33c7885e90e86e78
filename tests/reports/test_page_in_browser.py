"""The report's page in a real browser: how much of a desk's width it uses, and how much of a phone it leaves blank."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from benchmarks.invented_papers import documents

from anagnosis import api
from anagnosis.reports import save

DESK, PHONE = 1440, 390
PAPER = 235  # of 255: lighter grey is no ink (rules are darker)

Mask = npt.NDArray[np.bool_]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report on four systems, with everything that a report can have of them."""
    folder = tmp_path_factory.mktemp("page")
    api.write(documents(500, seed=0), folder / "corpus.pubtator")
    built = api.build("biomrc", [folder / "corpus.pubtator"], folder / "built", workers=1)
    names = ["first-entity", "most-frequent-entity", "most-frequent-unless-alone", "neighbour-overlap"]
    for name in names:
        api.predict(name, built, folder / f"{name}.jsonl")
    found = api.report(
        api.evaluate(built, [folder / f"{name}.jsonl" for name in names], shortcuts=True, draws=200)
    )
    save(found, folder / "report.html")
    return folder / "report.html"


def shown(browser: Any, file: Path, width: int) -> tuple[Any, Mask]:
    """(the page at that width, where its picture has ink: bool [height, width])."""
    from PIL import Image

    opened = browser.new_page(viewport={"width": width, "height": 900}, color_scheme="light")
    opened.goto(file.as_uri())
    picture = Image.open(io.BytesIO(opened.screenshot(full_page=True))).convert("L")
    return opened, np.asarray(picture) < PAPER


def used_width(ink: Mask) -> float:
    """From the first to the last ink of a line of pixels, as a share of the screen: the mean of all that have any."""
    lines = ink[ink.any(axis=1)]
    last = lines.shape[1] - lines[:, ::-1].argmax(axis=1)
    return float(((last - lines.argmax(axis=1)) / lines.shape[1]).mean())


def tallest_blank(ink: Mask) -> int:
    """Pixels: the height of the tallest rectangle without ink that is half as wide as the screen."""
    half = ink.shape[1] // 2
    before = np.cumsum(np.pad(ink, ((0, 0), (1, 0))), axis=1)
    tallest = 0
    for left in range(0, ink.shape[1] - half + 1, 5):
        filled = before[:, left + half] > before[:, left]
        tallest = max(tallest, int(np.diff(np.flatnonzero(np.r_[True, filled, True])).max()) - 1)
    return tallest


def test_both_measures_see_what_they_measure() -> None:
    ink = np.zeros((100, 40), bool)
    ink[10, 5:25] = ink[90, ::3] = True
    assert used_width(ink) == (20 / 40 + 40 / 40) / 2
    assert tallest_blank(ink) == 79
    ink[50, 19:21] = True
    assert tallest_blank(ink) == 39


def test_a_desk_is_used_to_its_width(browser: Any, page: Path) -> None:
    opened, ink = shown(browser, page, DESK)
    assert used_width(ink) > 0.38  # a single column of blocks: 0.29
    rights = opened.evaluate(
        "[...document.querySelectorAll('main > figure')].map(each => each.getBoundingClientRect().right)"
    )
    assert max(rights) > 0.93 * DESK
    tops = opened.evaluate(
        "[...document.querySelectorAll('svg')].map(each => each.getBoundingClientRect().top)"
    )
    assert len(set(tops)) < len(tops), "pictures stand beside each other"
    assert opened.evaluate("document.documentElement.scrollWidth") == DESK
    opened.close()


def test_a_phone_has_no_tall_blanks(browser: Any, page: Path) -> None:
    opened, ink = shown(browser, page, PHONE)
    assert tallest_blank(ink) <= 120  # with rows as tall as a name of one word a line: 157
    assert opened.evaluate("document.documentElement.scrollWidth") == PHONE
    opened.close()
