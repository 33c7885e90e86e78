"""Bring vectors up to date with an engine: drop those of deleted or changed papers, encode passages without vectors.

The engine commits first and knows nothing of vectors. So a kill between the two leaves passages without vectors, which
the next run encodes, and outdated vectors, which `Dense` recognises by their paper's digest and leaves out. Every
SECONDS the vectors that there are, of complete papers, are written.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np

from anagnosis.array_types import AnyArray, Floats32
from anagnosis.errors import InputError
from anagnosis.io.files import atomic_write
from anagnosis.progress import Progress
from anagnosis.searching.engines import Engine
from anagnosis.searching.papers.joined import shown
from anagnosis.searching.papers.records import StoredPaper
from anagnosis.searching.passages import SECTIONS
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.vectors.encoding import SentenceEncoder
from anagnosis.searching.vectors.stored import Vectors, VectorsHeader

BLOCK = 512  # passages to encode together
SECONDS = 120  # between two times of writing
_PAPERS = 64  # to read together


class VectorUpdate(msgspec.Struct, frozen=True):
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
        self._parts: list[tuple[AnyArray, ...]] = []  # counts, scales, sections, numbers

    def take(self, before: Vectors, digests: dict[str, int]) -> int:
        """Begin with the papers of a file that have these digests; returns the number of the others."""
        there = dict(zip(before.header.papers, before.digests.tolist(), strict=True))
        stay = np.array([digests.get(name) == digest for name, digest in there.items()], np.bool_)
        self.digests = {name: there[name] for name, stays in zip(there, stay, strict=True) if stays}
        rows = stay[before.paper_of]
        numbers = before.numbers if rows.all() else before.numbers[rows]
        self._keep(before.counts[stay], before.scales[rows], before.sections[rows], numbers)
        return len(there) - len(self.digests)

    def add(self, name: str, digest: int, passages: Sequence[Passage], vectors: Floats32) -> None:
        """Add the vectors of a complete paper that is not there. vectors: float32 [passages, width]."""
        scales = np.abs(vectors).max(axis=1, initial=0) / 127
        numbers = np.rint(vectors / np.where(scales, scales, 1)[:, None]).astype(np.int8)
        sections = np.array([SECTIONS.index(one.section) for one in passages], np.uint8)
        self._keep(np.array([len(passages)], np.uint32), scales.astype(np.float32), sections, numbers)
        self.digests[name] = digest

    def _keep(self, *parts: AnyArray) -> None:
        self._parts.append(parts)
        self.count += len(parts[-1])

    def save(self, path: Path, version: str = "") -> None:
        """Replace the file. version: of the engine's commit, once all of it is here."""
        header = msgspec.structs.replace(self._header, version=version, papers=[*self.digests])
        of_none = np.zeros(0, np.uint32), np.zeros(0, np.float32), np.zeros(0, np.uint8)
        none = *of_none, np.zeros((0, header.width), np.int8)
        counts, scales, sections, numbers = map(np.concatenate, zip(none, *self._parts, strict=True))
        with atomic_write(path) as stream:
            np.savez(
                stream,
                header=np.frombuffer(msgspec.json.encode(header), np.uint8),
                digests=np.array([*self.digests.values()], np.uint64),
                counts=counts,
                scales=scales,
                sections=sections,
                numbers=numbers,
            )


def update(path: Path, engine: Engine, encoder: SentenceEncoder) -> VectorUpdate:
    """Make the vectors agree with the engine's last commit.

    InputError: another encoder made the vectors.
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
    missing = [name for name in digests if name not in growing.digests]
    begun, saved = growing.count, time.monotonic()
    with Progress("vectors", max(counts.passages - begun, 0), "passages") as progress:
        for papers in _blocks(engine, missing):
            every = [text_of(passage) for _, own in papers for passage in own]
            ends = np.cumsum([len(own) for _, own in papers])
            vectors = np.split(encoder.vectors(every), ends[:-1])
            for (stored, own), some in zip(papers, vectors, strict=True):
                growing.add(stored.name, stored.digest, own, some)
            progress.advance(len(every))
            if time.monotonic() - saved > SECONDS:
                growing.save(path)
                saved = time.monotonic()
    growing.save(path, version)
    return VectorUpdate(encoder.name, growing.count, growing.count - begun, dropped, encoder.cut)


def same_encoder(header: VectorsHeader, encoder: SentenceEncoder) -> None:
    """InputError: the encoder would make other vectors than those of this file."""
    if (header.digest, header.longest) != (encoder.digest, encoder.limit):
        raise InputError(
            f"the encoder {encoder.name} did not make these vectors ({header.encoder} did)",
            "--encoder",
            "put the old one back, or drop the vectors with --no-encoder first",
        )


def text_of(passage: Passage) -> str:
    """The text to encode for a passage: title, heading and text."""
    texts = (passage.title, passage.heading, passage.text)
    return passage.text if passage.section == "title" else " ".join(one for one in texts if one)


def _blocks(engine: Engine, names: list[str]) -> Iterator[list[tuple[StoredPaper, list[Passage]]]]:
    """Papers that still exist with their passages, in blocks of at least BLOCK passages."""
    block: list[tuple[StoredPaper, list[Passage]]] = []
    for some in (names[begin : begin + _PAPERS] for begin in range(0, len(names), _PAPERS)):
        there = (stored for stored in engine.papers(some) if stored is not None)
        block += [(stored, shown(stored).passages) for stored in there]
        if sum(len(own) for _, own in block) >= BLOCK:
            yield block
            block = []
    if block:
        yield block
