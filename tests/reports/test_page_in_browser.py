"""The report's page in a real browser: no wider than a desk or a phone, and pictures beside each other on a desk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from benchmarks.invented_papers import documents

from anagnosis import api
from anagnosis.reports import save

DESK, PHONE = 1440, 390


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


def test_the_page_is_as_wide_as_the_screen(browser: Any, page: Path) -> None:
    tops = "[...document.querySelectorAll('svg')].map(each => each.getBoundingClientRect().top)"
    for width in (DESK, PHONE):
        opened = browser.new_page(viewport={"width": width, "height": 900})
        opened.goto(page.as_uri())
        assert opened.evaluate("document.documentElement.scrollWidth") == width
        places = opened.evaluate(tops)
        assert (len(set(places)) < len(places)) == (width == DESK), "pictures stand beside each other"
        opened.close()
