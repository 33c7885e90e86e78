"""The application as tests reach it: in this process, as a process of its own, by raw bytes, and in a real browser.

The client of tests calls it `testserver`, which is no name of this machine.
"""

from __future__ import annotations

import asyncio
import html
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Coroutine, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")

from anagnosis.searching.index.index import open_index
from anagnosis.searching.sentences.highlighting import UNTRAINED, Highlighter
from anagnosis.web import app
from anagnosis.web.limits import Limits, hosts

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from anagnosis.searching.answers.judging import Judge
    from anagnosis.searching.index.index import Index

T = TypeVar("T")
SIZES = {"phone": (390, 844), "desk": (1280, 800)}  # of a browser's window


def web_app(
    index: Index,
    limits: Limits | None = None,
    scorer: Highlighter = UNTRAINED,
    judge: Judge | None = None,
) -> Starlette:
    """Of this machine, and of the client."""
    return app.web_app(index, limits, scorer, hosts(others=["testserver"]), judge=judge)


def started(folder: Path, *options: str) -> tuple[subprocess.Popen[str], str]:
    """(the process of `anagnosis serve`, its address)."""
    command = [sys.executable, "-m", "anagnosis", "serve", str(folder), "--port", "0", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout
    line = process.stdout.readline()
    found = re.search(r"at (http://127\.0\.0\.1:\d+/)", line)
    assert found, line + process.communicate()[1]
    return process, found[1]


def in_a_loop(made: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """What a coroutine gives, in a loop of another thread: a browser's may run in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(made())).result()


def talk(server: str, sent: bytes) -> bytes:
    """All that a server answers to these bytes until it hangs up."""
    host, _, port = server.removeprefix("http://").rstrip("/").rpartition(":")
    with socket.create_connection((host, int(port)), timeout=5) as client:
        client.sendall(sent)
        found = b""
        while more := client.recv(65536):
            found += more
        return found


@contextmanager
def served(folder: Path, scorer: Highlighter = UNTRAINED, port: int = 0) -> Generator[str]:
    """The address of the page over an index, served by a thread of this process. port: 0 for any."""
    import uvicorn

    app = web_app(open_index(folder), Limits(reading_seconds=60), scorer)
    server = uvicorn.Server(uvicorn.Config(app, log_config=None))
    with socket.create_server(("127.0.0.1", port)) as listening:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
        server.should_exit = True
        thread.join(10)


@contextmanager
def visited(
    browser: Any, address: str, size: str = "desk", noise: str | None = None, **options: Any
) -> Generator[Any]:
    """A page of a browser. It fails if the page reports anything in its console but lines with `noise`, if given."""
    width, height = SIZES[size]
    page = browser.new_page(viewport={"width": width, "height": height}, **options)
    console: list[str] = []
    page.on("console", lambda message: console.append(message.text))
    page.on("pageerror", lambda fault: console.append(str(fault)))
    page.set_default_timeout(20_000)
    page.goto(address)
    yield page
    page.close()
    assert [line for line in console if noise is None or noise not in line] == []


def text(page: str) -> str:
    """What a reader sees."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


class _Names(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.elements, self.attributes = set[str](), set[str]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.attributes.update(name for name, _ in attrs)


def runs_code(page: str) -> list[str]:
    """The attributes and elements of a page that could run code of a paper, besides <script>, which is counted."""
    names = _Names()
    names.feed(page)
    active = {"img", "iframe", "object", "embed", "style", "base"} & names.elements
    return sorted(active | {name for name in names.attributes if name.startswith("on") or name == "style"})
