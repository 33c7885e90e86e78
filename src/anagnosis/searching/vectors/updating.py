"""Bring vectors up to date with an engine: drop those of deleted or changed documents, encode passages without vectors.

The engine commits first and knows nothing of vectors. So a kill between the two commits leaves passages without
vectors, which the next run encodes, and outdated vectors, which `Dense` recognises by their document's mark and leaves
out. Every SECONDS the vectors that there are, of complete documents, are written.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np

from anagnosis.array_types import AnyArray, Floats32
from anagnosis.encoders.refusals import demand_room, size_in_words
from anagnosis.errors import InputError
from anagnosis.io.files import atomic_write
from anagnosis.progress import Progress, print_note
from anagnosis.searching.engines import Engine, stored_mark, stored_passages
from anagnosis.searching.filters import NAME_FILTERS, date_number
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.vectors.encoding import SentenceEncoder
from anagnosis.searching.vectors.stored import (
    CHECKSUM,
    DOCUMENT,
    LENGTH,
    NAMED,
    Vectors,
    VectorsHeader,
    key_of,
    row_type,
)

BLOCK = 2_048  # passages to encode together
SECONDS = 120  # between two commits
_WORTH_SAYING = 5.0  # seconds of encoding
_MEASURED = 128  # passages; for fewer an estimate of the time takes too long


@dataclass(frozen=True, slots=True)
class VectorUpdate:
    """The result of an update.

    passages: with vectors now. encoded: passages. dropped: documents. cut: texts longer than the encoder's limit.
    """

    encoder: str
    passages: int
    encoded: int
    dropped: int
    cut: int


class Growing:
    """Vectors that grow in memory until `save`. marks: document → key of its mark."""

    def __init__(self, encoder: str, digest: str, width: int, longest: int) -> None:
        self._header = VectorsHeader(encoder, digest, width, longest, "", {}, [])
        self._names: dict[str, dict[str, int]] = {kind: {} for kind in NAMED}
        self.marks: dict[str, int] = {}
        self._documents: list[AnyArray] = []
        self._rows: list[AnyArray] = []
        self.count = 0

    def take(self, before: Vectors, marks: dict[str, int]) -> int:
        """Begin with the documents of a file that have these marks; returns the number of the others."""
        self._names = {
            kind: {name: place for place, name in enumerate(names, 1)}
            for kind, names in before.header.names.items()
        }
        there = dict(zip(before.header.ids, before.documents["mark"].tolist(), strict=True))
        self.marks = {ident: mark for ident, mark in there.items() if marks.get(ident) == mark}
        if len(self.marks) == len(there):
            self._keep(before.documents, before.rows)
        else:
            stays = np.array([ident in self.marks for ident in there], np.bool_)
            self._keep(before.documents[stays], before.rows[stays[before.document_of]])
        return len(there) - len(self.marks)

    def add(self, mark: str, passages: Sequence[Passage], vectors: Floats32) -> None:
        """Add the vectors of a complete document that is not there. vectors: float32 [passages, width]."""
        first, key = passages[0], key_of(mark)
        rows = np.zeros(len(passages), row_type(self._header.width))
        rows["section"] = [self._place("section", passage.section) for passage in passages]
        rows["scale"] = np.abs(vectors).max(axis=1, initial=0) / 127
        rows["numbers"] = np.rint(vectors / np.where(rows["scale"], rows["scale"], 1)[:, None])
        dates = date_number(first.date), date_number(first.facts.get("added", ""))
        facts = (self._place(one.fact, first.facts.get(one.fact, "").casefold()) for one in NAME_FILTERS)
        self._keep(np.array([(key, len(passages), *dates, *facts)], DOCUMENT), rows)
        self.marks[first.document] = key

    def save(self, path: Path, version: str = "") -> None:
        """Replace the file. version: of the engine's commit, once all of it is here."""
        names = {kind: [*names] for kind, names in self._names.items()}
        header = msgspec.json.encode(
            msgspec.structs.replace(self._header, version=version, names=names, ids=[*self.marks])
        )
        checksum = 0
        with atomic_write(path) as stream:
            arrays = (each.view(np.uint8).data for each in (*self._documents, *self._rows))
            for data in (np.array([len(header)], LENGTH).tobytes(), header, *arrays):
                checksum = zlib.crc32(data, checksum)
                stream.write(data)
            stream.write(np.array([checksum], CHECKSUM).tobytes())

    def _keep(self, documents: AnyArray, rows: AnyArray) -> None:
        self._documents.append(documents)
        self._rows.append(rows)
        self.count += len(rows)

    def _place(self, kind: str, name: str) -> int:
        """The number of a name, 0 for none."""
        places = self._names[kind]
        return places.setdefault(name, len(places) + 1) if name else 0


def update(path: Path, engine: Engine, encoder: SentenceEncoder) -> VectorUpdate:
    """Make the vectors agree with the engine's last commit.

    InputError: another encoder made the vectors, or the disk has no room.
    """
    growing = Growing(encoder.name, encoder.digest, encoder.width, encoder.limit)
    version = engine.committed().version
    marks = {one.document: key_of(one.mark) for one in engine.marks()}
    before, dropped = None, 0
    if path.exists():
        before = Vectors(path)
        same_encoder(before.header, encoder)
        dropped = growing.take(before, marks)
    left = engine.committed().counts.passages - growing.count
    if before is None or left or dropped:
        demand_room(path.parent, (left + growing.count) * row_type(encoder.width).itemsize)
    missing = [ident for ident in marks if ident not in growing.marks]
    encoded = _encode(growing, path, engine, encoder, missing, left)
    if encoded or dropped or before is None or before.header.version != version:
        growing.save(path, version)
    return VectorUpdate(encoder.name, growing.count, encoded, dropped, encoder.cut)


def same_encoder(header: VectorsHeader, encoder: SentenceEncoder) -> None:
    """InputError: the encoder would make other vectors than those of this file."""
    if (header.digest, header.longest) != (encoder.digest, encoder.limit):
        raise InputError(
            f"the encoder {encoder.name} did not make these vectors ({header.encoder} did)",
            "--encoder",
            "put the old one back, or drop the vectors with --no-encoder first",
        )


def _encode(
    growing: Growing, path: Path, engine: Engine, encoder: SentenceEncoder, idents: list[str], left: int
) -> int:
    done, saved = 0, time.monotonic()
    with Progress("vectors", max(left, 0), "passages") as progress:
        for documents in _blocks(engine, idents):
            passages = [passage for _, its_passages in documents for passage in its_passages]
            pieces = encoder.pieces([text_of(passage) for passage in passages])
            if not done and left > _MEASURED:
                _tell_how_long(encoder, pieces, left)
            matrix = np.zeros((len(passages), encoder.width), np.float32)
            for numbers, vectors in encoder.batches(pieces):
                matrix[numbers] = vectors
                progress.advance(len(numbers))
            at = 0
            for mark, its_passages in documents:
                growing.add(mark, its_passages, matrix[at : at + len(its_passages)])
                at += len(its_passages)
            done += len(passages)
            if time.monotonic() - saved > SECONDS:
                growing.save(path)
                saved = time.monotonic()
    return done


def text_of(passage: Passage) -> str:
    """The text to encode for a passage: title, heading and text."""
    texts = (passage.title, passage.heading, passage.text)
    return passage.text if passage.section == "title" else " ".join(one for one in texts if one)


def _blocks(engine: Engine, idents: list[str]) -> Iterator[list[tuple[str, list[Passage]]]]:
    """(mark, passages) of documents that still exist, in blocks of at least BLOCK passages."""
    block: list[tuple[str, list[Passage]]] = []
    waiting = 0
    for ident in idents:
        mark, passages = stored_mark(engine, ident), stored_passages(engine, ident)
        if mark is None or not passages:
            continue
        block.append((mark, passages))
        waiting += len(passages)
        if waiting >= BLOCK:
            yield block
            block, waiting = [], 0
    if block:
        yield block


def _tell_how_long(encoder: SentenceEncoder, pieces: list[list[int]], left: int) -> None:
    mean = sum(map(len, pieces)) / len(pieces)
    rate = encoder.rate(pieces) / mean
    if left / rate > _WORTH_SAYING:
        size = size_in_words(left * row_type(encoder.width).itemsize)
        duration = duration_in_words(left / rate)
        print_note(
            f"vectors of {left:,} passages by {Path(encoder.name).name}: about {duration} on this machine "
            f"({rate:,.0f} passages/s, {mean:.0f} pieces each), {size}; if interrupted, the same command continues"
        )


def duration_in_words(seconds: float) -> str:
    """A duration in the largest unit of which there are at least two."""
    for unit, size in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:,.0f} {unit}"
    return f"{seconds:,.0f} seconds"
