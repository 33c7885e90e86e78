"""A judge behind the page and the API: what it chose, what it did not, and that nobody waits for it in vain."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

pytest.importorskip("openai", reason="the extra llm is not installed")

from starlette.testclient import TestClient
from tests.language_models.chat_server import Answer, ChatServer
from tests.web.apps import in_a_loop, text, web_app
from tests.web.readers import Waiting

from anagnosis.api import searching
from anagnosis.language_models.server import Server
from anagnosis.searching.answers.judging import Judge
from anagnosis.searching.index.index import open_index
from anagnosis.searching.records.hits import AskAnswer
from anagnosis.searching.sentences.highlighting import UNTRAINED
from anagnosis.web.limits import Limits
from anagnosis.web.served_index import NotRead, ServedIndex

COFFEE = {"q": "Does cold brew coffee raise gastric pH less than espresso?"}
SECRET = "sk-0123456789abcdef"


def judge(url: str, seconds: float = 20) -> Judge:
    return Judge("tiny <b>", Server(url, SECRET, seconds=seconds))


def slow(seconds: float) -> Answer:
    def answer(asked: object, request: object) -> str:
        time.sleep(seconds)
        return "2"

    return answer


def test_the_page_and_the_api_say_what_the_judge_did(
    folder: Path, client: TestClient, scorer: Waiting
) -> None:
    usual = client.get("/api/ask", params=COFFEE).json()["evidence"]
    for reply, first, said in (
        ("2", usual[1], "It put 1 sentence first"),
        ("none", usual[0], "It says that none of these sentences answers."),
        ("<i>SAID</i>", usual[0], "It did not choose: neither of its two replies"),
    ):
        with ChatServer(lambda asked, request, reply=reply: reply).running() as server:
            judged = TestClient(web_app(open_index(folder), Limits(seconds=60), judge=judge(server.url)))
            answer = judged.get("/api/ask", params=COFFEE).json()
            page = judged.get("/", params=COFFEE).text
            assert judged.get("/api/ask", params={**COFFEE, "judge": "x"}).status_code == 400
            assert judged.get("/api/ask", params={**COFFEE, "endpoint": server.url}).status_code == 400
        assert answer["evidence"][0] == first
        assert f"Judged by tiny <b> . {said}" in text(page)
        assert "<bdi>tiny &lt;b&gt;</bdi>" in page
        assert "SAID" not in page
        assert SECRET not in page + str(answer)
    with ChatServer(slow(0)).running() as server:
        app = web_app(open_index(folder), Limits(reading_seconds=60), scorer, judge(server.url))
        answer = TestClient(app).get("/api/ask", params=COFFEE).json()
    assert (answer["scorer"], answer["judged"]["chosen"]) == ("waiting", 1)


def test_a_judge_that_hangs_stops_no_search_and_answers_without(folder: Path) -> None:
    """Of ten questions two are judged at a time, until the judge's second is over, and two wait."""

    async def one(served: ServedIndex) -> AskAnswer | str:
        try:
            return await served.answer(question=COFFEE["q"])
        except NotRead as why:
            return str(why)

    async def ten(served: ServedIndex) -> list[AskAnswer | str]:
        asked = [asyncio.create_task(one(served)) for _ in range(10)]
        await asyncio.sleep(0.2)
        started = time.monotonic()
        assert (await served.run(searching.search, question=COFFEE["q"])).found
        assert time.monotonic() - started < 0.7, "searches go on"
        return await asyncio.gather(*asked)

    limits = Limits(workers=1, judging=2, reading=2, reading_seconds=8)
    with ChatServer(slow(6)).running() as server:
        served = ServedIndex(open_index(folder), limits, UNTRAINED, judge(server.url, 1))
        every = in_a_loop(lambda: ten(served))
        served.close()
    assert every[4:] == ["too many questions are being read"] * 6
    judged = [answer.judged for answer in every[:4] if not isinstance(answer, str)]
    assert [(one.fault, one.asked) for one in judged if one] == [("no reply within 1 seconds", 1)] * 4
