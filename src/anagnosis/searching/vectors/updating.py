"""Bring vectors up to date with an engine: drop those of deleted or changed documents, encode passages without vectors.

The engine commits first and knows nothing of vectors. So a kill between the two commits leaves passages without
vectors, which the next run encodes, and outdated vectors, which `Dense` recognises by their document's mark and leaves
out. We commit every BLOCK passages, with complete documents.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from anagnosis.encoders.kept_folder import demand_room, short_name, size_in_words
from anagnosis.errors import InputError
from anagnosis.progress import Progress, print_note
from anagnosis.searching.engines import Engine, stored_mark, stored_passages
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.vectors.encoding import SentenceEncoder
from anagnosis.searching.vectors.layout import STATE, VectorsState, key_of, row_type
from anagnosis.searching.vectors.reading import state_of
from anagnosis.searching.vectors.writing import Writer, create, writing

BLOCK = 2_048  # passages
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


def text_of(passage: Passage) -> str:
    """The text to encode for a passage: title, heading and text."""
    texts = (passage.title, passage.heading, passage.text)
    return passage.text if passage.section == "title" else " ".join(one for one in texts if one)


def update(folder: Path, engine: Engine, encoder: SentenceEncoder) -> VectorUpdate:
    """Make the vectors agree with the engine's last commit.

    InputError: another encoder made the vectors, another process writes, or the disk has no room.
    """
    if (folder / STATE).exists():
        same_encoder(state_of(folder), encoder)
    else:
        create(folder, VectorsState(encoder.name, encoder.digest, encoder.width, encoder.limit))
    with writing(folder) as writer:
        version = engine.committed().version
        marks = {one.document: key_of(one.mark) for one in engine.marks()}
        stale = {ident for ident, mark in writer.there.items() if marks.get(ident) != mark}
        left = engine.committed().counts.passages - writer.state.rows
        size = _bytes_of(encoder.width)
        demand_room(folder, left * size + bool(stale) * writer.state.rows * size)
        if stale:
            writer.leave_out(stale)
            left = engine.committed().counts.passages - writer.state.rows
        missing = [ident for ident in marks if ident not in writer.there]
        encoded = _encode(writer, engine, encoder, missing, left)
        writer.commit(version)
        return VectorUpdate(encoder.name, writer.state.rows, encoded, len(stale), encoder.cut)


def same_encoder(state: VectorsState, encoder: SentenceEncoder) -> None:
    """InputError: the encoder would make other vectors than those of this state."""
    if (state.digest, state.longest) != (encoder.digest, encoder.limit):
        raise InputError(
            f"the encoder {encoder.name} did not make these vectors ({state.encoder} did)",
            "--encoder",
            "put the old one back, or drop the vectors with --no-encoder first",
        )


def _encode(writer: Writer, engine: Engine, encoder: SentenceEncoder, idents: list[str], left: int) -> int:
    done = 0
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
                writer.add(mark, its_passages, matrix[at : at + len(its_passages)])
                at += len(its_passages)
            writer.commit()
            done += len(passages)
    return done


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
        size = size_in_words(left * _bytes_of(encoder.width))
        duration = duration_in_words(left / rate)
        print_note(
            f"vectors of {left:,} passages by {short_name(encoder.name)}: about {duration} on this machine "
            f"({rate:,.0f} passages/s, {mean:.0f} pieces each), {size}; if interrupted, the same command continues"
        )


def _bytes_of(width: int) -> int:
    """Bytes of a vector of so many numbers."""
    return width + row_type(width).itemsize


def duration_in_words(seconds: float) -> str:
    """A duration in the largest unit of which there are at least two."""
    for unit, size in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:,.0f} {unit}"
    return f"{seconds:,.0f} seconds"
