"""Keys of calls, and the log: what is in it after any fault, and what it refuses."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as some
from tests.another_user import another_user, open_to_all
from tests.disk import full_after
from tests.language_models.chat_server import ChatServer

from anagnosis.errors import InputError
from anagnosis.language_models.calls import Call, CallLog, Message, Reply

CALL = Call("tiny", (Message("system", "Answer."), Message("user", "Which gene?")), most=8, seed=3)
REPLY = Reply("MECP2", "stop", "tiny", 10, 1, 0.5)
LINE = msgspec.json.encode({"key": CALL.key.hex(), "call": CALL, "reply": REPLY}) + b"\n"
OTHER = msgspec.structs.replace(CALL, seed=4)

texts = some.text(some.characters(exclude_categories=["Cs"]), max_size=40)
calls = some.builds(
    Call,
    model=texts,
    messages=some.lists(
        some.builds(Message, role=some.sampled_from(["system", "user", "assistant"]), content=texts),
        max_size=3,
    ).map(tuple),
    most=some.integers(1, 1 << 20),
    temperature=some.floats(0, 2),
    seed=some.none() | some.integers(0, 1 << 40),
)
counts = some.integers(0, 1 << 40)
replies = some.builds(
    Reply,
    text=texts,
    finish=some.sampled_from(["stop", "length", "refused", "too-long"]),
    model=texts,
    read=counts,
    written=counts,
    seconds=some.floats(0, 1e9),
)


@given(call=calls, reply=replies)
def test_what_is_logged_comes_back(
    call: Call, reply: Reply, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("log") / "calls.jsonl"
    with CallLog(path) as log:
        log.append(call, reply)
        assert log.reply(call) == reply
    with CallLog(path, replayed=True) as log:
        assert log.reply(call) == reply


def test_keys_never_change() -> None:
    """A log of an earlier version must still answer."""
    assert CALL.key.hex() == "e4e588f3de02d5302a4e9da9f526c78c"
    assert Call("m", (Message("user", "x"),), most=3).key.hex() == "e5db8096398459f9dd5a20fe1050d965"


@pytest.mark.parametrize(
    "change",
    [
        {"model": "big"},
        {"messages": CALL.messages[:1]},
        {"most": 9},
        {"temperature": 0.5},
        {"seed": None},
    ],
)
def test_whatever_is_asked_is_in_the_key(change: dict[str, object]) -> None:
    assert msgspec.structs.replace(CALL, **change).key != CALL.key


REFUSED: dict[str, tuple[bytes, str]] = {
    "text": (b"These are my notes.\n", ":1: not JSON"),
    "text without an end": (b"These are my notes.", ": is no log of calls"),
    "an end of another kind": (LINE + b'{"id": 1}', ": is no log of calls"),
    "another object": (b'{"id": "a", "answer": "b"}\n', ":1: Object missing required field `key`"),
    "a list": (LINE + b"[1]\n", ":2: Expected `object`"),
    "a key of words": (b'{"key": "%s"}\n' % (b"x" * 32), ":1: Expected `str` matching regex"),
    "nested": (b'{"key": %s\n' % (b"[" * 100_000), ":1: Expected `str`"),
    "bytes": (LINE + b"\xff\xfe\n", ":2: not JSON"),
    "a long line": (b'{"key":"' + b"a" * (17 << 20), ": a line is longer than 16 MiB"),
}


@pytest.mark.parametrize(("data", "line"), REFUSED.values(), ids=REFUSED)
def test_another_file_is_refused_and_stays(data: bytes, line: str, tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    path.write_bytes(data)
    for replayed in (False, True):
        with pytest.raises(InputError) as raised:
            CallLog(path, replayed=replayed)
        assert str(raised.value).startswith(f"calls.jsonl{line}")
        assert len(str(raised.value)) < 300
    assert path.read_bytes() == data


WRONG = {
    "no text": {"text": 3},
    "no reply": None,
    "another finish": {"text": "a", "finish": "cut"},
    "negative": {"text": "a", "read": -1},
    "huge": {"text": "a", "read": 1 << 60},
    "endless": {"text": "a", "seconds": 1e300},
}


@pytest.mark.parametrize("reply", WRONG.values(), ids=WRONG)
def test_reply_of_another_shape(reply: object, tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    path.write_bytes(msgspec.json.encode({"key": CALL.key.hex(), "call": CALL, "reply": reply}) + b"\n")
    with CallLog(path) as log, pytest.raises(InputError, match=r"at `\$.reply"):
        log.reply(CALL)


def test_a_call_that_was_changed(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    path.write_bytes(LINE.replace(b"Which gene?", b"Which drug?"))
    with CallLog(path) as log, pytest.raises(InputError, match="has another call under the key"):
        log.reply(CALL)


@pytest.mark.parametrize("torn", [1, 9, len(LINE) // 2, len(LINE) - 1])
@pytest.mark.parametrize("before", [b"", LINE])
def test_torn_line_is_left_out_and_written_over(before: bytes, torn: int, tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    piece = LINE.replace(CALL.key.hex().encode(), OTHER.key.hex().encode())[:torn]
    path.write_bytes(before + piece)
    with CallLog(path, replayed=True) as log:
        assert log.reply(OTHER) is None
    assert path.read_bytes() == before + piece
    with CallLog(path) as log:
        assert log.reply(CALL) == (REPLY if before else None)
        log.append(OTHER, REPLY)
    with CallLog(path) as log:
        assert log.reply(OTHER) == REPLY


def test_the_first_reply_to_a_call_is_the_one(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    path.write_bytes(LINE + LINE.replace(b"MECP2", b"FMR1"))
    with CallLog(path) as log:
        assert log.reply(CALL) == REPLY
        assert log.append(CALL, Reply("FMR1")) == REPLY
        assert log.append(OTHER, REPLY) == REPLY
    assert len(path.read_bytes().splitlines()) == 3


def test_one_command_writes_while_others_replay(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    with CallLog(path) as log:
        with pytest.raises(InputError, match="another command writes it; wait for its end"):
            CallLog(path)
        log.append(CALL, REPLY)
        with CallLog(path, replayed=True) as other:
            assert other.reply(CALL) == REPLY
    with CallLog(path) as log:
        assert log.reply(CALL) == REPLY


def fifo(path: Path) -> Path:
    os.mkfifo(path)
    return path


PLACES: dict[str, tuple[Callable[[Path], Path], str]] = {
    "pipe": (lambda folder: fifo(folder / "pipe"), "is no regular file"),
    "device": (lambda _: Path("/dev/full"), "is no regular file"),
    "folder": (lambda folder: folder, "is a directory"),
    "no folder": (lambda folder: folder / "none" / "calls.jsonl", "no such file or directory"),
}


@pytest.mark.timeout(20)
@pytest.mark.parametrize(("place", "line"), PLACES.values(), ids=PLACES)
def test_places_that_hold_no_log(place: Callable[[Path], Path], line: str, tmp_path: Path) -> None:
    path = place(tmp_path)
    for replayed in (False, True):
        with pytest.raises(InputError) as raised:
            CallLog(path, replayed=replayed)
        assert str(raised.value).startswith(f"{path.name}: {line}; name the log of an earlier run")


def test_a_link_to_a_log(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "calls.jsonl")
    with CallLog(tmp_path / "link") as log:
        log.append(CALL, REPLY)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "calls.jsonl").read_bytes() == LINE


def test_a_replay_that_is_absent(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file or directory"):
        CallLog(tmp_path / "calls.jsonl", replayed=True)
    assert list(tmp_path.iterdir()) == []


def test_read_only_places() -> None:
    with open_to_all() as folder:
        (folder / "calls.jsonl").write_bytes(LINE)
        with another_user():
            for name in ("calls.jsonl", "new.jsonl"):
                with pytest.raises(InputError, match=f"{name}: permission denied; name the log"):
                    CallLog(folder / name)
            with CallLog(folder / "calls.jsonl", replayed=True) as log:
                assert log.reply(CALL) == REPLY


def test_full_disk_leaves_no_piece_of_a_line(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    with CallLog(path) as log:
        log.append(CALL, REPLY)
        with full_after(len(LINE) + 20):
            for _ in range(2):
                with pytest.raises(InputError, match="writing failed: file too large; make room, then give"):
                    log.append(OTHER, REPLY)
                assert path.read_bytes() == LINE
        assert log.append(OTHER, REPLY) == REPLY
    with CallLog(path) as log:
        assert (log.reply(CALL), log.reply(OTHER)) == (REPLY, REPLY)


ASKING = """
import sys
from anagnosis.language_models.asking import LanguageModel
from anagnosis.language_models.calls import Call, CallLog, Message
from anagnosis.language_models.server import Server
from anagnosis.language_models.spending import Spending
url, path = sys.argv[1:]
calls = [(number, [Call("tiny", (Message("user", f"{number} " * 2000),), 8)]) for number in range(400)]
with CallLog(path) as log:
    for number, (reply,) in LanguageModel(Spending(), Server(url, "none"), log).replies(calls):
        print(number, reply.text, flush=True)
"""


@pytest.mark.slow
def test_killed_at_any_moment_nothing_that_arrived_is_lost(tmp_path: Path) -> None:
    path, draw = tmp_path / "calls.jsonl", Random(70)
    with ChatServer(lambda asked, _: asked["messages"][0]["content"].split()[0]).running() as chat:
        for _ in range(30):
            with subprocess.Popen(
                [sys.executable, "-c", ASKING, chat.url, str(path)], stdout=subprocess.PIPE, text=True
            ) as process:
                assert process.stdout is not None
                seen = [process.stdout.readline()]
                time.sleep(draw.uniform(0, 0.3))
                process.send_signal(signal.SIGKILL)
                seen += process.stdout.readlines()
            with CallLog(path, replayed=True) as log:
                there = {number: text for number in range(400) if (text := logged(log, number)) is not None}
            assert there == {number: str(number) for number in there}
            assert {int(line.split()[0]) for line in seen if line.endswith("\n")} <= there.keys()


def logged(log: CallLog, number: int) -> str | None:
    reply = log.reply(Call("tiny", (Message("user", f"{number} " * 2000),), 8))
    return reply.text if reply else None
