"""The program in which PDFium reads a file: a process for each, with limits on memory and time.

ask(FileRequest(data))    what a file says, or why it says nothing

for path in reading_ahead(paths, files_of=lambda path: [path], workers=2):    # in their order
    answer_of(path.read_bytes())    # is there, or soon will be

A process is a program of its own: a fork would have the memory of its parent, and a spawned one would run the user's
script again. It looks for modules nowhere in the working folder, which may have a stranger's files, and an alarm ends
it, with its parent or without. So a file that hangs, crashes or fills its memory costs itself alone. One whose process
is killed is read once more, since somebody else may have killed it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

import msgspec

from anagnosis.documents.formats.pdf.messages import Answer, FileRequest
from anagnosis.errors import InputError
from anagnosis.io.paths import read_file

MEMORY = 2 << 30  # bytes
_ANEW = "save it with another program, and read that"
_ENDS = (
    "ends the program that reads it: damaged, too large for its memory, made to do harm, or the program was killed "
    "twice; fetch it again"
)
PROGRAM = f"from {__name__} import main; main()"


Running = set[subprocess.Popen[bytes]]


def ask(request: FileRequest, program: str = PROGRAM, running: Running | None = None) -> Answer:
    """What a process makes of a file within time and memory. InputError: it does not start. program: what it runs.

    running: has the process while it runs.
    """
    running = set() if running is None else running
    data = msgspec.msgpack.encode(request)
    code, answer = _run(program, data, running)
    if code == -signal.SIGKILL:
        code, answer = _run(program, data, running)
    if code > 0:  # an exception outside all files
        what = "the program that reads PDF files does not start"
        raise InputError(what, "", 'install pypdfium2 again: pip install "anagnosis[pdf]"')
    if code == -signal.SIGALRM:
        return Answer(fault=f"takes longer than {request.seconds} s; {_ANEW}")
    try:
        return msgspec.msgpack.decode(answer, type=Answer)
    except msgspec.DecodeError:  # nothing, or the beginning of an answer
        return Answer(fault=_ENDS)


def _run(program: str, data: bytes, running: Running) -> tuple[int, bytes]:
    """(exit code, output) of a program that reads data from its standard input."""
    command = [sys.executable, "-P", "-c", program]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        running.add(process)
        try:
            output, _ = process.communicate(data)
        except BaseException:
            process.kill()
            raise
        finally:
            running.discard(process)
    return process.returncode, output


def main() -> None:
    """Read the request from standard input, and write the answer to standard output, where nobody else writes."""
    import resource

    from anagnosis.documents.formats.pdf.paper import UnreadableError, read_paper

    output = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    request = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=FileRequest)
    signal.alarm(request.seconds)
    try:
        if request.page:
            from anagnosis.documents.formats.pdf.drawing import draw_page

            found = Answer(image=draw_page(request))
        else:
            found = read_paper(request.data)
    except UnreadableError as fault:
        found = Answer(fault=str(fault))
    except MemoryError:
        found = Answer(fault=f"takes more than {MEMORY >> 30} GiB of memory; {_ANEW}")
    except Exception as fault:
        found = Answer(fault=f"cannot be read ({type(fault).__name__}); {_ANEW}")
    with os.fdopen(output, "wb") as stream:
        stream.write(msgspec.msgpack.encode(found))


T = TypeVar("T")
_LARGEST_AHEAD = 64 << 20  # bytes of a file that waits in memory
_ahead: dict[bytes, Future[Answer]] = {}  # SHA-256 of a file → its answer


def answer_of(data: bytes) -> Answer:
    """What a file says."""
    ready = _ahead.pop(sha256(data).digest(), None)
    return ask(FileRequest(data)) if ready is None else ready.result()


def reading_ahead(
    items: Iterable[T], files_of: Callable[[T], Iterable[Path]], workers: int | None
) -> Generator[T]:
    """The items in their order. workers: PDF files of items that are read at a time; None: one per processor."""
    count, window, running = workers or os.cpu_count() or 1, deque[T](), Running()
    executor = ThreadPoolExecutor(count, thread_name_prefix="pdf")
    try:
        try:
            for item in items:
                window.append(item)
                for data in filter(None, map(_data, files_of(item))):
                    _ahead[sha256(data).digest()] = executor.submit(ask, FileRequest(data), running=running)
                if len(window) > 2 * count:
                    yield window.popleft()
        except Exception:  # which comes behind the items that stand before it
            yield from window
            raise
        yield from window
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
        _ahead.clear()
        for process in tuple(running):
            process.terminate()


def _data(path: Path) -> bytes | None:
    """The bytes of a PDF file that is worth being read ahead."""
    is_one = path.suffix.lower() == ".pdf" and find_spec("pypdfium2") is not None
    try:
        return read_file(path, _LARGEST_AHEAD) if is_one else None
    except (OSError, ValueError):
        return None  # said where its turn comes
