"""What the first phase of a build knows of a shard: counts, and small tables of what passed.

A dataset's own `screen` fills a `Screening`; `three_phases` keeps it on disk and settles all of them in order.
"""

from __future__ import annotations

import hashlib
from collections import Counter

import msgspec

from anagnosis.datasets.columns import ClozeColumns
from anagnosis.documents.repairs import Repairs


class Shard(msgspec.Struct, frozen=True):
    """A piece of the input. data: whole PubTator documents as text, or msgpack-encoded Documents.

    name: the file, for refusals. line: of the first line of data. limit: read so many documents and no more.
    path: where data lies instead, for a worker on another machine.
    """

    format: str
    name: str
    line: int
    data: bytes
    limit: int | None = None
    path: str = ""


class Screened(msgspec.Struct):
    """Counts of a shard, and a row for each article that passed, column by column.

    entities: (key, type, identifier), the distinct ones in order of first appearance in this shard.
    article_entities: for each article in turn its entities in order of first appearance, as indices of
    `entities`; article_sizes says how many each has. text_hashes: of letters and digits of the abstract.
    """

    read: int = 0
    refused: int = 0
    dropped: dict[str, int] = {}
    instances_dropped: dict[str, int] = {}
    repairs: dict[str, int] = {}
    refusals: list[tuple[str, str]] = []
    ids: list[str] = []
    text_hashes: list[int] = []
    instances: list[int] = []
    article_sizes: list[int] = []
    article_entities: list[int] = []
    entities: list[tuple[str, str, str]] = []


class Screening:
    """Grows while a shard is screened. `columns` gets the instances, numbered by this shard's entities."""

    def __init__(self) -> None:
        self.repairs = Repairs()
        self.dropped: Counter[str] = Counter()
        self.instances_dropped: Counter[str] = Counter()
        self.columns = ClozeColumns()
        self.screened = Screened()
        self._numbers: dict[str, int] = {}

    def number(self, key: str, entity_type: str, identifier: str) -> int:
        """This shard's number of an entity, new ones counted up."""
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = len(self._numbers)
            self.screened.entities.append((key, entity_type, identifier))
        return found

    def article(self, ident: str, text_hash: int, instances: int, numbers: list[int]) -> None:
        """Note an article that passed, its instances already in `columns`."""
        table = self.screened
        table.ids.append(ident)
        table.text_hashes.append(text_hash)
        table.instances.append(instances)
        table.article_sizes.append(len(numbers))
        table.article_entities.extend(numbers)

    def result(self) -> Screened:
        """Everything but the instances."""
        table = self.screened
        table.refused = self.repairs.refused
        table.read += self.repairs.refused
        table.dropped = dict(self.dropped)
        table.instances_dropped = dict(self.instances_dropped)
        table.repairs = dict(self.repairs.counts)
        table.refusals = self.repairs.refusals
        return table


def text_hash(text: str) -> int:
    """64 bits of the letters and digits of a text, case apart: the same for copies that differ in spacing."""
    letters = "".join(filter(str.isalnum, text.lower()))
    return int.from_bytes(hashlib.blake2b(letters.encode(), digest_size=8).digest(), "little")


def id_hash(ident: str) -> int:
    """64 bits of a document's id (two of 8 million ids share them once in half a million corpora)."""
    return int.from_bytes(hashlib.blake2b(ident.encode(), digest_size=8).digest(), "little")
