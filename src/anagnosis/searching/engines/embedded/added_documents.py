"""A one-bit Bloom filter of the documents that a writer has added to an empty index.

It saves lookups in the index, which take some ten times as long, and longer the more files there are. Each document
sets one bit of 16 MB. Documents may share a bit, so a few lookups are needless, and none is missed.
"""

from __future__ import annotations

BITS = 1 << 27


class Added:
    """The documents that one writer has added to an empty index."""

    def __init__(self) -> None:
        self._bits = bytearray(BITS // 8)

    def add(self, document: str) -> None:
        """Record a document. It cannot be removed."""
        bit = hash(document) % BITS
        self._bits[bit >> 3] |= 1 << (bit & 7)

    def __contains__(self, document: str) -> bool:
        """Whether a document may have been added; False is certain."""
        bit = hash(document) % BITS
        return bool(self._bits[bit >> 3] & 1 << (bit & 7))
