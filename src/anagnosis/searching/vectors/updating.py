"""Bring vectors up to date with an engine: drop those of deleted or changed papers, encode passages without vectors.

The engine commits first and knows nothing of vectors. So a kill between the two leaves passages without vectors, which
the next run encodes, and outdated vectors, which `Dense` recognises by their paper's digest and leaves out. Every
SECONDS the vectors that there are, of complete papers, are written.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from anagnosis.array_types import AnyArray, Floats32
from anagnosis.encoders.refusals import demand_room, size_in_words
from anagnosis.errors import InputError
from anagnosis.progress import Progress, print_note
from anagnosis.searching.engines import Engine
from anagnosis.searching.papers.joined import shown
from anagnosis.searching.papers.records import StoredPaper
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.section_names import SECTIONS
from anagnosis.searching.vectors.encoding import SentenceEncoder
from anagnosis.searching.vectors.stored import TYPES, Vectors, VectorsHeader, quantised, write_vectors

BLOCK = 2_048  # passages to encode together
SECONDS = 120  # between two times of writing
_PAPERS = 64  # to read together
_WORTH_SAYING = 5.0  # seconds of encoding
_PER_PASSAGE = 5  # bytes beside the numbers


class VectorUpdate(NamedTuple):
    """The result of an update.

    passages: with vectors now. encoded: passages. dropped: papers. cut: texts longer than the encoder's limit.
    """

    encoder: str
    passages: int
    encoded: int
    dropped: int
    cut: int


class Growing:
    """Vectors that grow in memory until `save`. digests: paper → digest."""

    def __init__(self, header: VectorsHeader) -> None:
        self._header, self.digests, self.count = header, dict[str, int](), 0
        self._parts: dict[str, list[AnyArray]] = {name: [] for name in TYPES}

    def take(self, before: Vectors, digests: dict[str, int]) -> int:
        """Begin with the papers of a file that have these digests; returns the number of the others."""
        there = dict(zip(before.header.papers, before.digests.tolist(), strict=True))
        stay = np.array([digests.get(name) == digest for name, digest in there.items()], np.bool_)
        self.digests = {name: there[name] for name, stays in zip(there, stay, strict=True) if stays}
        rows = stay[before.paper_of]
        self._keep(before.digests[stay], before.counts[stay], before.scales[rows], before.sections[rows])
        self._parts["numbers"].append(before.numbers if rows.all() else before.numbers[rows])
        self.count = int(rows.sum())
        return len(there) - len(self.digests)

    def add(self, name: str, digest: int, passages: Sequence[Passage], vectors: Floats32) -> None:
        """Add the vectors of a complete paper that is not there. vectors: float32 [passages, width]."""
        numbers, scales = quantised(vectors)
        self._keep([digest], [len(passages)], scales, [SECTIONS.index(one.section) for one in passages])
        self._parts["numbers"].append(numbers)
        self.digests[name] = digest
        self.count += len(passages)

    def _keep(self, *parts: Sequence[int] | AnyArray) -> None:
        for part, (name, kind) in zip(parts, TYPES.items(), strict=False):
            self._parts[name].append(np.array(part, kind))

    def save(self, path: Path, version: str = "") -> None:
        """Replace the file. version: of the engine's commit, once all of it is here."""
        header = msgspec.structs.replace(self._header, version=version, papers=[*self.digests])
        write_vectors(path, header, self._parts)


def update(path: Path, engine: Engine, encoder: SentenceEncoder) -> VectorUpdate:
    """Make the vectors agree with the engine's last commit.

    InputError: another encoder made the vectors, or the disk has no room.
    """
    growing = Growing(VectorsHeader(encoder.name, encoder.digest, encoder.width, encoder.limit, "", []))
    version, counts = engine.committed()
    before, dropped = Vectors(path) if path.exists() else None, 0
    if before is not None:
        same_encoder(before.header, encoder)
        if version and before.header.version == version:
            return VectorUpdate(encoder.name, len(before.numbers), 0, 0, 0)
    digests = {stored.name: stored.digest for stored in engine.every()}
    if before is not None:
        dropped = growing.take(before, digests)
    left = counts.passages - growing.count
    if before is None or left or dropped:
        demand_room(path.parent, counts.passages * (encoder.width + _PER_PASSAGE))
    missing = [name for name in digests if name not in growing.digests]
    encoded = _encode(growing, path, engine, encoder, missing, left)
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
    growing: Growing, path: Path, engine: Engine, encoder: SentenceEncoder, names: list[str], left: int
) -> int:
    done, begun = 0, time.monotonic()
    saved = begun
    with Progress("vectors", max(left, 0), "passages") as progress:
        for papers in _blocks(engine, names):
            passages = [passage for _, its_passages in papers for passage in its_passages]
            matrix = np.zeros((len(passages), encoder.width), np.float32)
            for numbers, vectors in encoder.batches(encoder.pieces([text_of(each) for each in passages])):
                matrix[numbers] = vectors
                progress.advance(len(numbers))
            at = 0
            for stored, its_passages in papers:
                vectors = matrix[at : at + len(its_passages)]
                growing.add(stored.name, stored.digest, its_passages, vectors)
                at += len(its_passages)
            if not done:
                _tell_how_long(encoder, len(passages) / (time.monotonic() - begun), left - len(passages))
            done += len(passages)
            if time.monotonic() - saved > SECONDS:
                growing.save(path)
                saved = time.monotonic()
    return done


def text_of(passage: Passage) -> str:
    """The text to encode for a passage: title, heading and text."""
    texts = (passage.title, passage.heading, passage.text)
    return passage.text if passage.section == "title" else " ".join(one for one in texts if one)


def _blocks(engine: Engine, names: list[str]) -> Iterator[list[tuple[StoredPaper, list[Passage]]]]:
    """Papers that still exist with their passages, in blocks of at least BLOCK passages."""
    block: list[tuple[StoredPaper, list[Passage]]] = []
    waiting = 0
    for begin in range(0, len(names), _PAPERS):
        for stored in engine.papers(names[begin : begin + _PAPERS]):
            if stored is None or not (passages := shown(stored).passages):
                continue
            block.append((stored, passages))
            waiting += len(passages)
            if waiting >= BLOCK:
                yield block
                block, waiting = [], 0
    if block:
        yield block


def _tell_how_long(encoder: SentenceEncoder, rate: float, left: int) -> None:
    """rate: passages a second."""
    if left / rate > _WORTH_SAYING:
        print_note(
            f"vectors of {left:,} more passages by {Path(encoder.name).name}: about {duration_in_words(left / rate)}"
            f" on this machine ({rate:,.0f} passages/s), {size_in_words(left * (encoder.width + _PER_PASSAGE))}; "
            "if interrupted, the same command continues"
        )


def duration_in_words(seconds: float) -> str:
    """A duration in the largest unit of which there are at least two."""
    for unit, size in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:,.0f} {unit}"
    return f"{seconds:,.0f} seconds"
