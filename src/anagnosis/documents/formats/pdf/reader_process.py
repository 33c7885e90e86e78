"""The process in which PDFium reads: with limits on memory and time, and started again when a file has ended it.

    READER.ask(ReadPaper(data))    what a file says, or why it says nothing

The two exchange messages behind their length. The process is a program of its own: a fork would have the memory of
its parent, and a spawned one would run the user's script again. It looks for modules nowhere in the working folder,
which may have a stranger's files.
"""

from __future__ import annotations

import atexit
import os
import signal
import struct
import subprocess
import sys
import threading
from typing import IO

import msgspec

from anagnosis.documents.formats.pdf.messages import Answer, DrawPage, ReadPaper
from anagnosis.errors import InputError

SECONDS = 120.0  # for a file
MEMORY = 2 << 30  # bytes
_GRACE = 5  # seconds after which the process ends itself, where its parent is gone
_LENGTH = struct.Struct("<Q")
_LONGEST = 1 << 30  # bytes of an answer
_READY = b"ready"
_ANEW = "save it with another program, and read that"


class Reader:
    """The process, which is started with the first file. program: what it runs."""

    def __init__(self, program: str = f"from {__name__} import main; main()") -> None:
        self._program = program
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        atexit.register(self.close)
        os.register_at_fork(after_in_child=self._forget)

    def ask(self, request: ReadPaper | DrawPage, *, seconds: float = SECONDS) -> Answer:
        """What the process makes of a file within time and memory. InputError: it does not start."""
        with self._lock:
            try:
                return self._asked(msgspec.msgpack.encode(request), seconds)
            except BaseException:
                self.close()  # its answer would be taken for that to the next file
                raise

    def _asked(self, request: bytes, seconds: float) -> Answer:
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
            send(process.stdin, request)
            answer = receive(process.stdout)
        except OSError:
            answer = None
        finally:
            timer.cancel()
        if answer is None or late.is_set():
            self.close()
        if answer is not None:
            return msgspec.msgpack.decode(answer, type=Answer)
        if late.is_set():
            return Answer(fault=f"takes longer than {seconds:g} s; {_ANEW}")
        why = "damaged, too large for its memory, made to do harm, or the program was killed twice"
        return Answer(fault=f"ends the program that reads it: {why}; fetch it again", ended=True)

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self.close()
            command = [sys.executable, "-P", "-c", self._program]
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
            assert self._process.stdout
            if receive(self._process.stdout) != _READY:
                what = "the program that reads PDF files does not start"
                raise InputError(what, "", 'install pypdfium2 again: pip install "anagnosis[pdf]"')
        return self._process

    def _forget(self) -> None:
        """Leave the process to the parent of this one, which was forked."""
        self._process, self._lock = None, threading.Lock()

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
    """Do what is asked until the parent ends."""
    import resource

    from anagnosis.documents.formats.pdf.opening import UnreadableError

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    answers, requests = sys.stdout.buffer, sys.stdin.buffer
    send(answers, _READY)
    while (request := receive(requests)) is not None:
        signal.alarm(int(SECONDS) + _GRACE)
        try:
            found = _answer(msgspec.msgpack.decode(request, type=ReadPaper | DrawPage))
        except UnreadableError as fault:
            found = Answer(fault=str(fault))
        except MemoryError:
            found = Answer(fault=f"takes more than {MEMORY >> 30} GiB of memory; {_ANEW}")
        except Exception as fault:
            found = Answer(fault=f"cannot be read ({type(fault).__name__}); {_ANEW}")
        signal.alarm(0)
        send(answers, msgspec.msgpack.encode(found))


def _answer(request: ReadPaper | DrawPage) -> Answer:
    from anagnosis.documents.formats.pdf.drawing import draw_page
    from anagnosis.documents.formats.pdf.paper import read_paper

    if isinstance(request, ReadPaper):
        return Answer(*read_paper(request.data, request.passwords))
    asked = request.page, request.lines, request.width, request.passwords
    return Answer(image=draw_page(request.data, *asked))


READER = Reader()
