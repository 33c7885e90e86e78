"""Time, crowding and host names; headers, request ids and the log."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from tests.web.apps import in_a_loop, web_app

from anagnosis.io.addresses import is_loopback
from anagnosis.searching.index.index import Index, open_index
from anagnosis.web.guard import HEADERS, OwnNames, request_id
from anagnosis.web.limits import Limits, hosts
from anagnosis.web.logs import JSONLines, config

SECRET = "Has patient Miller syphilis"


# The address, further names, hosts that are answered, hosts that are refused.
SERVERS = (
    (
        "127.0.0.1",
        ["Papers.Example.org"],
        ["papers.example.org:80", "localhost", "localhost.", "localhost.:80"],
        ["example.org", "x.localhost"],
    ),
    ("127.1.2.3", [], ["127.1.2.3:8000", "127.0.0.1"], ["127.1.2.4"]),
    ("::1", [], ["[::1]:8000", "[0:0:0:0:0:0:0:1]"], ["::1", "[::2]"]),
    ("10.0.0.5", ["box"], ["10.0.0.5:8000", "box"], ["10.0.0.6", "evil.example", "localhost"]),
    ("box.lan", [], ["box.lan", "BOX.lan:8000"], ["10.0.0.5", "lan"]),
    (
        "0.0.0.0",
        ["box", "fe80::1"],
        ["127.0.0.1:80", "[fe80::1]", "box", "localhost", "192.168.1.5:8000", "0.0.0.0", "[2001:db8::5]:80"],
        ["evil.example", "10.0.0.5.evil.example", "10.0.0.256", "*", "[box]", "fe80::1"],
    ),
    ("::", ["10.0.0.5"], ["10.0.0.5", "[::1]:1", "[fe80::2]"], ["evil.example", "box"]),
)


def test_each_address_answers_to_its_names_and_to_those_allowed() -> None:
    async def answered(scope: Any, receive: Any, send: Any) -> None:
        await PlainTextResponse("there")(scope, receive, send)

    wrong = list[tuple[str, str]]()
    for listening, others, ours, refused in SERVERS:
        guarded = OwnNames(answered, hosts(listening, others))
        client = TestClient(guarded)
        never = [*refused, "", "a b", "box:80:80", "testserver"]
        for host, status in [*((one, 200) for one in ours), *((one, 400) for one in never)]:
            if client.get("/", headers={"Host": host}).status_code != status:
                wrong.append((listening, host))
    assert wrong == []


def test_only_this_machine_is_called_so() -> None:
    ours = ["localhost", "127.0.0.1", "127.1.2.3", "::1"]
    assert [each for each in (*ours, "0.0.0.0", "::", "10.0.0.1", "example.org") if is_loopback(each)] == ours


@pytest.fixture
def slow(folder: Path, monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Searches wait until it is set."""
    go, search = threading.Event(), Index.best_papers

    def waits(*given: Any, **named: Any) -> Any:
        go.wait(10)
        return search(*given, **named)

    monkeypatch.setattr(Index, "best_papers", waits)
    return go


def test_a_search_that_takes_too_long_ends_in_503_and_others_go_on(
    folder: Path, slow: threading.Event
) -> None:
    with TestClient(web_app(open_index(folder), Limits(workers=1, waiting=5, seconds=0.2))) as client:
        for path, kind in (("/api/search?q=tea", "application/json"), ("/?q=tea", "text/html")):
            answer = client.get(path)
            assert answer.status_code == 503
            assert int(answer.headers["retry-after"]) > 0
            assert answer.headers["content-type"].startswith(kind)
            assert "took longer than 0.2 seconds" in answer.text
            assert client.get("/health").status_code == 200
        slow.set()
        for _ in range(20):  # a busy machine may need the fifth of a second itself
            time.sleep(0.3)
            if client.get("/api/search?q=tea").status_code == 200:
                break
        else:
            pytest.fail("no later search has an answer")


def test_who_finds_no_place_to_wait_is_sent_away_at_once(folder: Path, slow: threading.Event) -> None:
    async def crowd() -> list[int]:
        import httpx2

        app = web_app(open_index(folder), Limits(workers=1, waiting=2, seconds=8))
        transport = httpx2.ASGITransport(app=app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client:
            tasks = [asyncio.create_task(client.get("/api/search?q=tea")) for _ in range(6)]
            await asyncio.sleep(0.3)
            slow.set()
            return sorted(answer.status_code for answer in await asyncio.gather(*tasks))

    assert in_a_loop(crowd) == [200] * 3 + [503] * 3


def test_every_answer_forbids_framing_sniffing_and_scripts(client: TestClient) -> None:
    for path in (
        "/",
        "/?q=tea",
        "/document?id=990001",
        "/api/search?q=tea",
        "/nothing",
        "/?since=x",
        "/static/submit.js",
    ):
        headers = client.get(path).headers
        assert {name: headers[name] for name in HEADERS} == HEADERS
        assert "cache-control" in headers
    assert "frame-ancestors 'none'" in HEADERS["Content-Security-Policy"]
    assert "unsafe" not in HEADERS["Content-Security-Policy"]


def test_a_request_keeps_its_well_formed_id_and_any_other_is_replaced() -> None:
    kept = ("abc-12345.x_Y", "0" * 64)
    assert [request_id(given) for given in kept] == [*kept]
    replaced = ("short", "0" * 65, 'a"b{}c,defgh', "../../../../x", "eight chars", "é" * 10)
    made = [request_id(given) for given in replaced]
    assert [one for one in made if not re.fullmatch("[0-9a-f]{32}", one)] == []
    assert len({*made}) == len(made)


def test_the_log_tells_how_it_went_and_nothing_of_who_asked_what(
    folder: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    with TestClient(web_app(open_index(folder), Limits()), client=("203.0.113.77", 5)) as client:
        for path in ("/", "/api/ask", "/api/search", "/document", "/nothing"):
            client.get(
                path, params={"q": SECRET, "id": "990001", "journal": SECRET}, headers={"User-Agent": SECRET}
            )
        client.get(f"/{SECRET}")
        client.request("MILLER", "/")

        def bug(*_: Any, **__: Any) -> Any:
            raise RuntimeError(SECRET)

        monkeypatch.setattr(Index, "best_papers", bug)
        broken = client.get("/api/search", params={"q": SECRET})
    assert broken.status_code == 500
    assert broken.json()["request"] == broken.headers["x-request-id"]
    ours = [record for record in caplog.records if record.name == "anagnosis.web"]
    lines = [json.loads(JSONLines().format(record)) for record in ours]
    requests = [line for line in lines if line["event"] == "request"]
    assert [line["route"] for line in requests[:5]] == ["/", "/api/ask", "/api/search", "/document", "other"]
    assert requests[0].keys() == {"time", "level", "event", "id", "method", "route", "status", "ms", "bytes"}
    crash = next(line for line in lines if line["event"] == "crash")
    assert crash["id"] == broken.headers["x-request-id"]
    assert crash["kind"] == "RuntimeError"
    assert any("served_index.py" in frame for frame in crash["frames"])
    told = json.dumps(lines).casefold()
    for word in ("miller", "syphilis", "203.0.113.77", "990001", "testclient"):
        assert word not in told
    assert config()["loggers"]["uvicorn"]["level"] == "WARNING"
