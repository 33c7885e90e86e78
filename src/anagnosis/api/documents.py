"""Verbs over documents: read, write, convert."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, Unpack

from anagnosis.api import shared
from anagnosis.api.options import Option
from anagnosis.errors import InputError, unknown_name
from anagnosis.io.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.documents.document import Document
    from anagnosis.documents.reading import ReadingOptions
    from anagnosis.documents.repairs import InputPlace, Repairs


def read(
    path: PathLike,
    *,
    format: shared.Format = None,
    repairs: Repairs | None = None,
    full_text: shared.FullText = False,
    references: shared.References = False,
    accept_truncated: shared.AcceptTruncated = False,
) -> Iterator[Document]:
    """The documents of a file, or of an archive's members, streamed.

    repairs: gets what was repaired and refused, by name. An input that breaks off gives the documents before the break,
    then raises TruncatedError, unless accept_truncated is given.
    """
    from anagnosis.documents.reading import documents
    from anagnosis.documents.repairs import Repairs as NewRepairs

    repairs = NewRepairs() if repairs is None else repairs
    yield from documents(
        path,
        repairs,
        format=format,
        full_text=full_text,
        references=references,
        accept_truncated=accept_truncated,
    )


def read_each(
    paths: Sequence[PathLike],
    repairs: Repairs,
    *,
    workers: int | None = 1,
    **options: Unpack[ReadingOptions],
) -> Iterator[Document]:
    """The documents of files and folders, one after the other; as `read`. workers: processes that read PDF files."""
    from anagnosis.documents.formats.pdf.reading import reading_ahead
    from anagnosis.documents.reading import documents as documents_of
    from anagnosis.documents.reading import inputs

    named = set(map(Path, paths))
    for name, path in reading_ahead(inputs(paths, repairs), lambda one: [one[1]], workers):
        options["name"], options["in_folder"] = name, path not in named
        yield from documents_of(path, repairs, **options)


def write(
    documents: Iterable[Document],
    path: PathLike,
    *,
    format: str | None = None,
    replace: shared.Replace = False,
) -> dict[str, int]:
    """Write documents, atomically, compressed as the name's ending says; gives what the format could not hold.

    format: by default that of the name's ending, else PubTator.
    """
    return written_documents(documents, path, format, (), replace=replace).losses


class Written(NamedTuple):
    """Documents written; what the format could not hold, by name; whether a file was replaced."""

    documents: int
    losses: dict[str, int]
    replaced: bool


def written_documents(
    documents: Iterable[Document],
    path: PathLike,
    format: str | None,
    inputs: Sequence[PathLike],
    *,
    replace: bool,
    label: str = "",
    repairs: Repairs | None = None,
) -> Written:
    """Write documents. path: "-" is standard output. label: of the progress. repairs: refuse an input without any."""
    from anagnosis.documents.formats.detect import format_module, written, written_as
    from anagnosis.documents.repairs import nothing_read
    from anagnosis.io import outputs
    from anagnosis.io.files import STANDARD_INPUT, open_output
    from anagnosis.progress import Progress

    format = format or written_as(path)
    try:
        module = format_module(format)
    except InputError as fault:
        raise unknown_name("format", format, written(), "--to") from fault
    if not hasattr(module, "write"):
        raise InputError(f"{format} can be read, not written", "--to", f"write one of {', '.join(written())}")
    number, is_there = 0, False
    if str(path) != STANDARD_INPUT:
        is_there = outputs.output_file(path, inputs=inputs, replace=replace).exists()

    def counted() -> Iterator[Document]:
        nonlocal number
        with Progress(label) as progress:
            for document in documents:
                yield document
                number += 1
                progress.advance()
        if not number and repairs is not None:
            raise nothing_read(repairs)

    with open_output(path) as stream:
        losses = module.write(counted() if label else documents, stream)
    return Written(number, losses, is_there)


@dataclass(frozen=True, slots=True)
class Converted:
    """What `convert` did: documents written and refused, repairs and losses by name.

    refusals: the first hundred of the refused; left_out: of anything else that was left out.
    replaced: whether a file was there.
    """

    documents: int
    refused: int
    refusals: list[InputPlace]
    left_out: list[InputPlace]
    repairs: dict[str, int]
    losses: dict[str, int]
    replaced: bool = False


def convert(
    paths: shared.Documents,
    out: Annotated[PathLike, Option("The file to write; .gz and .zst compress.", flag="--out")],
    *,
    to: Annotated[
        str | None, Option("pubtator or jsonl (default: by the ending of --out, else pubtator).")
    ] = None,
    format: shared.Format = None,
    full_text: shared.FullText = False,
    references: shared.References = False,
    accept_truncated: shared.AcceptTruncated = False,
    workers: shared.PdfWorkers = None,
    replace: shared.Replace = False,
) -> Converted:
    """Read documents in any format and write them in another; count repairs and losses.
    \f
    Nothing is written where an input breaks off, or where there is no document to write.
    """
    from anagnosis.documents.repairs import Repairs as NewRepairs

    repairs = NewRepairs()
    documents = read_each(
        paths,
        repairs,
        format=format,
        full_text=full_text,
        references=references,
        accept_truncated=accept_truncated,
        workers=workers,
    )
    done = written_documents(documents, out, to, paths, replace=replace, label="convert", repairs=repairs)
    counts = dict(sorted(repairs.counts.items()))
    return Converted(done.documents, repairs.refused, *repairs.places(), counts, done.losses, done.replaced)
