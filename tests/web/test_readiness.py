"""Readiness is whether a search works; every fault of an engine or reader is an answer with an id and our headers."""

from __future__ import annotations

import asyncio
import shutil
import threading
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.web.apps import web_app
from tests.web.readers import EnginePanic

from anagnosis.searching.engines.embedded.engine import Embedded
from anagnosis.searching.index.index import Index, open_index
from anagnosis.web.guard import HEADERS
from anagnosis.web.limits import Limits

COFFEE = {"q": "Does cold brew coffee raise gastric pH less than espresso?"}
ASKED = (
    ("/", COFFEE),
    ("/", {}),
    ("/document", {"id": "990001"}),
    ("/api/search", COFFEE),
    ("/api/ask", COFFEE),
    ("/api/complete", {"q": "te"}),
    ("/api/document", {"id": "990001"}),
    ("/api/collection", {}),
)
LIMITS = Limits(reading_seconds=20)


def raising(
    kind: type[BaseException], sound: Callable[..., Any] | None = None, until: threading.Event | None = None
) -> Callable[..., Any]:
    """Raises, until something is set; then it is the sound one."""

    def broken(*given: Any, **named: Any) -> Any:
        if sound is not None and until is not None and until.is_set():
            return sound(*given, **named)
        raise kind("Has patient Miller syphilis?")

    return broken


@pytest.fixture
def client(folder: Path) -> Generator[TestClient]:
    with TestClient(web_app(open_index(folder), LIMITS), raise_server_exceptions=False) as client:
        yield client


def is_ours(answer: Any, path: str) -> bool:
    """A refusal as we make them: JSON or a page, with the id, the headers, and nothing of the fault's words."""
    ident = answer.headers["x-request-id"]
    assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
    assert answer.headers["cache-control"] == "no-store"
    assert "Miller" not in answer.text
    if path.startswith("/api/") or path == "/ready":
        assert answer.json()["request"] == ident
        assert answer.json()["status"] == answer.status_code
    else:
        assert ident in answer.text
        assert answer.text.startswith("<!doctype html>")
    return True


KINDS = (EnginePanic, SystemExit, MemoryError, OSError)


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_an_engine_raises_is_an_answer_and_readiness_says_so(
    client: TestClient, kind: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client.get("/ready").status_code == 200
    mended = threading.Event()
    for method in ("best_papers", "count", "stored"):
        monkeypatch.setattr(Index, method, raising(kind, getattr(Index, method), mended))
    monkeypatch.setattr(Embedded, "names", raising(kind, Embedded.names, mended))
    for path, params in ASKED:
        answer = client.get(path, params=params)
        assert answer.status_code in (500, 503), path
        assert is_ours(answer, path)
        assert answer.status_code == 500 or "cannot be read just now" in answer.text
    refused = client.get("/ready")
    assert refused.status_code == 503
    assert is_ours(refused, "/ready")
    assert kind.__name__ in refused.json()["what"]
    assert int(refused.headers["retry-after"]) > 0
    assert client.head("/ready").status_code == 503
    assert client.get("/health").status_code == 200
    mended.set()
    assert client.get("/ready").json() == {"status": "ready"}
    assert client.get("/api/search", params=COFFEE).status_code == 200


def test_a_panic_on_the_way_of_the_answer_itself_is_a_page_too(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not in a thread of ours, but where the answer is written."""
    monkeypatch.setattr("anagnosis.web.page_routes.page", raising(EnginePanic))
    monkeypatch.setattr("anagnosis.web.json_routes.rounded", raising(EnginePanic))
    for path in ("/", "/api/search"):
        answer = client.get(path, params=COFFEE)
        assert answer.status_code == 500
        assert is_ours(answer, path)


def test_what_ends_the_process_or_the_request_passes(folder: Path) -> None:
    from anagnosis.web.app import response
    from anagnosis.web.guard import Guard

    async def asked(kind: type[BaseException]) -> None:
        async def app(*_: Any) -> None:
            raise kind

        scope = {
            "type": "http",
            "path": "/",
            "method": "GET",
            "query_string": b"",
            "headers": [(b"host", b"localhost")],
        }
        await Guard(app, response, ())(scope, raising(OSError), raising(OSError))

    for kind in (asyncio.CancelledError, GeneratorExit):
        coroutine = asked(kind)
        with pytest.raises(kind):
            coroutine.send(None)


def test_an_index_that_goes_or_is_damaged_is_unready_with_the_reason_and_recovers(
    folder: Path, tmp_path: Path
) -> None:
    here, aside = tmp_path / "index", tmp_path / "aside"
    shutil.copytree(folder, here)
    with TestClient(web_app(open_index(here), LIMITS)) as client:

        def told() -> str:
            """The reason, "" if it is ready. A search agrees."""
            answer = client.get("/ready")
            assert client.get("/api/search", params=COFFEE).status_code == answer.status_code
            assert str(tmp_path) not in answer.text
            return answer.json().get("what", "")

        assert told() == ""
        here.rename(aside)
        assert told() == "is missing"
        aside.rename(here)
        assert told() == ""
        meta = here / "embedded" / "meta.json"
        sound = meta.read_bytes()
        meta.write_bytes(sound[: len(sound) // 2])
        assert "is damaged" in told()
        time.sleep(0.02)
        meta.write_bytes(sound)
        assert told() == ""
