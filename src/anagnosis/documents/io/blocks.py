"""A stream of bytes cut between its records into blocks that can be read apart from one another.

Where a block ends depends on the bytes alone: not on how a stream hands them out, nor on who reads the blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import BinaryIO

import msgspec

from anagnosis.errors import InputError

BLOCK = 8 << 20
LONGEST_DOCUMENT = 64 << 20
_HEAD = 1 << 16


class Block(msgspec.Struct, frozen=True, gc=False):
    """Whole documents cut out of a file. line: the number of its first line, from 1.

    counted: names, from docs/receipts.md, of what was noticed of the file when this block was cut.
    """

    name: str
    line: int
    data: bytes
    counted: tuple[str, ...] = ()


def cut(
    stream: BinaryIO,
    name: str,
    size: int,
    *,
    end_of_last: Callable[[bytes], int],
    refuse_other: Callable[[bytes, bool], None],
    what: str,
) -> Iterator[Block]:
    """Cut a stream into blocks of about `size` bytes; what is behind the last boundary goes into the last block.

    end_of_last: how many of these bytes are whole documents, 0 for none. refuse_other: sees the beginning, 64 KiB or
    more, and whether it is everything, and raises where it is of no such file. what: the format, for the error.
    When the stream breaks off, its error is raised behind all that was whole before the break.
    Raises InputError for a document longer than 64 MiB.
    """
    line, rest, begun = 1, b"", False
    wanted = size
    while True:
        data, fault = _read_fully(stream, wanted)
        ended = len(data) < wanted and fault is None
        rest += data
        if not begun and (ended or len(rest) >= _HEAD):
            refuse_other(rest, ended)
        end = end_of_last(rest)
        if len(rest) - end > LONGEST_DOCUMENT:
            begins = line + rest.count(b"\n", 0, end)
            raise InputError(
                f"a document longer than {LONGEST_DOCUMENT >> 20} MiB",
                f"{name}:{begins}",
                f"split it, or check that this is {what}",
            )
        if ended:
            end = len(rest)
        if end:
            yield Block(name, line, rest[:end])
            line += rest.count(b"\n", 0, end)
            rest = rest[end:]
            begun = True
        # A long document is looked at again only when twice as much of it is there.
        wanted = max(size, min(len(rest), LONGEST_DOCUMENT + 1 - len(rest)))
        if fault is not None:
            raise fault
        if ended:
            return


def _read_fully(stream: BinaryIO, size: int) -> tuple[bytes, InputError | None]:
    """`size` bytes, or fewer at the end of the stream; with the error of a stream that breaks off."""
    parts: list[bytes] = []
    # Unlike read, read1 gives what was there before a break.
    read: Callable[[int], bytes] = getattr(stream, "read1", stream.read)
    while size > 0:
        try:
            data = read(size)
        except InputError as fault:
            return b"".join(parts), fault
        if not data:
            break
        parts.append(data)
        size -= len(data)
    return b"".join(parts), None
