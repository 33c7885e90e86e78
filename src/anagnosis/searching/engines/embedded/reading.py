"""Read and verify what an entry stores: its passage, and a document's mark and Paper."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from anagnosis.errors import DamagedError
from anagnosis.searching.engines import AGAIN
from anagnosis.searching.engines.embedded.fields import CHECKSUM, checksum
from anagnosis.searching.engines.embedded.library_faults import without_panic_message
from anagnosis.searching.records.paper import Paper
from anagnosis.searching.records.passage import Passage

if TYPE_CHECKING:
    from tantivy import DocAddress, Searcher

_STORED = ("stored", "mark", "about")  # as fields.checksum takes them
_PASSAGE = msgspec.msgpack.Decoder(Passage)
_PAPER = msgspec.msgpack.Decoder(Paper)


class Entry(NamedTuple):
    """An entry. mark, paper: of the document, "" and None unless this is its first passage."""

    passage: Passage
    mark: str
    paper: Paper | None


class Entries:
    """The entries of an index."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, searcher: Searcher, places: Sequence[DocAddress]) -> list[Entry]:
        """The entries at these places. DamagedError: the checksum of an entry differs."""
        places = [*places]
        sums = searcher.fast_field_values(CHECKSUM, places)
        entries: list[Entry] = []
        with without_panic_message():
            for place, expected in zip(places, sums, strict=True):
                entry = searcher.doc(place)
                parts = [bytes(entry.get_first(name) or b"") for name in _STORED]
                if checksum(*parts) != expected:
                    raise DamagedError("a passage is not as it was stored", str(self._folder), AGAIN)
                stored, mark, about = parts
                paper = _PAPER.decode(about) if about else None
                entries.append(Entry(_PASSAGE.decode(stored), mark.decode(), paper))
        return entries
