"""A served page in a browser whose clock only the test moves, and a server of a few lines.

The server keeps the rules of the real one, which tests/web/people tests.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from anagnosis.labelling.opened_study import open_study
from anagnosis.labelling.question_page import render
from tests.labelling.browser import drawn, stopped, sync_api

ADDRESS = "http://study.test/token/"


class Server:
    """The page of ann. stored: id → line. fails: how it answers a line, by status, or "" for no answer at all."""

    def __init__(self, page: bytes) -> None:
        self.page, self.stored = page, dict[str, Any]()
        self.fails: int | str | None = None
        self.posted: list[dict[str, Any]] = []
        self.refused = 0  # lines
        self.asked = 0  # for all lines

    def __call__(self, route: Any) -> None:
        request = route.request
        self.refused += request.method == "POST" and self.fails is not None
        if self.fails == "" and request.url != ADDRESS:
            route.abort()
        elif request.url == ADDRESS:
            route.fulfill(body=self.page, content_type="text/html; charset=utf-8")
        elif request.method == "GET":
            assert request.url == f"{ADDRESS}answers"
            self.asked += 1
            route.fulfill(json={"lines": [*self.stored.values()]})
        elif self.fails:
            fault = {"what": "the disk is full", "where": "answers-ann.jsonl", "remedy": "make room"}
            route.fulfill(status=self.fails, json=fault)
        else:
            route.fulfill(json={"line": self.take(json.loads(request.post_data))})

    def take(self, body: dict[str, Any]) -> dict[str, Any]:
        assert {*body} == {"line", "since"}
        self.posted.append(body)
        line, before = body["line"], self.stored.get(body["line"]["id"])
        seconds = 0 if before is None else before["seconds"]
        if line != before:
            new = (
                line["seconds"]
                if seconds == body["since"]
                else seconds + max(line["seconds"] - body["since"], 0)
            )
            self.stored[line["id"]] = {**line, "seconds": round(new, 1)}
        return self.stored[line["id"]]


def said(page: Any, text: str) -> None:
    """Wait until the page says so."""
    sync_api.expect(page.locator("body")).to_contain_text(text, use_inner_text=True)


def settled(page: Any, server: Server, lines: int) -> None:
    """Wait until the server has so many lines, and the page knows."""
    for _ in range(500):
        if len(server.posted) >= lines:
            break
        page.wait_for_timeout(10)
    assert len(server.posted) == lines
    said(page, "All answers are kept on the server.")


def answered(server: Server) -> dict[int, tuple[str, float]]:
    return {line["place"]: (line["answer"], line["seconds"]) for line in server.stored.values()}


def served(at: Path) -> Server:
    """A server of a study of three questions."""
    sheets = drawn(at, 3)
    opened = open_study(at / "d", sheets)
    (person,) = opened.people
    return Server(render(opened.studies[person], person, opened.drawn.seed, send="answers"))


@contextmanager
def tabs(browser: Any, server: Server) -> Generator[Callable[..., Any]]:
    """Makes tabs with the page. fresh: in another browser than the tab before."""
    contexts: list[Any] = []

    def another(*, fresh: bool = False, **options: Any) -> Any:
        if fresh or not contexts:
            context = browser.new_context(accept_downloads=True, **options)
            context.route("**", server)
            contexts.append(context)
        page = contexts[-1].new_page()
        page.on("pageerror", lambda fault: pytest.fail(str(fault)))
        stopped(page)
        page.goto(ADDRESS)
        said(page, "server")
        return page

    yield another
    for context in contexts:
        context.close()
