"""The first phase of a build: a worker judges the documents of a block and gives what passed.

A dataset's `judge` looks at one document and fills a `Screening`: with instances, or with the rule that drops it.
"""

from __future__ import annotations

import hashlib
import pickle
import sys
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import pyarrow as pa

from anagnosis.datasets.build.inputs import Piece, documents
from anagnosis.datasets.build.synonyms import Synonyms
from anagnosis.datasets.definition import Builder
from anagnosis.datasets.kinds.cloze_instance import outside
from anagnosis.documents.repairs import Repairs
from anagnosis.registry import referenced

_IPC = pa.ipc.IpcWriteOptions(compression="lz4")


Entity = tuple[str, str, str]  # key, type, identifier


class Articles:
    """The articles that passed, of a block or of the whole input, column by column."""

    def __init__(self) -> None:
        self.read = 0  # documents, also refused ones
        self.instances = array("q")  # how many
        self.ids, self.texts = array("Q"), array("Q")  # hashes
        self.dates = list[str]()  # of each, or none at all
        self.borders = array("q", [0])  # where blocks begin; the end
        # Where documents have versions, of every document that was read; a version of 0 is the notice of a deletion.
        self.read_ids, self.read_versions = array("Q"), array("q")
        self.reads = array("q")  # of an article its place among them

    def extend(self, block: Articles, dates: Iterable[str]) -> None:
        """Add those of the next block, which have these dates."""
        self.reads.extend(len(self.read_ids) + place for place in block.reads)
        for name in ("instances", "ids", "texts", "read_ids", "read_versions"):
            getattr(self, name).extend(getattr(block, name))
        self.dates.extend(map(sys.intern, dates))
        self.borders.append(len(self.ids))
        self.read += block.read


@dataclass(slots=True)
class Screened:
    """What a block gave."""

    articles: Articles = field(default_factory=Articles)
    ids: list[str] = field(default_factory=list[str])  # of the articles
    repairs: Repairs = field(default_factory=Repairs)
    dropped: Counter[str] = field(default_factory=Counter[str])
    instances_dropped: Counter[str] = field(default_factory=Counter[str])
    # Pickled: the instances as an Arrow stream, and every `Entity` in order of first appearance, which numbers them.
    rows: bytes = b""


class Screening:
    """Grows while a block is screened. columns: get the instances, with this block's numbers of entities.

    name: of the file whose documents are judged.
    """

    def __init__(self, columns: Any) -> None:
        self.columns = columns
        self.screened = Screened()
        self._articles = self.screened.articles
        self.dropped, self.instances_dropped = self.screened.dropped, self.screened.instances_dropped
        self.repairs = Repairs()
        self.name = ""
        self._numbers: dict[Entity, int] = {}

    def begin(self, piece: Piece) -> None:
        """From here on the documents, and what is repaired of them, are of this piece."""
        self.name, self.repairs = piece.name, Repairs()

    def end(self) -> None:
        """All of the piece was read."""
        self.repairs.sort()
        self.screened.repairs.add(self.repairs)
        self._articles.read += self.repairs.refused

    def read(self, ident: str, version: int | None) -> None:
        """Note a document before anything is asked of it. version: 0 for the notice that its id was deleted."""
        if version is not None:
            self._articles.read_ids.append(id_hash(ident))
            self._articles.read_versions.append(version)
        if version == 0:
            self.repairs.count("deleted_pmid")
        else:
            self._articles.read += 1

    def number(self, *entity: str) -> int:
        """This block's number of an `Entity`; each spelling of its type has another: the paper may be dropped yet."""
        return self._numbers.setdefault(cast(Entity, entity), len(self._numbers))

    def candidate(self, key: str, entity_type: str, identifier: str, places: Mapping[str, int]) -> int:
        """Of an entity of a question the candidate, or, `outside`, its number."""
        place = places.get(key)
        return outside(self.number(key, entity_type, identifier)) if place is None else place

    def drop(self, rule: str) -> None:
        """Count a document that a rule drops."""
        self.dropped[rule] += 1

    def drop_instances(self, rule: str, count: int = 1) -> None:
        """Count instances that a rule drops."""
        self.instances_dropped[rule] += count

    def article(self, ident: str, text_hash: int, instances: int, date: str | None = None) -> None:
        """Note an article that passed, its instances already in `columns`. date: where the document itself has one."""
        found = self._articles
        if date is not None:
            found.dates.append(date)
        if found.read_ids:
            found.reads.append(len(found.read_ids) - 1)
        found.instances.append(instances)
        found.ids.append(id_hash(ident))
        found.texts.append(text_hash)
        self.screened.ids.append(ident)

    def finished(self) -> Screened:
        """Everything, packed."""
        stream = pa.BufferOutputStream()
        with pa.ipc.new_stream(stream, self.columns.schema, options=_IPC) as writer:
            writer.write_table(self.columns.table())
        self.screened.rows = pickle.dumps((stream.getvalue().to_pybytes(), [*self._numbers]))
        return self.screened


def screen(
    builder: str,
    recipe: Any,
    synonyms: Synonyms | None,
    block: tuple[Piece, ...],
    *,
    accept_truncated: bool,
) -> Screened:
    """Judge the documents of a block by the builder at a "module:attribute".

    synonyms: for a builder that takes terms, where the user gave some. accept_truncated: as of `InputFiles`.
    """
    further = () if synonyms is None else (synonyms,)
    return judged(block, referenced(builder), recipe, *further, accept_truncated=accept_truncated).finished()


def judged(
    block: Iterable[Piece],
    builder: Builder,
    recipe: Any,
    *further: Synonyms,
    accept_truncated: bool = False,
) -> Screening:
    """The documents of a block, judged by a builder; arguments as of `screen`."""
    assert builder.judge is not None
    assert builder.columns is not None
    screening = Screening(builder.columns())
    for piece in block:
        screening.begin(piece)
        for document in documents(piece, screening.repairs, builder, accept_truncated=accept_truncated):
            version = None if builder.version is None else builder.version(document)
            screening.read(document.id, version)
            if version != 0:
                builder.judge(document, recipe, screening, *further)
        screening.end()
    return screening


def text_hash(text: str) -> int:
    """64 bits of the letters and digits of a text, case apart: the same for copies that differ in spacing."""
    return id_hash("".join(filter(str.isalnum, text.lower())))


def id_hash(ident: str) -> int:
    """64 bits of a document's id (two of 8 million ids share them once in half a million corpora)."""
    return int.from_bytes(hashlib.blake2b(ident.encode(), digest_size=8).digest(), "little")


def without_overlaps(mentions: Iterable[Any], repairs: Repairs) -> list[Any]:
    """Mentions of one span, in order: of overlapping ones the longest stays, of equally long ones the leftmost.

    Of two in one place the first given stays. Counted: mention_overlapping.
    """
    kept: list[Any] = []
    starts: list[int] = []
    ends: list[int] = []
    for mention in sorted(mentions, key=lambda each: (each.start - each.end, each.start)):
        place = bisect_right(starts, mention.start)
        if (place and ends[place - 1] > mention.start) or (
            place < len(starts) and starts[place] < mention.end
        ):
            repairs.count("mention_overlapping")
            continue
        kept.insert(place, mention)
        starts.insert(place, mention.start)
        ends.insert(place, mention.end)
    return kept
