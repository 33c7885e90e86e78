"""The processes in which PDFium reads: with limits on memory and time, and started again when a file has ended one.

READER.ask(FileRequest(data))    what a file says, or why it says nothing

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
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from hashlib import sha256
from importlib.util import find_spec
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from typing import TypeVar

import msgspec

from anagnosis.documents.formats.pdf.messages import Answer, FileRequest
from anagnosis.errors import InputError
from anagnosis.io.decoding import decoding_faults
from anagnosis.io.paths import PathLike, read_file

MEMORY = 2 << 30  # bytes
_LONGEST = 1 << 30  # bytes of an answer
_READY = b"ready"
_ANEW = "save it with another program, and read that"
_ENDS = (
    "ends the program that reads it: damaged, too large for its memory, made to do harm, or the program was killed "
    "twice; fetch it again"
)


class Reader:
    """The process, which is started with the first file. program: what it runs."""

    def __init__(self, program: str = f"from {__name__} import main; main()") -> None:
        self._program = program
        self._pipe: Connection[bytes, bytes]
        self._process: subprocess.Popen[bytes] | None = None
        self._parent = os.getpid()
        self._lock = threading.Lock()
        self._is_closed = False

    def ask(self, request: FileRequest) -> Answer:
        """What the process makes of a file within time and memory. InputError: it does not start."""
        with self._lock:
            for _ in range(2):
                # A process that was forked has none of its own.
                is_there = self._process is not None and self._parent == os.getpid()
                if not (is_there or self._is_closed):
                    self._start()
                if self._is_closed:
                    self._kill()
                    return Answer(fault="is not read any more")
                try:
                    self._pipe.send_bytes(msgspec.msgpack.encode(request))
                    return msgspec.msgpack.decode(self._pipe.recv_bytes(_LONGEST), type=Answer)
                except (EOFError, OSError):
                    if self._kill() == -signal.SIGALRM:
                        return Answer(fault=f"takes longer than {request.seconds} s; {_ANEW}")
                except BaseException:
                    self._kill()  # its answer would be taken for that to the next file
                    raise
        return Answer(fault=_ENDS)

    def _start(self) -> None:
        self._pipe, theirs = Pipe()
        command = [sys.executable, "-P", "-c", self._program, str(theirs.fileno())]
        with theirs:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )  # fmt: skip
        self._parent = os.getpid()
        try:
            self._pipe.recv_bytes(len(_READY))
        except (EOFError, OSError):
            self._kill()
            if not self._is_closed:
                what = "the program that reads PDF files does not start"
                raise InputError(what, "", 'install pypdfium2 again: pip install "anagnosis[pdf]"') from None

    def close(self) -> None:
        """End the process, for good."""
        self._is_closed = True
        if (process := self._process) is not None:
            process.kill()  # first: of a pipe that is closed while it is read another file could get the number
        with self._lock:
            self._kill()

    def _kill(self) -> int | None:
        """How the process has ended."""
        process, self._process = self._process, None
        if process is None:
            return None
        self._pipe.close()
        process.kill()
        return process.wait()


def main() -> None:
    """Do what is asked until the parent ends."""
    import resource

    from anagnosis.documents.formats.pdf.drawing import draw_page
    from anagnosis.documents.formats.pdf.paper import UnreadableError, read_paper

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    pipe: Connection[bytes, bytes] = Connection(int(sys.argv[1]))
    pipe.send_bytes(_READY)
    while True:
        try:
            request = msgspec.msgpack.decode(pipe.recv_bytes(), type=FileRequest)
        except EOFError:
            return
        signal.alarm(request.seconds)  # which ends the process
        try:
            if request.page:
                found = Answer(image=draw_page(request))
            else:
                found = Answer(*read_paper(request.data, request.password))
        except UnreadableError as fault:
            found = Answer(fault=str(fault))
        except MemoryError:
            found = Answer(fault=f"takes more than {MEMORY >> 30} GiB of memory; {_ANEW}")
        except Exception as fault:
            found = Answer(fault=f"cannot be read ({type(fault).__name__}); {_ANEW}")
        signal.alarm(0)
        pipe.send_bytes(msgspec.msgpack.encode(found))


READER = Reader()

T = TypeVar("T")
_LARGEST_AHEAD = 64 << 20  # bytes of a file that waits in memory
_ahead: dict[bytes, Future[Answer]] = {}  # SHA-256 of a file → its answer
_password = ""


def read_password(path: PathLike | None) -> str:
    """The password that a file has. InputError: it cannot be read."""
    if path is None:
        return ""
    with decoding_faults(path, "name a file with the password alone"):
        return read_file(path).decode("utf-8-sig").strip("\r\n")


@contextmanager
def with_password(password: str) -> Generator[None]:
    """Try it where a file needs one."""
    global _password
    before, _password = _password, password
    try:
        yield
    finally:
        _password = before


def answer_of(data: bytes) -> Answer:
    """What a file says."""
    ready = _ahead.pop(sha256(data).digest(), None)
    return READER.ask(FileRequest(data, _password)) if ready is None else ready.result()


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
            return reader.ask(FileRequest(data, _password))
        finally:
            free.put(reader)

    executor = ThreadPoolExecutor(count, thread_name_prefix="pdf")
    try:
        try:
            for item in items:
                window.append(item)
                for data in filter(None, map(_data, files_of(item))):
                    _ahead[sha256(data).digest()] = executor.submit(read, data)
                if len(window) > 2 * count:
                    yield window.popleft()
        except Exception:  # which comes behind the items that stand before it
            yield from window
            raise
        yield from window
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
