"""A model through log, limits and server: order, faults, early ends and interrupts."""

from __future__ import annotations

import gc
import itertools
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.language_models.chat_server import ChatServer, send
from tests.web.apps import in_a_loop

from anagnosis.errors import InputError
from anagnosis.language_models.asking import LanguageModel
from anagnosis.language_models.calls import Call, CallLog, Message
from anagnosis.language_models.server import Server
from anagnosis.language_models.spending import Spending

Items = Iterator[tuple[int, list[Call]]]


def call(text: object) -> Call:
    return Call("tiny", (Message("user", str(text)),), most=8)


def items(count: int) -> Items:
    return ((number, [call(f"{number} a"), call(f"{number} b")]) for number in range(count))


def texts(model: LanguageModel, asked: Items) -> list[tuple[int, list[str]]]:
    return [(number, [reply.text for reply in replies]) for number, replies in model.replies(asked)]


class Echo:
    """Answers with what it is asked, after up to 10 ms. most: calls at a time, so far."""

    def __init__(self) -> None:
        self._draw, self._lock = Random(1), threading.Lock()
        self._now = self.most = 0

    def __call__(self, asked: Mapping[str, Any], _request: BaseHTTPRequestHandler) -> str:
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)
        time.sleep(self._draw.uniform(0, 0.01))
        with self._lock:
            self._now -= 1
        return asked["messages"][0]["content"]


EXPECTED = [(number, [f"{number} a", f"{number} b"]) for number in range(40)]


@pytest.fixture(autouse=True)
def _silent(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """No task is left whose fault nobody asked for."""
    yield
    gc.collect()
    assert not caplog.records
    assert capfd.readouterr() == ("", "")


def test_many_at_once_come_in_order_and_once(tmp_path: Path) -> None:
    echo, path, spending = Echo(), tmp_path / "calls.jsonl", Spending()
    with ChatServer(echo).running() as chat:
        server = Server(chat.url, "none", at_once=4)
        for _ in range(2):
            spending = Spending()
            with CallLog(path) as log:
                assert texts(LanguageModel(spending, server, log), items(40)) == EXPECTED
            assert 1 < echo.most <= 4
            assert len(chat.asked) == 80
            assert (spending.spent.calls, spending.spent.read, spending.spent.written) == (80, 800, 160)
    replayed = Spending()
    with CallLog(path, replayed=True) as log:
        assert texts(LanguageModel(replayed, None, log), items(40)) == EXPECTED
        assert replayed.spent == spending.spent
        with pytest.raises(
            InputError, match=r"calls.jsonl: has no reply to a call \(\w{32}\); replay with the same"
        ):
            texts(LanguageModel(replayed, None, log), items(41))


def test_without_a_log_and_without_items() -> None:
    with ChatServer(Echo()).running() as chat:
        model = LanguageModel(Spending(), Server(chat.url, "none"))
        assert texts(model, items(0)) == []
        assert texts(model, items(2)) == EXPECTED[:2]
        assert texts(model, iter([(7, [])])) == [(7, [])]


def test_the_first_item_goes_alone() -> None:
    with ChatServer(Echo()).running() as chat:
        every = itertools.chain([(-1, [])], items(40))
        replies = LanguageModel(Spending(), Server(chat.url, "none")).replies(every)
        assert next(replies) == (-1, [])
        next(replies)
        assert len(chat.asked) == 2
        replies.close()  # type: ignore[attr-defined]


def test_equal_calls_at_a_time_get_the_reply_that_a_replay_gives(tmp_path: Path) -> None:
    numbers, path = itertools.count(), tmp_path / "calls.jsonl"
    with ChatServer(lambda *_: str(next(numbers))).running() as chat, CallLog(path) as log:
        asked = [(number, [call("a" if number else "first")]) for number in range(9)]
        given = texts(LanguageModel(Spending(), Server(chat.url, "none"), log), iter(asked))
    with CallLog(path, replayed=True) as log:
        assert texts(LanguageModel(Spending(), None, log), iter(asked)) == given
    assert len(path.read_bytes().splitlines()) == 2


def test_a_reader_that_stops_early_ends_what_is_under_way(tmp_path: Path) -> None:
    with ChatServer(Echo()).running() as chat, CallLog(tmp_path / "calls.jsonl") as log:
        model = LanguageModel(Spending(), Server(chat.url, "none", at_once=4), log)
        assert [number for (number, _), _ in zip(model.replies(items(400)), range(3), strict=False)] == [
            0,
            1,
            2,
        ]
        time.sleep(0.05)
        asked = len(chat.asked)
        assert asked < 100
        assert texts(model, items(40)) == EXPECTED
    assert asked < len(chat.asked)


def test_a_fault_of_one_call_ends_all_after_those_before_it(tmp_path: Path) -> None:
    def answer(asked: Mapping[str, Any], request: BaseHTTPRequestHandler) -> str | None:
        text = asked["messages"][0]["content"]
        return send(request, {}, 400) if text in ("5 b", "6 a") else text

    got = []
    with ChatServer(answer).running() as chat, CallLog(tmp_path / "calls.jsonl") as log:
        model = LanguageModel(Spending(), Server(chat.url, "none", at_once=4), log)
        with pytest.raises(InputError, match="answers 400"):
            got.extend(number for number, _ in model.replies(items(40)))
        assert got == [0, 1, 2, 3, 4]
        assert all(log.reply(call(f"{number} b")) for number in got)


def test_a_fault_of_the_items_ends_all(tmp_path: Path) -> None:
    def broken() -> Items:
        yield from items(10)
        raise InputError("is damaged", "file:3")

    with ChatServer(Echo()).running() as chat, CallLog(tmp_path / "calls.jsonl") as log:
        model = LanguageModel(Spending(), Server(chat.url, "none", at_once=4), log)
        with pytest.raises(InputError, match="file:3: is damaged"):
            texts(model, broken())
        assert texts(model, items(10)) == EXPECTED[:10]


@pytest.mark.parametrize("most", [15, 30, 31, 200])
def test_limit_holds_with_many_at_once(most: int) -> None:
    """Each call takes 10 tokens, and may take 8 more, of which the server writes 2."""
    spending = Spending(most_tokens=most)
    with ChatServer(Echo()).running() as chat:
        asked = ((number, [call(f"{number:38} a")]) for number in range(100))
        with pytest.raises(InputError, match="--most-tokens: is reached after"):
            texts(LanguageModel(spending, Server(chat.url, "none")), asked)
        assert len(chat.asked) * 12 <= most
    assert spending.spent.read + spending.spent.written <= most


SCRIPT = """
import sys
from anagnosis.language_models.asking import LanguageModel
from anagnosis.language_models.calls import Call, Message
from anagnosis.language_models.server import Server
from anagnosis.language_models.spending import Spending
model = LanguageModel(Spending(), Server(sys.argv[1], "none"))
replies = model.replies((n, [Call("tiny", (Message("user", str(n)),), 8)]) for n in range(99))
try:
    for number, _ in replies:
        print(number, flush=True)
        if number == 3 and "stop" in sys.argv:
            break
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize("interrupt", [True, False])
def test_interrupt_and_exit_are_quick_and_silent(interrupt: bool) -> None:
    asked = threading.Event()

    def answer(body: Mapping[str, Any], _request: BaseHTTPRequestHandler) -> str:
        if body["messages"][0]["content"] == "5":
            asked.set()
            time.sleep(3)
        return "a"

    with ChatServer(answer).running() as chat:
        command = [sys.executable, "-c", SCRIPT, chat.url, *([] if interrupt else ["stop"])]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            printed = [process.stdout.readline().strip() for _ in range(5 if interrupt else 4)]
            started = time.monotonic()
            if interrupt:
                assert asked.wait(20)
                process.send_signal(signal.SIGINT)
            out, errors = process.communicate(timeout=20)
            assert time.monotonic() - started < (1.5 if interrupt else 20)
    assert (errors, process.returncode) == ("", 0)
    assert [*printed, *out.split()] == ["0", "1", "2", "3", *(["4", "interrupted"] if interrupt else [])]


def test_a_notebook_has_a_loop_already() -> None:
    async def cell() -> list[str]:
        with ChatServer(lambda *_: "a").running() as chat:
            items = [(0, [Call("tiny", (Message("user", "x"),), 8)])]
            model = LanguageModel(Spending(), Server(chat.url, "none"))
            return [one.text for _, replies in model.replies(items) for one in replies]

    assert in_a_loop(cell) == ["a"]
