"""Several processes read the next PDF files while the caller takes the document of the first.

for path in reading_ahead(paths, files_of=lambda path: [path], workers=2):    # in their order
    answer_of(path.read_bytes())    # is there, or soon will be
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from queue import SimpleQueue
from typing import TypeVar

from anagnosis.documents.formats.pdf.messages import Answer, ReadPaper
from anagnosis.documents.formats.pdf.passwords import in_use
from anagnosis.documents.formats.pdf.reader_process import READER, Reader
from anagnosis.io.paths import read_file

T = TypeVar("T")
_LARGEST_AHEAD = 64 << 20  # bytes of a file that waits in memory
_ahead: dict[bytes, Future[Answer]] = {}  # SHA-256 of a file → its answer


def answer_of(data: bytes) -> Answer:
    """What a file says. One whose process ended is read once more, alone: when those that are read ahead are read."""
    ready = _ahead.pop(sha256(data).digest(), None)
    found = READER.ask(ReadPaper(data, in_use())) if ready is None else ready.result()
    if found.ended:
        wait(_ahead.values())
        found = READER.ask(ReadPaper(data, in_use()))
    return found


def reading_ahead(
    items: Iterable[T], files_of: Callable[[T], Iterable[Path]], workers: int | None
) -> Iterator[T]:
    """The items in their order. workers: processes that read the PDF files of items; None: one per processor."""
    each, count = iter(items), workers or os.cpu_count() or 1
    readers = [Reader() for _ in range(count)]
    free = SimpleQueue[Reader]()
    for reader in readers:
        free.put(reader)

    def read(data: bytes) -> Answer:
        reader = free.get()
        try:
            return reader.ask(ReadPaper(data, in_use()))
        finally:
            free.put(reader)

    window, own = deque[T](), set[bytes]()
    executor, broken = ThreadPoolExecutor(count, thread_name_prefix="pdf"), None
    try:
        while True:
            while len(window) <= 2 * count and broken is None:
                try:
                    one = next(each)
                except StopIteration:
                    break
                except Exception as fault:  # which comes behind the items that stand before it
                    broken = fault
                    break
                window.append(one)
                for path in files_of(one):
                    if (data := _data(path)) is not None:
                        digest = sha256(data).digest()
                        _ahead[digest] = executor.submit(read, data)
                        own.add(digest)
            if not window and broken is not None:
                raise broken
            if not window:
                return
            yield window.popleft()
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
        for digest in own:
            _ahead.pop(digest, None)
        for reader in readers:
            reader.close()


def _data(path: Path) -> bytes | None:
    """The bytes of a PDF file that is worth being read ahead."""
    is_one = path.suffix.lower() == ".pdf" and find_spec("pypdfium2") is not None
    try:
        return read_file(path, _LARGEST_AHEAD) if is_one else None
    except (OSError, ValueError):
        return None  # said where its turn comes
