"""`anagnosis mcp` as a process: over standard input and output and over HTTP, its end, and what it refuses."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the extra mcp is not installed")

import httpx2
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from tests.quotations.papers import TRUE
from tests.rows import each_row
from tests.web.apps import in_a_loop

from anagnosis.assistants.serving import TOKEN
from anagnosis.assistants.tools import TOOLS
from anagnosis.cli import run

SECRET = "0123456789abcdef-token"
CALLS: dict[str, dict[str, Any]] = {
    "search": {"q": "coffee"},
    "ask": {"q": "Does coffee lower the risk of death?"},
    "read": {"id": "11"},
    "paper": {"id": "11"},
    "check_quote": {"quotation": TRUE},
    "about": {},
}


def command(folder: Path, *options: str) -> list[str]:
    return [sys.executable, "-m", "anagnosis", "mcp", str(folder), *options]


def message(method: str, ident: int = 0, **params: Any) -> bytes:
    made = {"jsonrpc": "2.0", "method": method, "params": params} | ({"id": ident} if ident else {})
    return json.dumps(made).encode() + b"\n"


HELLO = message(
    "initialize", 1, protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "t", "version": "1"}
)
WELCOMED = message("notifications/initialized")


@contextmanager
def listening(folder: Path, *options: str, token: str = SECRET) -> Generator[str]:
    """The address of a server with a token."""
    process = subprocess.Popen(
        command(folder, "--http", "--port", "0", *options), env={**os.environ, TOKEN: token}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        assert process.stdout
        found = re.search(r"tools at (http://127\.0\.0\.1:\d+/mcp) ", process.stdout.readline())
        assert found
        yield found[1]
    finally:
        process.terminate()
        assert process.wait(20) == 0


async def every_tool(client: Client) -> None:
    assert {tool.name for tool in (await client.list_tools()).tools} == {*TOOLS} == {*CALLS}
    for tool, arguments in CALLS.items():
        found = await client.call_tool(tool, arguments)
        assert not found.is_error
        assert found.structured_content


def test_every_tool_over_standard_input_and_output(papers: Path) -> None:
    program, *options = command(papers)

    async def talk() -> None:
        parameters = StdioServerParameters(command=program, args=options, env={**os.environ})
        async with Client(stdio_client(parameters)) as client:
            await every_tool(client)

    in_a_loop(talk)


def test_every_tool_over_http_with_the_token_alone(papers: Path) -> None:
    async def talk(address: str) -> None:
        headers = {"Authorization": f"Bearer {SECRET}"}
        async with httpx2.AsyncClient(headers=headers, timeout=30) as http, Client(
            streamable_http_client(address, http_client=http)
        ) as client:  # fmt: skip
            await every_tool(client)

    with listening(papers) as address:
        in_a_loop(lambda: talk(address))
        json_headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        for given, host, body, status in (
            ("", "127.0.0.1", HELLO, 401),
            ("Bearer wrong", "127.0.0.1", HELLO, 401),
            (f"Bearer {SECRET[:-1]}", "127.0.0.1", HELLO, 401),
            (f"Bearer {SECRET}", "127.0.0.1", HELLO, 200),
            (f"Bearer {SECRET}", "evil.example", HELLO, 421),
            (f"Bearer {SECRET}", "127.0.0.1", b" " * 100_000, 413),
        ):
            port = address.split(":")[2].removesuffix("/mcp")
            headers = {**json_headers, "Authorization": given, "Host": f"{host}:{port}"}
            assert httpx2.post(address, headers=headers, content=body).status_code == status, given
        own = socket.gethostbyname(socket.gethostname())
        if not own.startswith("127."):
            with pytest.raises(OSError, match="refused"):
                socket.create_connection((own, int(port)), timeout=2)


def test_standard_output_carries_nothing_but_the_protocol_and_its_end_is_the_server_s(papers: Path) -> None:
    """Also with what is no message, and where a call is cancelled."""
    sent = [
        *(HELLO, WELCOMED, b"no message\n", b"{}\n", b"[1]\n", b"\xff\xfe\n", message("none", 7)),
        *(message("tools/call", 10 + n, name=tool, arguments=each) for n, (tool, each) in enumerate(CALLS.items())),
        *(message("tools/call", 30, name="about", arguments={}), message("notifications/cancelled", requestId=30)),
        message("tools/call", 31, name="about", arguments={}),
    ]  # fmt: skip
    for interrupted in (False, True):
        with subprocess.Popen(command(papers), stdin=-1, stdout=-1, stderr=-1) as process:
            assert process.stdin
            assert process.stdout
            assert process.stderr
            process.stdin.writelines(sent)
            process.stdin.flush()
            answered = list[dict[str, Any]]()
            while not {*range(10, 16), 31} <= {one.get("id") for one in answered}:
                answered.append(json.loads(process.stdout.readline()))
            if interrupted:
                process.send_signal(signal.SIGINT)
                assert process.wait(10) == -signal.SIGINT
            process.stdin.close()
            answered += map(json.loads, process.stdout)
            assert b"Traceback" not in process.stderr.read()
        assert interrupted or process.returncode == 0
        assert all(one["jsonrpc"] == "2.0" for one in answered)


def test_an_assistant_that_reads_no_more_is_no_fault(papers: Path) -> None:
    with subprocess.Popen(command(papers), stdin=-1, stdout=-1, stderr=-1) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(HELLO)
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()
        _, said = process.communicate(WELCOMED + message("tools/list", 2), timeout=20)
    assert (process.returncode, said) == (0, b"")


@each_row("kill", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_client_leaves_no_process(kill: signal.Signals, papers: Path) -> None:
    """The client is a shell between us and the server, which has a call to answer."""
    client = subprocess.Popen(
        [sys.executable, "-c", _CLIENT, *command(papers)], stdout=subprocess.PIPE, text=True
    )
    assert client.stdout
    server = int(client.stdout.readline())
    client.send_signal(kill)
    client.wait(10)
    until = time.monotonic() + 15
    stat = Path(f"/proc/{server}/stat")
    while stat.exists() and stat.read_text().split()[2] != "Z":
        assert time.monotonic() < until, "the server lives on"
        time.sleep(0.05)


_CLIENT = f"""
import subprocess, sys, time
server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
server.stdin.write({HELLO + WELCOMED!r}); server.stdin.flush()
server.stdout.readline()
server.stdin.write({message("tools/call", 2, name="search", arguments={"q": "sugar"})!r}); server.stdin.flush()
print(server.pid, flush=True)
time.sleep(60)
"""


def test_bad_input_is_one_line(
    papers: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def file(name: str, content: str, mode: int) -> str:
        (tmp_path / name).write_text(content)
        (tmp_path / name).chmod(mode)
        return str(tmp_path / name)

    monkeypatch.delenv(TOKEN, raising=False)
    good = file("token", f"{SECRET}\n", 0o600)
    (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged" / "index.json").write_text("{")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for arguments, said in (
            ([str(papers), "--http"], f"{TOKEN}: has no token; set {TOKEN} to 16 letters"),
            ([str(papers), "--http", "--token-file", file("short", "abc", 0o600)], "has no token"),
            ([str(papers), "--http", "--token-file", file("blank", "a b" * 9, 0o600)], "has no token"),
            ([str(papers), "--http", "--token-file", file("open", SECRET, 0o644)], "others can read the token; chmod"),
            ([str(papers), "--http", "--token-file", str(tmp_path / "none")], "none"),
            ([str(papers), "--http", "--token-file", str(tmp_path)], "is a directory"),
            ([str(papers), "--http", "--token-file", good, "--port", port], f"port {port} is taken"),
            ([str(tmp_path / "nothing")], "no index here"),
            ([str(tmp_path / "damaged")], "index.json"),
        ):  # fmt: skip
            assert run(["mcp", *arguments]) == 2, arguments
            told = capsys.readouterr()
            assert said in told.err, told.err
            assert told.err.count("\n") == 1, told.err
            assert told.out == ""
    with listening(papers, "--token-file", good, token="") as address:
        found = httpx2.post(address, headers={"Authorization": f"Bearer {SECRET}"}, content=b"{}")
        assert found.status_code != 401
