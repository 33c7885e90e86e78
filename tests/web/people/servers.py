"""`anagnosis label serve` for tests: as a process, and as a thread of this process."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import urllib.request
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pytest

pytest.importorskip("fastapi", reason="the extra web is not installed")

from anagnosis.labelling import links
from anagnosis.labelling.opened_study import open_study
from anagnosis.labelling.participant import participants
from anagnosis.web.people.app import ANSWERS, people_app

# Of each server that runs as a process its log. It is a file, so that a long one never blocks the server.
_RUNNING: dict[subprocess.Popen[str], IO[str]] = {}
_LINK = re.compile(r"^(\S+) .*(http://127\.0\.0\.1:\d+/[0-9a-f]{32}/)", re.MULTILINE)


def started(built: Path, pages: Path, *options: str) -> tuple[subprocess.Popen[str], dict[str, str]]:
    """(the process, name → link). options: without any the study is there already."""
    command = [sys.executable, "-m", "anagnosis", "label", "serve", str(built), "--sheets", str(pages)]
    given = [*command, "--port", "0", *options]
    log = tempfile.TemporaryFile("w+")  # noqa: SIM115  (`end_all` closes it)
    process = subprocess.Popen(given, stdout=subprocess.PIPE, stderr=log, text=True)
    _RUNNING[process] = log
    assert process.stdout
    printed = ""
    while "Ctrl-C" not in printed:
        line = process.stdout.readline()
        assert line, printed + _log(process)
        printed += line
    links = dict[str, str](_LINK.findall(printed))
    for link in links.values():  # it answers, and so also takes signals
        kept(link)
    return process, links


def ended(process: subprocess.Popen[str], by: signal.Signals = signal.SIGTERM) -> list[dict[str, Any]]:
    """End it; gives its log."""
    process.send_signal(by)
    out, _ = process.communicate(timeout=20)
    log = _log(process)
    assert (process.returncode, out) == (0, ""), log
    return [json.loads(line) for line in log.splitlines()]


def end_all() -> None:
    """Kill every server that a test left, as one that failed does."""
    while _RUNNING:
        process, log = _RUNNING.popitem()
        with log, process:
            process.kill()


def _log(process: subprocess.Popen[str]) -> str:
    log = _RUNNING[process]
    log.seek(0)
    return log.read()


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
