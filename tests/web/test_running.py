"""`anagnosis serve` as a process: its address, its names, its end, and what it refuses."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from ipaddress import ip_address
from pathlib import Path

import pytest
from tests.web.apps import started, talk

from anagnosis.cli import run
from anagnosis.web.running import listening

FAMILIES = (socket.AF_INET, socket.AF_INET6)


def ended(process: subprocess.Popen[str], told: signal.Signals) -> list[str]:
    """The events of its log, once it has ended well."""
    process.send_signal(told)
    _, log = process.communicate(timeout=10)
    assert process.returncode == 0
    return [json.loads(line)["event"] for line in log.splitlines()]


def test_it_ends_well_when_interrupted_and_logs_lines_of_json(folder: Path) -> None:
    process, address = started(folder)
    urllib.request.urlopen(f"{address}health").close()
    assert ended(process, signal.SIGINT) == ["start", "request", "end"]


def test_a_port_that_is_taken_and_other_mistakes_are_one_line(
    address: str, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    port = address.rstrip("/").rpartition(":")[2]
    for arguments, said in (
        ([str(folder), "--port", port], f"127.0.0.1: port {port} is taken; choose another with --port"),
        ([str(folder), "--host", "192.0.2.1", "--port", "0"], "192.0.2.1: is no address of this machine"),
        (
            [str(folder), "--host", "no such host", "--port", "0"],
            "no such host: is no address of this machine",
        ),
        ([str(folder), "--allow-host", "box:80", "--port", "0"], "box:80: is no name of a host"),
        ([str(tmp_path)], f"no index here; make one with `anagnosis index PAPERS --out {tmp_path}`"),
        ([str(folder), "--workers", "0"], "--workers: 0 is out of range; give a number from 1 to 256"),
        ([str(folder), "--port", "0", "--readers", str(tmp_path / "none")], "no such run folder"),
    ):
        assert run(["serve", *arguments]) == 2
        told = capsys.readouterr().err
        assert said in told
        assert told.count("\n") == 1


@pytest.mark.parametrize(
    ("host", "own", "unreachable"), [("0.0.0.0", "127.0.0.1", "::1"), ("::", "::1", "127.0.0.1")]
)
def test_to_others_it_says_where_to_open_it_and_what_is_shared(
    host: str,
    own: str,
    unreachable: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("anagnosis.web.running.run", lambda app, on: None)
    monkeypatch.setenv("ANAGNOSIS_QUIET", "")
    for pages_are_shared, more in enumerate(((), ("--share-pages",))):
        assert run(["serve", str(folder), "--host", host, "--port", "0", *more]) == 0
        first, shared = capsys.readouterr().out.splitlines()
        opened = re.search(r"at http://\[?([0-9a-f.:]+?)\]?:\d+/ ", first)
        assert opened
        assert not ip_address(opened[1]).is_unspecified
        assert (
            "read the papers' texts and your notes in Zotero, and see the names of collections and tags"
            in shared
        )
        assert ("are shown to all (--share-pages)" in shared) == pages_are_shared
        assert ("at this machine alone; --share-pages shows them" in shared) != pages_are_shared
        monkeypatch.setattr("anagnosis.web.running._ADDRESSES", dict.fromkeys(FAMILIES, (own, unreachable)))
        assert opened[1] == own or not pages_are_shared, "without a network"


def test_an_answer_on_a_kept_connection_does_not_wait_for_its_first_half() -> None:
    with listening("127.0.0.1", 0) as (made, _):
        assert made.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_it_answers_to_its_own_names_and_to_those_allowed_alone(address: str) -> None:
    """A name that somebody lets lead here (DNS rebinding) is none of ours."""
    port = address.rstrip("/").rpartition(":")[2]
    for host, status in (
        (f"127.0.0.1:{port}", 200),
        ("papers.example:443", 200),
        ("box", 200),
        (f"evil.example:{port}", 400),
        ("", 400),
    ):
        for path in ("/api/search?q=tea", "/health", "/static/style.css", "/openapi.json"):
            sent = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
            assert talk(address, sent.encode()).startswith(f"HTTP/1.1 {status} ".encode()), (host, path)
    refused = talk(address, b"GET /?q=tea HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
    assert b"Invalid host header" in refused
    assert b"content-security-policy: default-src 'none'" in refused.lower()


def test_help_and_listing_load_no_web_framework() -> None:
    code = (
        "import sys, anagnosis.cli as c; c.run(['serve', '--help'])\n"
        "assert not {'starlette', 'uvicorn', 'jinja2', 'tantivy'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
