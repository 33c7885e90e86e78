"""Readers that are slow, crowded or broken: searches go on, and the page says what is missing."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
import time
from collections import Counter
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.web.apps import in_a_loop, text, web_app
from tests.web.readers import EnginePanic, Failing, Waiting
from tests.web.test_readiness import is_ours

from anagnosis.searching.index.index import open_index
from anagnosis.web import threads
from anagnosis.web.limits import Limits
from anagnosis.web.logs import JSONLines
from anagnosis.web.threads import NotRead, ReaderThread

COFFEE = {"q": "Does cold brew coffee raise gastric pH less than espresso?"}


class OutOfMemoryError(RuntimeError):
    """As torch's is called."""


@pytest.fixture
def waiting() -> Generator[Waiting]:
    made = Waiting()
    yield made
    made.go.set()


def test_a_slow_reader_stops_no_search_and_its_answer_is_there_later(folder: Path, waiting: Waiting) -> None:
    limits = Limits(workers=1, reading_seconds=0.2)
    with TestClient(web_app(open_index(folder), limits, waiting)) as client:
        page = client.get("/", params=COFFEE)
        seen = text(page.text)
        assert page.status_code == 200
        assert "The trained readers have not answered: reading takes longer than 0.2 seconds." in seen
        assert "For half an hour, cold brew raises gastric pH less than espresso does." in seen
        assert "Sentences were scored by words and kinds of sentences" in seen
        assert "is off" not in seen
        answer = client.get("/api/ask", params=COFFEE)
        assert (answer.status_code, answer.json()["remedy"]) == (503, "ask again in a moment, or search")
        assert int(answer.headers["retry-after"]) > 0
        assert client.get("/api/search", params=COFFEE).status_code == 200
        assert waiting.asked == 1, "who asks the same waits for the same"
        waiting.go.set()
        assert client.get("/api/ask", params=COFFEE).json()["scorer"] == "waiting"
        seen = text(client.get("/", params=COFFEE).text)
        assert "have not answered" not in seen
        assert "Sentences were scored by waiting : how long it took." in seen
        assert waiting.asked == 1, "the answer is kept, and no reader marks the list"


def test_a_new_commit_is_read_anew(folder: Path, waiting: Waiting, tmp_path: Path) -> None:
    import shutil

    shutil.copytree(folder, tmp_path / "index")
    waiting.go.set()
    with TestClient(web_app(open_index(tmp_path / "index"), Limits(reading_seconds=20), waiting)) as client:
        for _ in range(2):
            assert client.get("/api/ask", params=COFFEE).status_code == 200
        assert waiting.asked == 1
        writer = open_index(tmp_path / "index")
        writer.delete(["99000027"], Counter())
        writer.commit()
        writer.close()
        for one in client.get("/api/ask", params=COFFEE).json()["evidence"]:
            assert one["passage"]["document"] != "99000027"
        assert waiting.asked == 2


# What a reader raises, and what is said.
FAILURES: dict[type[BaseException], str] = {
    ValueError: "the trained readers failed on this question",
    EnginePanic: "the trained readers failed on this question",
    OutOfMemoryError: "the trained readers ran out of memory on this question",
}


def test_a_reader_that_fails_leaves_the_pages_until_it_works_again(
    folder: Path, caplog: pytest.LogCaptureFixture, subtests: pytest.Subtests
) -> None:
    caplog.set_level(logging.DEBUG)
    limits = Limits(seconds=60, reading_seconds=60)
    for kind, what in FAILURES.items():
        caplog.clear()
        reader = Failing(kind)
        app = web_app(open_index(folder), limits, reader)
        with subtests.test(kind.__name__), TestClient(app, raise_server_exceptions=False) as client:
            answer = client.get("/api/ask", params=COFFEE)
            assert (answer.status_code, is_ours(answer, "/api/ask")) == (503, True)
            assert answer.json()["what"] == what
            page = client.get("/", params=COFFEE)
            assert page.status_code == 200
            assert f"The trained readers have not answered: {what}" in text(page.text)
            assert "scored by words and kinds of sentences" in text(page.text)
            assert client.get("/ready").status_code == 200, "searches work"
            reader.broken = False
            assert client.get("/api/ask", params=COFFEE).status_code == 200
            ours = [record for record in caplog.records if record.name == "anagnosis.web"]
            lines = [json.loads(JSONLines().format(record)) for record in ours]
            broken = [line for line in lines if line["event"] == "reading"]
            assert [line["kind"] for line in broken] == [kind.__name__] * 2
            assert all(line["id"] for line in broken)
            assert "espresso" not in json.dumps(lines)


def asked_of(found: ReaderThread, *keys: str, work: Any) -> list[Any]:
    """What each asker is given at once: an answer or why there is none."""

    async def one(key: str) -> Any:
        try:
            return await found.read(key, lambda: work(key))
        except NotRead as late:
            return str(late)

    async def every() -> list[Any]:
        return list(await asyncio.gather(*map(one, keys)))

    return in_a_loop(every)


def test_one_question_is_read_at_a_time_and_too_many_are_sent_away() -> None:
    at_once, most, lock = 0, 0, threading.Lock()

    def work(key: str) -> str:
        nonlocal at_once, most
        with lock:
            at_once += 1
            most = max(most, at_once)
        time.sleep(0.02)
        with lock:
            at_once -= 1
        return key.upper()

    found = ReaderThread(2, 5)
    told = asked_of(found, *"abcde", work=work)
    assert told == ["A", "B", "C", *["too many questions are being read"] * 2]
    assert most == 1
    found.close()


def test_what_nobody_waits_for_any_more_is_not_begun() -> None:
    go, begun = threading.Event(), list[str]()

    def work(key: str) -> str:
        begun.append(key)
        go.wait(5)
        return key

    found = ReaderThread(8, 0.1)
    assert asked_of(found, "a", "b", work=work) == ["reading takes longer than 0.1 seconds"] * 2
    go.set()
    assert asked_of(found, "a", "c", work=work) == ["a", "c"]
    assert begun == ["a", "c"]
    found.close()


def test_what_failed_is_tried_again_and_only_so_much_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = list[str]()

    def work(key: str) -> str:
        begun.append(key)
        if begun.count(key) == 1 and key == "bad":
            raise OSError("gone")
        return key

    monkeypatch.setattr(threads, "KEPT", 3)
    found = ReaderThread(8, 5)
    assert asked_of(found, "bad", work=work) == ["the trained readers failed on this question"]
    assert asked_of(found, "bad", work=work) == ["bad"]
    for key in "abcdefgh":
        asked_of(found, key, work=work)
    assert asked_of(found, "h", work=work) == ["h"]
    assert asked_of(found, "a", work=work) == ["a"]
    assert (begun.count("h"), begun.count("a"), len(found._kept)) == (1, 2, 3)
    found.close()
