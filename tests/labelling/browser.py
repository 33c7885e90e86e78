"""Chromium with the page of a person, for tests of pages."""

from __future__ import annotations

import json
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from anagnosis import api
from tests.labelling.cloze_reports import reports

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

SHOWN = "section.question:visible "
"""Before the selector of a part of the question that is shown."""


@contextmanager
def window(browser: Any, **options: Any) -> Generator[Any]:
    """A window without memory of others. The test fails where the page reports an error or asks for a network."""
    context = browser.new_context(accept_downloads=True, **options)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.on("console", lambda message: faults.append(message.text))
    page.on("dialog", lambda dialog: (faults.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda asked: faults.append(asked.url) if not asked.url.startswith("file:") else None)
    yield page
    context.close()
    assert [fault for fault in faults if not fault.startswith("blob:")] == []


def drawn(
    at: Path, count: int = 4, kind: str = "answers", people: Sequence[str] = ("ann",), **how: Any
) -> Path:
    """A folder of pages, of the dataset beside it, which is made where there is none."""
    built = at / "d"
    if not built.exists():
        reports(built, count)
    if kind == "answers":
        how = {"texts": False} | how
    api.label(built, at / "s", kind=kind, draw=count, people=people, **how)
    return at / "s"


def opened(page: Any, sheets: Path, person: str = "ann") -> None:
    """The page of a person, from disk."""
    page.goto((sheets / f"{person}.html").as_uri())


def begun(page: Any, sheets: Path, person: str = "ann") -> None:
    """The page of a person at its first open question."""
    opened(page, sheets, person)
    page.click("#begin")


def stopped(page: Any) -> None:
    """Let the page's time pass in `run_for` and `fast_forward` alone."""
    page.clock.install(time=0)
    page.clock.pause_at(1)


def chosen(page: Any, entity: int, knowledge: str = "context") -> None:
    """Answer the question that is shown."""
    page.check(f"{SHOWN}.entities input[data-e='{entity}']")
    page.check(f"{SHOWN}input[value={knowledge}]")


def saved(page: Any) -> tuple[str, list[dict[str, Any]]]:
    """The name and the lines of the saved file."""
    with page.expect_download() as download:
        page.click("#save")
    lines = Path(download.value.path()).read_text("utf-8").splitlines()
    return download.value.suggested_filename, [json.loads(line) for line in lines]
