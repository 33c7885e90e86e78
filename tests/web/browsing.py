"""A real browser for tests of the page: its sizes, pages whose consoles are read, and an address to open.

Modules of such tests take the fixtures from conftest.py; without Chromium or playwright they are skipped.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.web.apps import web_app

from anagnosis.searching.answers.readers import NONE, Readers
from anagnosis.searching.index.index import open_index
from anagnosis.web.limits import Limits

SIZES = {"phone": (390, 844), "desk": (1280, 800)}


def opened(browser: Any, size: str = "desk", **options: Any) -> tuple[Any, list[str]]:
    """(a page, the lines of its console)."""
    width, height = SIZES[size]
    page = browser.new_page(viewport={"width": width, "height": height}, **options)
    console: list[str] = []
    page.on("console", lambda message: console.append(message.text))
    page.on("pageerror", lambda fault: console.append(str(fault)))
    page.set_default_timeout(20_000)
    return page, console


@contextmanager
def served(folder: Path, readers: Readers = NONE, port: int = 0) -> Generator[str]:
    """The address of the page over an index, served by a thread of this process. port: 0 for any."""
    import uvicorn

    app = web_app(open_index(folder), Limits(rate=0, reading_seconds=60), readers)
    server = uvicorn.Server(uvicorn.Config(app, log_config=None))
    with socket.create_server(("127.0.0.1", port)) as listening:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
        server.should_exit = True
        thread.join(10)
