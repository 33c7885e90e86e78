"""The documents of a user's input: a file of any format, or an archive of such files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, TypedDict, Unpack

import msgspec

from anagnosis.documents.document import SENTENCE_OFFSETS, Document
from anagnosis.documents.formats.detect import (
    format_module,
    format_of,
    left_out_counter,
    not_read_counter,
    suffixes,
)
from anagnosis.documents.io.malformed import MalformedError, take_truncated
from anagnosis.documents.repairs import Repairs
from anagnosis.documents.text import unescaped
from anagnosis.errors import TruncatedError
from anagnosis.io.archives import open_each
from anagnosis.io.input_files import input_files
from anagnosis.io.paths import PathLike

Reader = Callable[[BinaryIO, Repairs, str], Iterator[Document]]
WHOLE = ("read_with_references", "read_full_text", "read")
"""Names of a format's readers, the preferred one first: full texts with their reference lists."""


class ReadingOptions(TypedDict, total=False):
    """How an input is read.

    full_text: read full texts too, where the format's plain reader leaves them out (JATS). references: read full texts
    with their reference lists. accept_truncated: count an input that breaks off (truncated_file); otherwise a
    TruncatedError follows everything that could be read. in_folder: nobody named the file, so it is refused and counted
    as a member of an archive where it can't be read at all. name: of the file, in messages.
    """

    format: str | None
    full_text: bool
    references: bool
    accept_truncated: bool
    in_folder: bool
    name: str | None


def documents(path: PathLike, repairs: Repairs, **options: Unpack[ReadingOptions]) -> Iterator[Document]:
    """The documents of a file or of an archive's members, streamed."""
    for _, document in documents_with_formats(path, repairs, **options):
        yield document


def documents_with_formats(
    path: PathLike, repairs: Repairs, **options: Unpack[ReadingOptions]
) -> Iterator[tuple[str, Document]]:
    """(name of its format, document) of each document of an input; as `documents`."""
    format, accept_truncated = options.get("format"), options.get("accept_truncated", False)
    names = WHOLE[0 if options.get("references") else 1 if options.get("full_text") else 2 :]
    try:
        on_left_out = left_out_counter(repairs)
        for opened in open_each(
            path, suffixes(printed=True), name=options.get("name"), on_left_out=on_left_out
        ):
            opened = opened._replace(is_member=opened.is_member or options.get("in_folder", False))
            try:
                if detected := format_of(opened, repairs, format):
                    read = reader_of(detected, names)
                    for document in read(opened.stream, repairs, opened.name):  # pyright: ignore[reportArgumentType]  (a buffered reader is a stream)
                        yield detected, document
            except MalformedError as fault:
                if not opened.is_member:
                    raise
                repairs.refuse_file(fault.where, fault.what)
            except TruncatedError as fault:
                # Behind a member that breaks off the archive goes on.
                if not (accept_truncated and opened.is_member and fault.where.startswith(opened.name)):
                    raise
                take_truncated(fault, repairs, accept=True)
    except TruncatedError as fault:
        take_truncated(fault, repairs, accept=accept_truncated)


def reader_of(format: str, names: Sequence[str]) -> Reader:
    """The first function of these names that the format has (it has at least `read`), then `without_escapes`."""
    module = format_module(format)
    read: Reader = next(getattr(module, name) for name in names if hasattr(module, name))
    return lambda stream, repairs, name: (
        without_escapes(document, repairs) for document in read(stream, repairs, name)
    )


def without_escapes(document: Document, repairs: Repairs) -> Document:
    """The document with markup that was escaped as text decoded in its sections and facts (`text.unescaped`).

    A document with offsets stays as it is, since they count the escapes. Counted, by texts: escaped_markup_decoded,
    escaped_markup_kept.
    """
    texts = [text for section in document.sections for text in (section.title, section.text)]
    escaped = [text for text in (*texts, *document.facts.values()) if "&" in text or "<" in text]
    decoded = {text: plain for text in escaped if (plain := unescaped(text)) != text}
    if not decoded:
        return document
    stays = bool(document.mentions) or SENTENCE_OFFSETS in document.facts
    changed = sum(text in decoded for text in escaped)
    repairs.count("escaped_markup_kept" if stays else "escaped_markup_decoded", changed)
    if stays:
        return document
    sections = tuple(
        msgspec.structs.replace(
            section,
            title=decoded.get(section.title, section.title),
            text=decoded.get(section.text, section.text),
            page_map="" if section.text in decoded else section.page_map,  # which counts the escapes
        )
        for section in document.sections
    )
    facts = {name: decoded.get(fact, fact) for name, fact in document.facts.items()}
    return msgspec.structs.replace(document, sections=sections, facts=facts)


def inputs(
    paths: Sequence[PathLike], repairs: Repairs, endings: Sequence[str] | None = None
) -> list[tuple[str, Path]]:
    """(name, path) of every input, as `input_files` gives them.

    repairs: counts files in folders that are not read. endings: file name endings that count inside a folder (default:
    those of all formats).
    """
    return input_files(
        paths, suffixes(printed=True) if endings is None else endings, not_read_counter(repairs)
    )
