"""Which documents an empty index may have by now, told by its only writer without asking the index.

Asking takes some ten times as long, and longer the more files there are. One bit a document, of 16 MB at most: another
document may share it, so that a few more are asked for than have been added, and none fewer.
"""

from __future__ import annotations

BITS = 1 << 27


class Added:
    """Of one writer, from an empty index on."""

    def __init__(self) -> None:
        self._bits = bytearray(BITS // 8)

    def add(self, document: str) -> None:
        """Remember a document, for good."""
        bit = hash(document) % BITS
        self._bits[bit >> 3] |= 1 << (bit & 7)

    def __contains__(self, document: str) -> bool:
        """Whether it may have been added."""
        bit = hash(document) % BITS
        return bool(self._bits[bit >> 3] & 1 << (bit & 7))
