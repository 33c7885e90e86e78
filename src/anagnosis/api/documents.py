"""Verbs over documents: read, write, convert, generate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from anagnosis.errors import InputError

if TYPE_CHECKING:
    from anagnosis.documents.document import Document
    from anagnosis.documents.repairs import Repairs

PathLike = str | Path


def read(
    path: PathLike,
    *,
    format: str | None = None,
    encoding: str | None = None,
    repairs: Repairs | None = None,
    whole: bool = False,
) -> Iterator[Document]:
    """The documents of a file, of an archive's members, or of a CORD-19 release (its folder or archive), streamed.

    repairs: gets what was mended and refused, by name. whole: with their full texts, where the format's plain reader
    leaves those out (JATS).
    """
    from anagnosis.documents.reading import documents
    from anagnosis.documents.repairs import Repairs as NewRepairs

    repairs = NewRepairs() if repairs is None else repairs
    yield from documents(path, repairs, format=format, encoding=encoding, whole=whole)


def write(documents: Iterable[Document], path: PathLike, *, format: str = "pubtator") -> dict[str, int]:
    """Write documents, atomically, compressed as the name's ending says; gives what the format could not hold."""
    from anagnosis.documents.detect import format_module
    from anagnosis.files import open_output

    module = format_module(format)
    if not hasattr(module, "write"):
        raise InputError(f"{format} can be read, not written", "--to", "write pubtator")
    with open_output(path) as stream:
        return module.write(documents, stream)


@dataclass(frozen=True, slots=True)
class Converted:
    """What `convert` did: documents written and refused, repairs and losses by name.

    refusals: the first hundred (where, why).
    """

    documents: int
    refused: int
    refusals: list[tuple[str, str]]
    repairs: dict[str, int]
    losses: dict[str, int]


def convert(
    paths: Sequence[PathLike],
    out: PathLike,
    *,
    to: str = "pubtator",
    format: str | None = None,
    encoding: str | None = None,
    whole: bool = False,
) -> Converted:
    """Read documents in any format and write them in another. whole: as of `read`."""
    from anagnosis.documents.reading import inputs
    from anagnosis.documents.repairs import Repairs as NewRepairs
    from anagnosis.progress import Progress

    repairs, written = NewRepairs(), 0

    def documents() -> Iterator[Document]:
        nonlocal written
        with Progress("convert") as progress:
            for _, path in inputs(paths):
                for document in read(path, format=format, encoding=encoding, repairs=repairs, whole=whole):
                    yield document
                    written += 1
                    progress.advance()

    losses = write(documents(), out, format=to)
    return Converted(written, repairs.refused, repairs.refusals, dict(sorted(repairs.counts.items())), losses)


def generate(documents: int, out: PathLike, *, seed: int = 0) -> int:
    """Write synthetic PubTator documents with a regularity that a reader can learn; gives their number."""
    from anagnosis.corpus import synthetic

    write(synthetic.documents(documents, seed), out)
    return documents
