"""`anagnosis serve` as a process: its address, its end, slow clients, a port that is taken."""

from __future__ import annotations

import contextlib
import json
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from tests.web.apps import started

from anagnosis.cli import run
from anagnosis.errors import InputError
from anagnosis.web import strict_requests
from anagnosis.web.hosts import hosts, is_loopback
from anagnosis.web.serving import serve


@pytest.fixture(scope="module")
def server(folder: Path) -> Generator[str]:
    process, address = started(folder, "--rate", "0")
    yield address
    process.terminate()
    process.communicate(timeout=10)


def test_it_serves_and_hides_what_it_runs_on(server: str) -> None:
    with urllib.request.urlopen(f"{server}api/search?q=coffee") as answer:
        assert json.load(answer)["found"]
        assert "server" not in answer.headers


@pytest.mark.parametrize("told", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_well_when_told_and_logs_lines_of_json(folder: Path, told: signal.Signals) -> None:
    process, address = started(folder)
    urllib.request.urlopen(f"{address}health").close()
    process.send_signal(told)
    _, log = process.communicate(timeout=10)
    assert process.returncode == 0
    assert [json.loads(line)["event"] for line in log.splitlines()] == ["start", "request", "end"]


def test_it_answers_with_readers_and_keeps_its_log_clean(folder: Path, readers_folder: Path) -> None:
    options = ["--readers", str(readers_folder), "--threads", "1", "--device", "cpu"]
    process, address = started(folder, *options)
    with urllib.request.urlopen(f"{address}api/ask?q=Does+tea+cure+baldness%3F") as answer:
        found = json.load(answer)
    with urllib.request.urlopen(f"{address}?q=Does+tea+cure+baldness%3F") as answer:
        page = answer.read().decode()
    assert found["conclusions"]["reader"] == "stance-features"
    assert [one["stance"] for one in found["conclusions"]["papers"]] == ["supports"]
    assert "Stances by" in page
    assert found["names"] is None
    process.terminate()
    _, log = process.communicate(timeout=10)
    assert process.returncode == 0
    assert [json.loads(line)["event"] for line in log.splitlines()] == ["start", *["request"] * 2, "end"]


def test_a_port_that_is_taken_and_other_mistakes_are_one_line(
    server: str, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    port = server.rstrip("/").rpartition(":")[2]
    for arguments, said in (
        ([str(folder), "--port", port], f"127.0.0.1: port {port} is taken; choose another with --port"),
        ([str(folder), "--host", "192.0.2.1", "--port", "0"], "192.0.2.1: is no address of this machine"),
        (
            [str(folder), "--host", "no such host", "--port", "0"],
            "no such host: is no address of this machine",
        ),
        ([str(folder), "--allow-host", "box:80", "--port", "0"], "box:80: is no name of a host"),
        ([str(tmp_path)], f"no index here; make one with `anagnosis index PAPERS --out {tmp_path}`"),
        ([str(folder), "--rate", "-1"], "--rate"),
        ([str(folder), "--port", "0", "--readers", str(tmp_path / "none")], "no such folder of readers"),
        ([str(folder), "--port", "0", "--encoder", "minilm"], "no vectors here"),
    ):
        assert run(["serve", *arguments]) == 2
        told = capsys.readouterr().err
        assert said in told
        assert told.count("\n") == 1


def talk(server: str, sent: bytes) -> bytes:
    host, _, port = server.removeprefix("http://").rstrip("/").rpartition(":")
    with socket.create_connection((host, int(port)), timeout=5) as client:
        client.sendall(sent)
        found = b""
        while more := client.recv(65536):
            found += more
        return found


@pytest.mark.parametrize(
    ("sent", "answered"),
    {
        "no HTTP": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", b"HTTP/1.1 400 "),
        "two lengths": (b"GET / HTTP/1.1\r\nHost: [::1]\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
                        b"HTTP/1.1 400"),
        "endless headers": (b"GET / HTTP/1.1\r\nHost: [::1]\r\n" + b"X: " + b"a" * 60_000, b"HTTP/1.1 4"),
        "a path upwards": (b"GET /../../etc/passwd HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n",
                           b"HTTP/1.1 404 "),
        "another address": (b"GET http://evil/ HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n", b"HTTP/1.1 "),
        "a huge body": (b"GET /?q=tea HTTP/1.1\r\nHost: [::1]\r\nContent-Length: 99999999\r\n\r\n", b"HTTP/1.1 413 "),
        "raw bytes": (b"GET /?q=\xff\x80 HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n", b"HTTP/1.1 "),
    }.values(),
)  # fmt: skip
def test_what_is_hardly_http_is_refused(server: str, sent: bytes, answered: bytes) -> None:
    found = talk(server, sent)
    assert found.startswith(answered)
    assert b" 500 " not in found[:20]
    assert b"root:" not in found


def sized(total: int, *, each: int = 8_000) -> bytes:
    """A whole request whose line and headers have so many bytes, the blank line left out."""
    found = b"GET /health HTTP/1.1\r\nHost: [::1]\r\n"
    while (left := total - len(found)) > 0:
        filled = left if left <= each + 20 else each
        found += b"X-Filled: " + b"a" * (filled - len(b"X-Filled: \r\n")) + b"\r\n"
    assert len(found) == total
    return found + b"\r\n"


@pytest.mark.parametrize("each", [50, 8_000, 70_000])
def test_headers_are_counted_though_they_arrive_at_once(server: str, each: int) -> None:
    """h11 counts only what waits for its end. What stands behind them in the same bytes is not answered."""
    second = b"GET /health HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n"
    most = strict_requests.LONGEST_HEADERS
    answered = talk(server, sized(most, each=each) + second)
    assert answered.count(b"HTTP/1.1 200 OK") == 2
    for total in (most + 1, 60_000):
        refused = talk(server, sized(total, each=each) + second)
        assert refused.startswith(b"HTTP/1.1 431 Request Header Fields Too Large\r\n"), total
        assert refused.count(b"HTTP/1.1 ") == 1
        assert b"connection: close" in refused.lower()
        assert b"content-security-policy: default-src 'none'" in refused.lower()


FRAMED_TWICE = (
    b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
    b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
    b"content-length: 0\r\nX: y\r\nTRANSFER-ENCODING: chunked\r\n",
    b"Transfer-Encoding: identity\r\nContent-Length: 5\r\n",
    b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
    b"Transfer-Encoding: chunked, chunked\r\n",
    b"Content-Length: 5\r\nContent-Length: 6\r\n",
    b"Content-Length: +5\r\n",
)


@pytest.mark.parametrize("headers", FRAMED_TWICE)
def test_a_request_whose_end_is_told_twice_is_refused_and_hung_up_on(server: str, headers: bytes) -> None:
    hidden = b"0\r\n\r\nGET /api/search?q=tea HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n"
    for method in (b"GET", b"POST"):
        answered = talk(server, method + b" /health HTTP/1.1\r\nHost: [::1]\r\n" + headers + b"\r\n" + hidden)
        assert answered.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 501 ")), answered
        assert answered.count(b"HTTP/1.1 ") == 1
        assert b"connection: close" in answered.lower()


def test_chunks_have_no_place_in_http_1_0(server: str) -> None:
    sent = b"POST /health HTTP/1.0\r\nHost: [::1]\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    assert talk(server, sent).startswith(b"HTTP/1.1 400 ")


def test_a_request_in_chunks_alone_is_answered(server: str) -> None:
    sent = b"GET /health HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    assert talk(server, sent).startswith(b"HTTP/1.1 200 ")


def test_refused_requests_write_nothing_of_theirs_into_the_log(folder: Path) -> None:
    process, address = started(folder)
    for sent in (
        b"GET /\x1b[2J HTTP/1.1\r\nHost: [::1]\r\nX-Request-ID: a\x1b]0;owned\r\nConnection: close\r\n\r\n",
        b'GET /%0a{"event":"owned"} HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n',
        b"GET /?q=%1b%5b2Jowned HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n",
        b"OWNED\x1b / HTTP/1.1\r\nHost: [::1]\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: owned\x1b\r\nConnection: close\r\n\r\n",
        sized(40_000),
    ):
        talk(address, sent)
    process.terminate()
    _, log = process.communicate(timeout=10)
    assert {json.loads(line)["event"] for line in log.splitlines()} == {
        "start",
        "request",
        "Invalid HTTP request received.",
        "end",
    }
    assert "owned" not in log.lower()
    assert log.isascii()
    assert "\x1b" not in log


def test_a_client_that_never_ends_its_headers_is_hung_up_on(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import threading

    import uvicorn
    from tests.web.apps import web_app

    from anagnosis.searching.index.index import open_index

    monkeypatch.setattr(strict_requests, "SECONDS", 0.4)
    app = web_app(open_index(folder))
    server = uvicorn.Server(uvicorn.Config(app, http=strict_requests.StrictRequests, log_config=None))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            with socket.create_connection(listening.getsockname(), timeout=5) as quick:
                # A whole request in time leaves the connection open for the next one.
                for _ in range(2):
                    quick.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    found = b""
                    while b"}" not in found:
                        found += quick.recv(65536)
                    assert found.startswith(b"HTTP/1.1 200")
                    time.sleep(0.6)
                quick.sendall(b"GET /health HT")
                began = time.monotonic()
                with contextlib.suppress(ConnectionError):
                    while time.monotonic() - began < 4:
                        quick.sendall(b"T")
                        time.sleep(0.1)
                assert time.monotonic() - began < 3
        finally:
            server.should_exit = True
            thread.join(10)


def test_only_this_machine_is_called_so() -> None:
    assert all(is_loopback(host) for host in ("localhost", "127.0.0.1", "127.1.2.3", "::1"))
    assert not any(is_loopback(host) for host in ("0.0.0.0", "::", "10.0.0.1", "example.org"))


def test_it_answers_to_its_own_names_alone(server: str) -> None:
    """A name that somebody lets lead here (DNS rebinding) is none of ours."""
    port = server.rstrip("/").rpartition(":")[2]
    for host, status in (
        (f"127.0.0.1:{port}", 200),
        (f"localhost:{port}", 200),
        ("LOCALHOST.", 200),
        ("[::1]:8000", 200),
        (f"evil.example:{port}", 421),
        ("127.0.0.1.evil.example", 421),
        ("10.0.0.1", 421),
        ("localhost@evil.example", 421),
        ("", 421),
    ):
        for path in ("/api/search?q=tea", "/health", "/static/style.css", "/openapi.json"):
            sent = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
            assert talk(server, sent.encode()).startswith(f"HTTP/1.1 {status} ".encode()), (host, path)
    refused = talk(server, b"GET /?q=tea HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
    assert b"Not served here" in refused
    assert b"ask those who run this page to allow the name" in refused


@pytest.mark.parametrize(
    ("listening", "others", "answered", "refused"),
    [
        ("127.0.0.1", ["Papers.Example.org"], ["papers.example.org:80", "localhost"], ["example.org"]),
        ("127.1.2.3", [], ["127.1.2.3:8000", "127.0.0.1"], ["127.1.2.4"]),
        ("::1", [], ["[::1]:8000", "[0:0:0:0:0:0:0:1]"], ["::1", "[::2]"]),
        ("10.0.0.5", ["box"], ["10.0.0.5:8000", "box"], ["10.0.0.6", "evil.example"]),
        ("box.lan", [], ["box.lan", "box.lan.:8000"], ["10.0.0.5", "lan"]),
        ("0.0.0.0", ["box"], ["10.0.0.5:80", "[fe80::1]", "box", "localhost"], ["evil.example"]),
        ("::", [], ["10.0.0.5", "[::1]:1"], ["evil.example", "box"]),
    ],
)
def test_other_addresses_answer_to_their_name_and_to_those_allowed(
    listening: str, others: list[str], answered: list[str], refused: list[str]
) -> None:
    made = hosts(listening, others)
    assert [host for host in answered if not made.allow(host)] == []
    assert [host for host in [*refused, "", "a b", "box:80:80", "testserver"] if made.allow(host)] == []


def test_an_allowed_name_is_served(folder: Path) -> None:
    process, address = started(folder, "--allow-host", "papers.example", "--allow-host", "box")
    for host, status in (("papers.example:443", 200), ("box", 200), ("other.example", 421)):
        sent = f"GET /health HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        assert talk(address, sent.encode()).startswith(f"HTTP/1.1 {status} ".encode())
    process.terminate()
    process.communicate(timeout=10)


def test_help_and_listing_load_no_web_framework() -> None:
    code = (
        "import sys, anagnosis.cli as c; c.run(['serve', '--help'])\n"
        "assert not {'fastapi', 'uvicorn', 'jinja2', 'tantivy', 'pydantic'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ({"port": 2**63}, "port: 9223372036854775808 is out of range; give a number from 0 to 65,535"),
        ({"port": -1}, "port: -1 is out of range"),
        ({"workers": 0}, "workers: 0 is out of range; give a number from 1 to 256"),
        ({"threads": 2**63}, "threads: "),
        ({"rate": float("nan")}, "rate: nan is not a number"),
        ({"rate": float("inf")}, "rate: inf is out of range"),
        ({"allow_hosts": "box"}, "allow_hosts: 'box' is one where a list is meant; write ['box']"),
        ({"device": "banana"}, "device: unknown device 'banana'; auto, cpu, cuda, cuda:N or mps"),
    ],
)
def test_what_serve_is_given_is_checked_as_of_every_verb(
    folder: Path, named: dict[str, Any], said: str
) -> None:
    with pytest.raises(InputError) as refused:
        serve(folder, **named)
    assert said in str(refused.value)
