"""The process in which PDFium reads: with limits on memory and time, and started again when a file has ended it.

    READER.ask(ReadPaper(data))    what a file says, or why it says nothing

The process is a program of its own: a fork would have the memory of its parent, and a spawned one would run the user's
script again. It looks for modules nowhere in the working folder, which may have a stranger's files, and ends with its
parent. A file that ends it is read once more, since somebody else may have killed it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from multiprocessing import Pipe
from multiprocessing.connection import Connection

import msgspec

from anagnosis.documents.formats.pdf.messages import Answer, DrawPage, ReadPaper
from anagnosis.errors import InputError

SECONDS = 120.0  # for a file
MEMORY = 2 << 30  # bytes
_GRACE = 5  # seconds after which the process ends itself, where its parent is gone
_LONGEST = 1 << 30  # bytes of an answer
_READY = b"ready"
_ANEW = "save it with another program, and read that"


class Reader:
    """The process, which is started with the first file. program: what it runs."""

    def __init__(self, program: str = f"from {__name__} import main; main()") -> None:
        self._program = program
        self._pipe: Connection[bytes, bytes]
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        os.register_at_fork(after_in_child=self._forget)

    def ask(self, request: ReadPaper | DrawPage, *, seconds: float = SECONDS) -> Answer:
        """What the process makes of a file within time and memory. InputError: it does not start."""
        with self._lock:
            for _ in range(2):
                try:
                    return self._asked(msgspec.msgpack.encode(request), seconds)
                except (EOFError, OSError):
                    self.close()
                except BaseException:
                    self.close()  # its answer would be taken for that to the next file
                    raise
        why = "damaged, too large for its memory, made to do harm, or the program was killed twice"
        return Answer(fault=f"ends the program that reads it: {why}; fetch it again")

    def _asked(self, request: bytes, seconds: float) -> Answer:
        if self._process is None or self._process.poll() is not None:
            self._start()
        self._pipe.send_bytes(request)
        if self._pipe.poll(seconds):
            return msgspec.msgpack.decode(self._pipe.recv_bytes(_LONGEST), type=Answer)
        self.close()
        return Answer(fault=f"takes longer than {seconds:g} s; {_ANEW}")

    def _start(self) -> None:
        self.close()
        self._pipe, theirs = Pipe()
        command = [sys.executable, "-P", "-c", self._program, str(theirs.fileno())]
        with theirs:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )  # fmt: skip
        try:
            is_ready = self._pipe.recv_bytes() == _READY
        except EOFError:
            is_ready = False
        if not is_ready:
            what = "the program that reads PDF files does not start"
            raise InputError(what, "", 'install pypdfium2 again: pip install "anagnosis[pdf]"')

    def _forget(self) -> None:
        """Leave the process to the parent of this one, which was forked."""
        self._process, self._lock = None, threading.Lock()

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            self._pipe.close()
            process.kill()
            process.wait()


def main() -> None:
    """Do what is asked until the parent ends."""
    import resource

    from anagnosis.documents.formats.pdf.opening import UnreadableError

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    pipe: Connection[bytes, bytes] = Connection(int(sys.argv[1]))
    pipe.send_bytes(_READY)
    while True:
        try:
            request = pipe.recv_bytes()
        except EOFError:
            return
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
        pipe.send_bytes(msgspec.msgpack.encode(found))


def _answer(request: ReadPaper | DrawPage) -> Answer:
    from anagnosis.documents.formats.pdf.drawing import draw_page
    from anagnosis.documents.formats.pdf.paper import read_paper

    if isinstance(request, ReadPaper):
        return Answer(*read_paper(request.data, request.passwords))
    asked = request.page, request.lines, request.width, request.passwords
    return Answer(image=draw_page(request.data, *asked))


READER = Reader()
