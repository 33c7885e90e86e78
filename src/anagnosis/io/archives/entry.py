"""An entry of an archive: a path, a kind, and the bytes of a file."""

from __future__ import annotations

import io
from typing import Literal, NamedTuple

Kind = Literal["file", "folder", "link", "device", "unknown"]

ENDS_TOO_EARLY = "the archive ends too early"


class Entry(NamedTuple):
    """path: as in the archive. stream: the bytes of a file, valid until the next entry; empty for other kinds."""

    path: str
    kind: Kind
    stream: io.BufferedReader
