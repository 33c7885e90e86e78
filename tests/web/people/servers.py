"""`anagnosis label … --serve` for tests: as a process, and as a thread of this process."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra web is not installed")

from anagnosis.labelling import links
from anagnosis.labelling.opened_study import open_study
from anagnosis.labelling.participant import participants
from anagnosis.web.people.app import ANSWERS, people_app

_LINK = re.compile(r"^(\S+) .*(http://127\.0\.0\.1:\d+/[0-9a-f]{32}/)", re.MULTILINE)


def started(built: Path, pages: Path, *options: str) -> tuple[subprocess.Popen[str], dict[str, str]]:
    """(the process, name → link). options: without any the study is there already."""
    command = [sys.executable, "-m", "anagnosis", "label", str(built), "--sheets", str(pages), "--serve"]
    given = [*command, "--port", "0", *options]
    process = subprocess.Popen(given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout
    printed = ""
    while "Ctrl-C" not in printed:
        line = process.stdout.readline()
        assert line, printed + process.communicate()[1]
        printed += line
    links = dict[str, str](_LINK.findall(printed))
    for link in links.values():  # it answers, and so also takes signals
        kept(link)
    return process, links


def ended(process: subprocess.Popen[str]) -> list[dict[str, Any]]:
    """End it; gives its log."""
    process.terminate()
    _, log = process.communicate(timeout=20)
    assert process.returncode == 0, log
    return [json.loads(line) for line in log.splitlines()]


@contextmanager
def served(built: Path, pages: Path, port: int = 0) -> Generator[dict[str, str]]:
    """name → link of the pages, served by a thread of this process. port: 0 for any."""
    import uvicorn

    with links.opened(pages) as made, socket.create_server(("127.0.0.1", port)) as listening:
        people = participants(open_study(built, pages), made, ANSWERS)
        server = uvicorn.Server(uvicorn.Config(people_app(people, rate=0), log_config=None))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        address = f"http://127.0.0.1:{listening.getsockname()[1]}/"
        try:
            yield {each.person.name: f"{address}{token}/" for token, each in people.items()}
        finally:
            server.should_exit = True
            thread.join(10)


def send(link: str, line: Mapping[str, Any], since: float = 0, timeout: float = 10) -> dict[str, Any]:
    """Send a line as a page does; gives the line that the server keeps."""
    origin = "/".join(link.split("/")[:3])
    request = urllib.request.Request(
        f"{link}{ANSWERS}",
        json.dumps({"line": line, "since": since}).encode(),
        {"Content-Type": "application/json", "Origin": origin},
    )
    with urllib.request.urlopen(request, timeout=timeout) as answer:
        return json.load(answer)["line"]


def kept(link: str) -> list[dict[str, Any]]:
    """The last line of each question, as the server gives them."""
    with urllib.request.urlopen(f"{link}{ANSWERS}", timeout=10) as answer:
        return json.load(answer)["lines"]
