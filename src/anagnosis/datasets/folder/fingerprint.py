"""The fingerprint of a split: which questions with which candidates, and nothing else.

It is the SHA-256, in hexadecimal, of the sorted SHA-256 digests of the split's instances. An instance is
hashed as its id followed by its candidate keys in sorted order, each text as the number of its UTF-8 bytes in
decimal, a colon, those bytes and a comma ("4:12:0,9:gene/9606,"): no two instances have the same bytes,
whatever signs stand in an id or a key. So it depends neither on the order of instances or candidates, nor on
file formats, versions, texts or gold answers; a blind test has one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np

SHORT = 12
_DIGEST = "S32"


def fingerprint(instances: Iterable[tuple[str, Iterable[str]]]) -> str:
    """64 hexadecimal digits for the (id, candidate keys) of a split's instances.

    Streams its input; what it keeps is 32 bytes an instance.
    """
    digests = bytearray()
    for id, keys in instances:
        digests += hashlib.sha256(_instance(id, keys)).digest()
    return hashlib.sha256(np.sort(np.frombuffer(digests, _DIGEST)).tobytes()).hexdigest()


def short(fingerprint: str) -> str:
    """The first digits, as messages and signatures show them."""
    return fingerprint[:SHORT]


def _instance(id: str, keys: Iterable[str]) -> bytes:
    texts = (text.encode() for text in (id, *sorted(keys)))
    return b"".join([b"%d:%b," % (len(data), data) for data in texts])
