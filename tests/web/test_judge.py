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


def test_a_judge_that_hangs_holds_up_no_search_and_no_answer(folder: Path) -> None:
    """Of ten questions two are judged, until the judge's two seconds are over; the others are answered without."""

    async def ten(served: ServedIndex) -> list[AskAnswer]:
        asked = [asyncio.create_task(served.ask(question=COFFEE["q"])) for _ in range(10)]
        await asyncio.sleep(0)
        with pytest.raises(NotRead, match="too many questions are being read"):
            await served.answer(question=COFFEE["q"])
        done, waiting = await asyncio.wait(asked, timeout=1.5)
        assert (len(done), len(waiting)) == (8, 2)
        assert (await served.run(searching.search, question=COFFEE["q"])).found
        assert not any(one.done() for one in waiting)
        return await asyncio.gather(*asked)

    with ChatServer(slow(5)).running() as server:
        served = ServedIndex(
            open_index(folder), Limits(workers=1, judging=2), UNTRAINED, judge(server.url, 2)
        )
        every = in_a_loop(lambda: ten(served))
        served.close()
    faults = [one.judged.fault if one.judged else "" for one in every]
    assert sorted(faults) == [""] * 8 + ["no reply within 2 seconds"] * 2
    assert all(one.evidence == every[0].evidence for one in every)
