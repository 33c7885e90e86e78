"""Several processes read the next PDF files while the caller takes the document of the first.

for path in reading_ahead(paths, files_of=lambda path: [path], workers=2):    # in their order
    answer_of(path.read_bytes())    # is there, or soon will be
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
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
