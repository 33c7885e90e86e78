"""Bring vectors up to date with an engine: drop those of passages that are gone or changed, encode what has none.

The engine commits first and knows nothing of vectors. So a kill between the two leaves passages without vectors, which
the next run encodes, and vectors without passages, which `Dense` leaves out until then: each is known by its document's
mark. Every BLOCK passages are committed, with whole documents.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from anagnosis.encoders.kept_folder import demand_room, short_name, size_in_words
from anagnosis.errors import InputError
from anagnosis.progress import Progress, tell
from anagnosis.searching.engines import Engine
from anagnosis.searching.records.passage import Passage
from anagnosis.searching.vectors import compact
from anagnosis.searching.vectors.encoding import SentenceEncoder
from anagnosis.searching.vectors.layout import ROW, STATE, State, key_of
from anagnosis.searching.vectors.reading import state_of
from anagnosis.searching.vectors.writing import Writer, create, writing

BLOCK = 2_048  # passages
_WORTH_SAYING = 5.0  # seconds of encoding
_MEASURED = 128  # passages; fewer are encoded before their time is told


@dataclass(frozen=True, slots=True)
class Encoded:
    """What was done: passages encoded, documents dropped, texts that were longer than is read; and what is there."""

    encoder: str
    passages: int
    encoded: int
    dropped: int
    cut: int


def text_of(passage: Passage) -> str:
    """What is read of a passage: its title, its heading and itself."""
    told = (passage.title, passage.heading, passage.text)
    return passage.text if passage.section == "title" else " ".join(one for one in told if one)


def update(folder: Path, engine: Engine, encoder: SentenceEncoder) -> Encoded:
    """Make the vectors those of the engine's last commit.

    Refused (InputError): another encoder than the vectors were made by, two writers at once, a disk without room.
    """
    if (folder / STATE).exists():
        same_encoder(state_of(folder), encoder)
    else:
        create(folder, State(encoder.name, encoder.digest, encoder.width, encoder.limit))
    with writing(folder) as writer:
        version = engine.version()
        marks = {ident: key_of(mark) for ident, mark in engine.marks()}
        stale = [ident for ident, (_, mark) in writer.there.items() if marks.get(ident) != mark]
        for ident in stale:
            writer.drop(ident)
        missing = [ident for ident in marks if ident not in writer.there]
        left = engine.count().passages - writer.state.live
        demand_room(
            folder, left * (writer.state.width + 8 * compact.words(writer.state.width) + ROW.itemsize)
        )
        encoded = _encode(writer, engine, encoder, missing, left)
        writer.commit(version)
        writer.tidy()
        return Encoded(encoder.name, writer.state.live, encoded, len(stale), encoder.cut)


def same_encoder(state: State, encoder: SentenceEncoder) -> None:
    """Refuse one that would make other vectors."""
    if (state.digest, state.longest) != (encoder.digest, encoder.limit):
        raise InputError(
            f"the encoder {encoder.name} is another one than made the vectors ({state.encoder})",
            "--encoder",
            "put the old one back, or drop the vectors with --no-encoder first",
        )


def _encode(writer: Writer, engine: Engine, encoder: SentenceEncoder, idents: list[str], left: int) -> int:
    done = 0
    with Progress("vectors", max(left, 0), "passages") as progress:
        for documents in _blocks(engine, idents):
            passages = [passage for _, own in documents for passage in own]
            pieces = encoder.pieces([text_of(passage) for passage in passages])
            if not done and left > _MEASURED:
                _tell_how_long(encoder, pieces, left)
            found = np.zeros((len(passages), encoder.width), np.float32)
            for numbers, vectors in encoder.batches(pieces):
                found[numbers] = vectors
                progress.advance(len(numbers))
            at = 0
            for mark, own in documents:
                writer.add(mark, own, found[at : at + len(own)])
                at += len(own)
            writer.commit()
            done += len(passages)
    return done


def _blocks(engine: Engine, idents: list[str]) -> Iterator[list[tuple[str, list[Passage]]]]:
    """(mark, passages) of documents that are still there, in blocks of at least BLOCK passages."""
    block: list[tuple[str, list[Passage]]] = []
    waiting = 0
    for ident in idents:
        mark, own = engine.mark(ident), engine.document(ident)
        if mark is None or not own:
            continue
        block.append((mark, own))
        waiting += len(own)
        if waiting >= BLOCK:
            yield block
            block, waiting = [], 0
    if block:
        yield block


def _tell_how_long(encoder: SentenceEncoder, pieces: list[list[int]], left: int) -> None:
    mean = sum(map(len, pieces)) / len(pieces)
    rate = encoder.rate(pieces) / mean
    if left / rate > _WORTH_SAYING:
        size = size_in_words(left * (encoder.width + 8 * compact.words(encoder.width) + ROW.itemsize))
        tell(
            f"vectors of {left:,} passages by {short_name(encoder.name)}: about {said_time(left / rate)} on this "
            f"machine ({rate:,.0f} passages/s, {mean:.0f} pieces each), {size}; it can be interrupted and goes on"
        )


def said_time(seconds: float) -> str:
    """In the largest unit of which there are two."""
    for unit, size in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:,.0f} {unit}"
    return f"{seconds:,.0f} seconds"
