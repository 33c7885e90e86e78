"""Calls of a language model, their replies, and the log of both: cache, record and replay.

A line of the log is a call with its reply. Its key is a hash of all that is asked: model, messages, parameters, seed.

    {"key": "9f2c…", "call": {"model": "qwen", "messages": [{"role": "user", "content": "…"}], "most": 64, …},
     "reply": {"text": "[\\"MECP2\\"]", "finish": "stop", "model": "qwen", "read": 412, "written": 6, "seconds": 1.4}}

A reply is in the file before anything uses it, so a command that is killed loses none that had arrived.
"""

from __future__ import annotations

from contextlib import ExitStack
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from anagnosis.errors import InputError
from anagnosis.io.decoding import decoded
from anagnosis.io.files import display_name, locked
from anagnosis.io.paths import PathLike, naming_faults, open_file

Finish = Literal["stop", "length", "refused", "too-long"]  # the last: the prompt, for the server
Count = Annotated[int, msgspec.Meta(ge=0, le=1 << 40)]  # of tokens
_LONGEST = 16 << 20  # bytes of a line
_BEGIN = b'{"key":"'
_REMEDY = "name the log of an earlier run, or move this file away"


class Message(msgspec.Struct, frozen=True):
    """A turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


class Call(msgspec.Struct, frozen=True):
    """What a model is asked. most: tokens of its reply."""

    model: str
    messages: tuple[Message, ...]
    most: int
    temperature: float = 0.0
    seed: int | None = None

    @property
    def key(self) -> bytes:
        """The hash of all of it."""
        return blake2b(msgspec.json.encode(self, order="deterministic"), digest_size=16).digest()

    @property
    def size(self) -> int:
        """About how many tokens it may take, read and written: four characters are about one."""
        return sum(len(one.content) for one in self.messages) // 4 + self.most


class Reply(msgspec.Struct, frozen=True):
    """What a model wrote. finish: why it ended. model: as the server names it. read, written: tokens; 0 if unsaid.

    left_out: parameters of the call that the model refused.
    """

    text: str
    finish: Finish = "stop"
    model: str = ""
    read: Count = 0
    written: Count = 0
    seconds: Annotated[float, msgspec.Meta(ge=0, le=1e9)] = 0.0
    left_out: tuple[str, ...] = ()


class _Key(msgspec.Struct):
    key: Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{32}\Z")]


class _Line(_Key):
    call: Call
    reply: Reply


class CallLog:
    """The log in a file. replayed: it is only read, and must be there.

    InputError: it cannot be read, holds something else, or another command writes it.
    """

    def __init__(self, path: PathLike, *, replayed: bool = False) -> None:
        self.name = display_name(path)
        self._places: dict[bytes, int] = {}
        with naming_faults(self.name, _REMEDY), ExitStack() as opened:
            if not replayed:
                Path(path).touch()
            self._stream = opened.enter_context(open_file(path))
            if not replayed:
                self._writer = opened.enter_context(Path(path).open("ab", buffering=0))
                if not locked(self._writer.fileno(), wait=False):
                    raise InputError("another command writes it", self.name, "wait for its end")
            self._end = self._read_keys()
            if not replayed:
                self._writer.truncate(self._end)
            self._opened = opened.pop_all()

    def _read_keys(self) -> int:
        """Note where each call stands; gives where the last complete line ends. A command may be killed in a line."""
        place = number = 0
        while (line := self._stream.readline(_LONGEST)).endswith(b"\n"):
            number += 1
            found = decoded(line, _Key, f"{self.name}:{number}", _REMEDY)
            self._places.setdefault(bytes.fromhex(found.key), place)
            place += len(line)
        if len(line) == _LONGEST:
            raise InputError(f"a line is longer than {_LONGEST >> 20} MiB", self.name, _REMEDY)
        if not line.startswith(_BEGIN[: len(line)]):
            raise InputError("is no log of calls", self.name, _REMEDY)
        return place

    def __enter__(self) -> CallLog:
        return self

    def __exit__(self, *fault: object) -> None:
        self._opened.close()

    def reply(self, call: Call) -> Reply | None:
        """The reply to a call; None if it is not here. InputError: its line changed."""
        place = self._places.get(call.key)
        if place is None:
            return None
        with naming_faults(self.name, _REMEDY):
            self._stream.seek(place)
            found = decoded(self._stream.readline(_LONGEST), _Line, self.name, _REMEDY)
        if found.call != call:
            raise InputError(f"has another call under the key {found.key}", self.name, _REMEDY)
        return found.reply

    def append(self, call: Call, reply: Reply) -> Reply:
        """Add a reply; gives what a replay gives: the first, if the call is here. InputError: the disk is full."""
        if (earlier := self.reply(call)) is not None:
            return earlier
        line = msgspec.json.encode({"key": call.key.hex(), "call": call, "reply": reply}) + b"\n"
        with naming_faults(self.name, "make room, then give the command again", "writing"):
            done = 0
            try:
                while done < len(line):
                    done += self._writer.write(line[done:])
            except OSError:
                self._writer.truncate(self._end)  # a piece, to which another call would be joined
                raise
        self._places[call.key] = self._end
        self._end += len(line)
        return reply


def model_of(log: PathLike) -> str | None:
    """The model that the first call of a log asks, None of an empty log. InputError: it cannot be read."""
    name = display_name(log)
    with naming_faults(name, _REMEDY), open_file(log) as stream:
        line = stream.readline(_LONGEST)
    return decoded(line, _Line, f"{name}:1", _REMEDY).call.model if line else None
