"""The process in which PDFium reads: with limits on memory and time, and started again when a file has ended it.

    READER.read(data)    the paper, or UnreadableError

The two exchange messages behind their length. The process is a program of its own: a fork would have the memory of
its parent, and a spawned one would run the user's script again.
"""

from __future__ import annotations

import atexit
import struct
import subprocess
import sys
import threading
from collections import Counter
from typing import IO

import msgspec

from anagnosis.documents.document import Document

SECONDS = 120.0  # for a file
MEMORY = 2 << 30  # bytes
_LENGTH = struct.Struct("<Q")
_LONGEST = 1 << 30  # bytes of an answer


class UnreadableError(Exception):
    """A file that gives no document; its text says why, and what to do."""


class Found(msgspec.Struct):
    """A paper. counts: what was left out or changed, by name. refused_pages: (number from 1, why).

    fault: why there is no document, "" if there is.
    """

    document: Document = Document("", ())
    counts: dict[str, int] = {}
    refused_pages: list[tuple[int, str]] = []
    fault: str = ""


class Reader:
    """The process, which is started with the first file. program: what it runs."""

    def __init__(self, program: str = f"from {__name__} import main; main()") -> None:
        self._program = program
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        atexit.register(self.close)

    def read(self, data: bytes, *, seconds: float = SECONDS) -> Found:
        """What a file says. UnreadableError: it cannot be read, within time and memory."""
        with self._lock:
            found = self._asked(data, seconds)
        if found.fault:
            raise UnreadableError(found.fault)
        return found

    def _asked(self, data: bytes, seconds: float) -> Found:
        process = self._started()
        assert process.stdin
        assert process.stdout
        late = threading.Event()

        def stop() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(seconds, stop)
        timer.start()
        try:
            send(process.stdin, data)
            answer = receive(process.stdout)
        except OSError:
            answer = None
        finally:
            timer.cancel()
        if answer is not None:
            return msgspec.msgpack.decode(answer, type=Found)
        self.close()
        if late.is_set():
            raise UnreadableError(f"takes longer than {seconds:g} s")
        raise UnreadableError("ends the program that reads it: damaged, or made to do harm")

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            command = [sys.executable, "-c", self._program]
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        return self._process

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()


def send(pipe: IO[bytes], message: bytes) -> None:
    """Write a message behind its length."""
    pipe.write(_LENGTH.pack(len(message)))
    pipe.write(message)
    pipe.flush()


def receive(pipe: IO[bytes]) -> bytes | None:
    """The next message; None if the other side has ended."""
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    if length > _LONGEST:
        return None
    message = pipe.read(length)
    return message if len(message) == length else None


def main() -> None:
    """Read what comes until the parent ends."""
    import resource

    from anagnosis.documents.formats.pdf.paper import read_paper

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    answers, requests = sys.stdout.buffer, sys.stdin.buffer
    while (data := receive(requests)) is not None:
        counts = Counter[str]()
        try:
            document, refused = read_paper(data, counts)
            found = Found(document, dict(counts), refused)
        except UnreadableError as fault:
            found = Found(fault=str(fault))
        except MemoryError:
            found = Found(fault=f"takes more than {MEMORY >> 30} GiB of memory")
        send(answers, msgspec.msgpack.encode(found))


READER = Reader()
