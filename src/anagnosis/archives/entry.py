"""What stands in an archive: a path, a kind, and the bytes of a file."""

from __future__ import annotations

import io
from typing import Literal, NamedTuple

Kind = Literal["file", "folder", "link", "device", "unknown"]

ENDS_TOO_EARLY = "the archive ends too early"


class Entry(NamedTuple):
    """path: as the archive has it. stream: the bytes of a file, until the next entry is asked for; else empty."""

    path: str
    kind: Kind
    stream: io.BufferedReader
