"""The processes in which PDFium reads: with limits on memory and time, and started again when a file has ended one.

READER.ask(ReadPaper(data))    what a file says, or why it says nothing

for path in reading_ahead(paths, files_of=lambda path: [path], workers=2):    # in their order
    answer_of(path.read_bytes())    # is there, or soon will be

A process is a program of its own: a fork would have the memory of its parent, and a spawned one would run the user's
script again. It looks for modules nowhere in the working folder, which may have a stranger's files, and ends with its
parent. A file that ends it is read once more, since somebody else may have killed it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from hashlib import sha256
from importlib.util import find_spec
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from typing import TypeVar
from weakref import WeakSet

import msgspec

from anagnosis.documents.formats.pdf.messages import Answer, DrawPage, ReadPaper, in_use
from anagnosis.errors import InputError
from anagnosis.io.paths import read_file

SECONDS = 120.0  # for a file
MEMORY = 2 << 30  # bytes
_GRACE = 5  # seconds after which the process ends itself, where its parent is gone
_LONGEST = 1 << 30  # bytes of an answer
_READY = b"ready"
_ANEW = "save it with another program, and read that"


_READERS = WeakSet["Reader"]()


def _forget_all() -> None:
    for reader in _READERS:
        reader.forget()


os.register_at_fork(after_in_child=_forget_all)


class Reader:
    """The process, which is started with the first file. program: what it runs."""

    def __init__(self, program: str = f"from {__name__} import main; main()") -> None:
        self._program = program
        self._pipe: Connection[bytes, bytes]
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._is_closed = False
        _READERS.add(self)

    def ask(self, request: ReadPaper | DrawPage, *, seconds: float = SECONDS) -> Answer:
        """What the process makes of a file within time and memory. InputError: it does not start."""
        with self._lock:
            for _ in range(2):
                if self._is_closed:
                    return Answer(fault="is not read any more")
                try:
                    return self._asked(msgspec.msgpack.encode(request), seconds)
                except (EOFError, OSError):
                    self._kill()
                except BaseException:
                    self._kill()  # its answer would be taken for that to the next file
                    raise
        why = "damaged, too large for its memory, made to do harm, or the program was killed twice"
        return Answer(fault=f"ends the program that reads it: {why}; fetch it again")

    def _asked(self, request: bytes, seconds: float) -> Answer:
        if self._process is None or self._process.poll() is not None:
            self._start()
        self._pipe.send_bytes(request)
        if self._pipe.poll(seconds):
            return msgspec.msgpack.decode(self._pipe.recv_bytes(_LONGEST), type=Answer)
        self._kill()
        return Answer(fault=f"takes longer than {seconds:g} s; {_ANEW}")

    def _start(self) -> None:
        self._kill()
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

    def forget(self) -> None:
        """Leave the process to the parent of this one, which was forked."""
        self._process, self._lock = None, threading.Lock()

    def close(self) -> None:
        """End the process, for good."""
        self._is_closed = True
        self._kill()

    def _kill(self) -> None:
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


T = TypeVar("T")
_LARGEST_AHEAD = 64 << 20  # bytes of a file that waits in memory
_ahead: dict[bytes, Future[Answer]] = {}  # SHA-256 of a file → its answer


def answer_of(data: bytes) -> Answer:
    """What a file says."""
    ready = _ahead.pop(sha256(data).digest(), None)
    return READER.ask(ReadPaper(data, in_use())) if ready is None else ready.result()


def reading_ahead(
    items: Iterable[T], files_of: Callable[[T], Iterable[Path]], workers: int | None
) -> Iterator[T]:
    """The items in their order. workers: processes that read the PDF files of items; None: one per processor."""
    count = workers or os.cpu_count() or 1
    readers, free, window = [Reader() for _ in range(count)], SimpleQueue[Reader](), deque[T]()
    for reader in readers:
        free.put(reader)

    def read(data: bytes) -> Answer:
        reader = free.get()
        try:
            return reader.ask(ReadPaper(data, in_use()))
        finally:
            free.put(reader)

    executor = ThreadPoolExecutor(count, thread_name_prefix="pdf")
    fault: Exception | None = None
    try:
        each = iter(items)
        while True:
            try:
                window.append(next(each))
            except StopIteration:
                break
            except Exception as raised:  # which comes behind the items that stand before it
                fault = raised
                break
            for data in filter(None, map(_data, files_of(window[-1]))):
                _ahead[sha256(data).digest()] = executor.submit(read, data)
            if len(window) > 2 * count:
                yield window.popleft()
        yield from window
        if fault is not None:
            raise fault
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
        _ahead.clear()
        for reader in readers:
            reader.close()


def _data(path: Path) -> bytes | None:
    """The bytes of a PDF file that is worth being read ahead."""
    is_one = path.suffix.lower() == ".pdf" and find_spec("pypdfium2") is not None
    try:
        return read_file(path, _LARGEST_AHEAD) if is_one else None
    except (OSError, ValueError):
        return None  # said where its turn comes
