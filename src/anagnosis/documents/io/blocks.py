"""Blocks of whole records, cut from a stream, that several processes can parse independently.

Where a block ends depends on the bytes alone, not on the sizes of the stream's reads or on who parses the blocks.
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
    """Whole documents cut out of a file. line: the number of its first line, from 1."""

    name: str
    line: int
    data: bytes


def cut(
    stream: BinaryIO,
    name: str,
    size: int,
    *,
    end_of_last: Callable[[bytes], int],
    refuse_other: Callable[[bytes, bool], None],
    what: str,
) -> Iterator[Block]:
    """Cut a stream into blocks of about `size` bytes; bytes behind the last boundary go into the last block.

    end_of_last: gives the length of the whole documents in some bytes, 0 for none. refuse_other: gets the beginning
    (64 KiB or more) and whether it is the entire file, and raises an error for another format. what: the format, for
    the error. If the stream breaks off, its error follows the blocks before the break.
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
        # Search a long document again only once twice as much of it is there.
        wanted = max(size, min(len(rest), LONGEST_DOCUMENT + 1 - len(rest)))
        if fault is not None:
            raise fault
        if ended:
            return


def partial_read(stream: BinaryIO) -> Callable[[int], bytes]:
    """The stream's `read1` if it has one: unlike `read`, it gives the bytes before a break and then raises."""
    return getattr(stream, "read1", stream.read)


def _read_fully(stream: BinaryIO, size: int) -> tuple[bytes, InputError | None]:
    """`size` bytes, or fewer at the end of the stream; with the error of a stream that breaks off."""
    parts: list[bytes] = []
    read = partial_read(stream)
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
