"""What the first phase of a build knows of a shard: counts, and small tables of what passed.

A dataset's own `screen` fills a `Screening`; `three_phases` keeps it on disk, the small tables and the instances
apart, and `resolving` walks all the small ones in order.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import msgspec
import pyarrow as pa

from anagnosis.documents.repairs import Reason, Repairs, add_reasons, add_refusals
from anagnosis.io.files import atomic_write, write_bytes
from anagnosis.io.paths import PathLike

_IPC = pa.ipc.IpcWriteOptions(compression="lz4")


class Shard(msgspec.Struct, frozen=True):
    """A piece of the input. data: whole documents as bytes of the file, where raw, else msgpack-encoded Documents.

    name: the file, for refusals. line: of the first line of data. path: where data lies instead, for a worker on
    another machine. files: (input, documents of it) in order; 0 where all documents are of the one input.
    """

    format: str
    name: str
    line: int
    data: bytes
    path: str = ""
    raw: bool = False
    files: tuple[tuple[str, int], ...] = ()


class ScreeningResults(msgspec.Struct):
    """Counts of a shard, and a row for each article that passed, column by column.

    files: of the shard. places: of each article the number of its document in the shard.
    dates: of each article, where the documents themselves have them, else none at all.
    read_ids, read_versions: the id's hash and version of every document that was read, where documents have versions;
    a version of 0 is the notice that the id was deleted. article_reads: of each article its place among them.
    entities: (key, type, identifier), the distinct ones in order of first appearance in this shard.
    article_entities: for each article in turn its entities in order of first appearance, as indices of
    `entities`; article_sizes says how many each has. entity_instances: of each of these, of how many of the article's
    instances it is a candidate; none at all where it is one of every instance. text_hashes: of letters and digits of
    the abstract.
    """

    read: int = 0
    refused: int = 0
    dropped: dict[str, int] = {}
    instances_dropped: dict[str, int] = {}
    repairs: dict[str, int] = {}
    refusals: list[tuple[str, str]] = []
    notes: list[tuple[str, str]] = []
    reasons: list[Reason] = []
    files: tuple[tuple[str, int], ...] = ()
    places: list[int] = []
    ids: list[str] = []
    text_hashes: list[int] = []
    instances: list[int] = []
    dates: list[str] = []
    read_ids: list[int] = []
    read_versions: list[int] = []
    article_reads: list[int] = []
    article_sizes: list[int] = []
    article_entities: list[int] = []
    entity_instances: list[int] = []
    entities: list[tuple[str, str, str]] = []


@dataclass(slots=True)
class Totals:
    """Sums over all shards."""

    read: int = 0
    refused: int = 0
    dropped: Counter[str] = field(default_factory=Counter[str])
    instances_dropped: Counter[str] = field(default_factory=Counter[str])
    repairs: Counter[str] = field(default_factory=Counter[str])
    refusals: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    notes: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    reasons: dict[str, Reason] = field(default_factory=dict[str, Reason])

    def add(self, found: ScreeningResults) -> None:
        """Add the counts of a shard."""
        self.read += found.read
        self.refused += found.refused
        self.dropped.update(found.dropped)
        self.instances_dropped.update(found.instances_dropped)
        self.repairs.update(found.repairs)
        add_refusals(self.refusals, found.refusals)
        add_refusals(self.notes, found.notes)
        add_reasons(self.reasons, found.reasons)


class Columns(Protocol):
    """Instances gathered as a table of `schema`."""

    schema: pa.Schema

    def table(self) -> pa.Table: ...


Value = str | int
Seen = Value | Callable[[], Value]


class Dropped(msgspec.Struct, frozen=True):
    """A line of the file that `build --drops` writes. of: "document" or "instance". value: what the rule looked at.

    file: of the document, or the member of an archive. value: "" where a rule looks at no single thing.
    """

    of: str
    id: str
    file: str
    rule: str
    value: Value = ""


C = TypeVar("C", bound=Columns)
S = TypeVar("S", bound="Spanned")


class Screening(Generic[C]):
    """Grows while a shard is screened. `columns` gets the instances, numbered by this shard's entities."""

    def __init__(self, columns: C) -> None:
        self.drops: list[tuple[str, str, str, Seen]] = []  # as `Dropped`, without the file
        self.repairs = Repairs()
        self.dropped: Counter[str] = Counter()
        self.instances_dropped: Counter[str] = Counter()
        self.columns = columns
        self.results = ScreeningResults()
        self._numbers: dict[str, int] = {}

    def number(self, key: str, entity_type: str, identifier: str) -> int:
        """This shard's number of an entity, new ones counted up."""
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = len(self._numbers)
            self.results.entities.append((key, entity_type, identifier))
        return found

    def drop(self, ident: str, rule: str, value: Seen = "") -> None:
        """Count a document that a rule drops. value: what the rule looked at, or a function where that is costly."""
        self.dropped[rule] += 1
        self.drops.append(("document", ident, rule, value))

    def drop_instance(self, ident: str, rule: str, value: Seen = "") -> None:
        """Count an instance that a rule drops; as `drop`."""
        self.instances_dropped[rule] += 1
        self.drops.append(("instance", ident, rule, value))

    def read(self, ident: str, version: int) -> None:
        """Note a document of a source that has versions, before anything is asked of it; 0: its id was deleted."""
        self.results.read_ids.append(id_hash(ident))
        self.results.read_versions.append(version)

    def article(
        self,
        ident: str,
        text_hash: int,
        instances: int,
        numbers: list[int],
        date: str | None = None,
        uses: list[int] | None = None,
    ) -> None:
        """Note an article that passed, its instances already in `columns`. date: where the document itself has one.

        uses: of each of `numbers`, of how many instances it is a candidate; None: of every one.
        """
        table = self.results
        if date is not None:
            table.dates.append(date)
        if table.read_ids:
            table.article_reads.append(len(table.read_ids) - 1)
        table.places.append((len(table.read_ids) or table.read + self.repairs.refused) - 1)
        table.ids.append(ident)
        table.text_hashes.append(text_hash)
        table.instances.append(instances)
        table.article_sizes.append(len(numbers))
        table.article_entities.extend(numbers)
        if uses is not None:
            table.entity_instances.extend(uses)

    def finished(self) -> ScreeningResults:
        """Everything but the instances."""
        self.results.dropped = dict(self.dropped)
        self.results.instances_dropped = dict(self.instances_dropped)
        return with_repairs(self.results, self.repairs)


def with_repairs(results: ScreeningResults, repairs: Repairs) -> ScreeningResults:
    """The results with what was repaired and refused."""
    results.refused = repairs.refused
    results.read += repairs.refused
    results.repairs = dict(repairs.counts)
    # Text is decoded before it is read line by line; the order of the lines is the same for any blocks.
    results.refusals = sorted((each for each in repairs.refusals if each not in repairs.left_out), key=_line)
    results.notes = sorted(repairs.left_out, key=_line)
    results.reasons = list(repairs.reasons.values())
    return results


def _line(refusal: tuple[str, str]) -> int:
    """The line of a refusal's "file:line", 0 where it has none."""
    number = refusal[0].rpartition(":")[2]
    return int(number) if number.isdecimal() else 0


def save(screening: Screening[Any], work: PathLike, number: int, drops_of: str = "") -> None:
    """Leave the screening of a block in the work folder. drops_of: the file, where drops are listed; "": none."""
    if drops_of:
        lines = [
            Dropped(of, ident, drops_of, rule, value() if callable(value) else value)
            for of, ident, rule, value in screening.drops
        ]
        write_bytes(drops_path(work, number), msgspec.json.Encoder().encode_lines(lines))
    with (
        atomic_write(_large(work, number)) as stream,
        pa.ipc.new_file(stream, screening.columns.schema, options=_IPC) as writer,
    ):
        writer.write_table(screening.columns.table())
    write_bytes(_small(work, number), msgspec.msgpack.encode(screening.finished()))


def load(work: PathLike, number: int) -> ScreeningResults:
    """The counts and small tables of a saved screening."""
    return msgspec.msgpack.decode(_small(work, number).read_bytes(), type=ScreeningResults)


def load_instances(work: PathLike, number: int) -> pa.Table:
    """The instances of a saved screening, numbered by its own entities."""
    with pa.memory_map(str(_large(work, number))) as source:
        return pa.ipc.open_file(source).read_all()


def drops_path(work: PathLike, number: int) -> Path:
    """Where the drops of a saved screening lie, a line each."""
    return Path(work) / "screen" / f"{number}.jsonl"


def _small(work: PathLike, number: int) -> Path:
    return Path(work) / "screen" / f"{number}.msgpack"


def _large(work: PathLike, number: int) -> Path:
    return Path(work) / "screen" / f"{number}.arrow"


def text_hash(text: str) -> int:
    """64 bits of the letters and digits of a text, case apart: the same for copies that differ in spacing."""
    letters = "".join(filter(str.isalnum, text.lower()))
    return int.from_bytes(hashlib.blake2b(letters.encode(), digest_size=8).digest(), "little")


def id_hash(ident: str) -> int:
    """64 bits of a document's id (two of 8 million ids share them once in half a million corpora)."""
    return int.from_bytes(hashlib.blake2b(ident.encode(), digest_size=8).digest(), "little")


class Spanned(Protocol):
    """What has a start and an end, the end exclusive."""

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


def without_overlaps(mentions: Iterable[S], repairs: Repairs) -> list[S]:
    """Mentions of one span, in order: of overlapping ones the longest stays, of equally long ones the leftmost.

    Of two in one place the first given stays. Counted: mention_overlapping.
    """
    kept: list[S] = []
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
