"""`anagnosis serve` as a process: its address, its end, slow clients, a port that is taken."""

from __future__ import annotations

import contextlib
import json
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Generator
from pathlib import Path

import pytest

from anagnosis.cli import run
from anagnosis.web import slow_clients
from anagnosis.web.hosts import hosts, is_loopback


def started(folder: Path, *options: str) -> tuple[subprocess.Popen[str], str]:
    """(the process, its address)."""
    command = [sys.executable, "-m", "anagnosis", "serve", str(folder), "--port", "0", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout
    line = process.stdout.readline()
    found = re.search(r"at (http://127\.0\.0\.1:\d+/)", line)
    assert found, line + process.communicate()[1]
    return process, found[1]


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
    process, address = started(folder, "--readers", str(readers_folder), "--threads", "1", "--device", "cpu")
    with urllib.request.urlopen(f"{address}api/ask?q=Does+tea+cure+baldness%3F") as answer:
        found = json.load(answer)
    assert found["decision"]["reader"] == "shallow-features"
    process.terminate()
    _, log = process.communicate(timeout=10)
    assert process.returncode == 0
    assert [json.loads(line)["event"] for line in log.splitlines()] == ["start", "request", "end"]


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
        ([str(tmp_path)], "no index here; make one with `anagnosis index`"),
        ([str(folder), "--rate", "-1"], "--rate"),
        ([str(folder), "--port", "0", "--readers", str(tmp_path / "none")], "no such run folder"),
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


def test_a_client_that_never_ends_its_headers_is_hung_up_on(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import threading

    import uvicorn
    from tests.web.apps import web_app

    from anagnosis.searching.index import open_index

    monkeypatch.setattr(slow_clients, "SECONDS", 0.4)
    app = web_app(open_index(folder))
    server = uvicorn.Server(uvicorn.Config(app, http=slow_clients.HeadersInTime, log_config=None))
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
    assert b"--allow-host" in refused


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
