"""Readers that are slow, crowded or broken: searches go on, and the page says what is missing."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Generator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.web.apps import in_a_loop, text, web_app
from tests.web.readers import EnginePanic, Failing, Waiting
from tests.web.test_readiness import is_ours

from anagnosis.searching.index.index import open_index
from anagnosis.web.limits import Limits
from anagnosis.web.logs import JSONLines
from anagnosis.web.served_index import NotRead, ServedIndex

COFFEE = {"q": "Does cold brew coffee raise gastric pH less than espresso?"}


@pytest.fixture
def waiting() -> Generator[Waiting]:
    made = Waiting()
    yield made
    made.go.set()


def test_a_slow_reader_stops_no_search_and_answers_later(folder: Path, waiting: Waiting) -> None:
    limits = Limits(workers=1, reading_seconds=0.2)
    with TestClient(web_app(open_index(folder), limits, waiting)) as client:
        page = client.get("/", params=COFFEE)
        seen = text(page.text)
        assert page.status_code == 200
        assert "No trained reader or judge has answered: reading takes longer than 0.2 seconds." in seen
        assert "For half an hour, cold brew raises gastric pH less than espresso does." in seen
        assert "Sentences were scored by words and kinds of sentences" in seen
        assert "is off" not in seen
        answer = client.get("/api/ask", params=COFFEE)
        assert (answer.status_code, answer.json()["remedy"]) == (503, "ask again in a moment, or search")
        assert int(answer.headers["retry-after"]) > 0
        assert client.get("/api/search", params=COFFEE).status_code == 200
        waiting.go.set()
        for _ in range(20):  # a busy machine may need the fifth of a second itself
            time.sleep(0.3)
            if (answer := client.get("/api/ask", params=COFFEE)).status_code == 200:
                assert answer.json()["scorer"] == "waiting"
                break
        else:
            pytest.fail("no later question has an answer")


# What a reader raises, and what is said.
FAILURES: dict[type[BaseException], str] = {
    ValueError: "reading failed on this question",
    EnginePanic: "reading failed on this question",
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
            assert f"No trained reader or judge has answered: {what}" in text(page.text)
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


def test_one_question_is_read_at_a_time_and_what_nobody_waits_for_is_not_begun(
    folder: Path, waiting: Waiting
) -> None:
    served = ServedIndex(open_index(folder), Limits(reading=2, reading_seconds=0.3), waiting)

    async def one(question: str) -> str:
        try:
            return (await served.answer(question=question)).scorer
        except NotRead as why:
            return str(why)

    async def every() -> list[str]:
        return list(await asyncio.gather(*(one(f"Is tea {number} cold?") for number in range(5))))

    told = in_a_loop(every)
    assert told == ["reading takes longer than 0.3 seconds"] * 3 + ["too many questions are being read"] * 2
    waiting.go.set()
    assert in_a_loop(lambda: one("Is salt cold?")) == "waiting"
    assert waiting.asked == 2
    served.close()
