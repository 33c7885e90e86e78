"""The terms of a user's files, in any format of `TERM_FORMATS`, or of stored vocabularies."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType

from anagnosis.entities.concepts import NAME_RULES
from anagnosis.entities.formats import TERM_FORMATS
from anagnosis.entities.term import Synonym, Term
from anagnosis.entities.vocabulary import HEAD, Vocabulary, is_stored
from anagnosis.errors import InputError
from anagnosis.io.files import display_name, open_input
from anagnosis.io.input_files import input_files
from anagnosis.io.paths import PathLike
from anagnosis.registry import find


def format_module(name: str) -> ModuleType:
    """The module of a vocabulary's format, by its name."""
    return find(TERM_FORMATS, name, "vocabulary format")


def detect(stream: io.BufferedReader, file: str) -> str:
    """The name of the format that recognises the stream's first bytes, which stay unread."""
    head = stream.peek(1 << 16)
    if not head.strip():
        raise InputError("the file is empty", file, "check how it was made")
    for name in TERM_FORMATS:
        if format_module(name).sniff(head):
            return name
    raise InputError(
        "no vocabulary format recognises its first bytes",
        f"{file}:1",
        f"give one of {', '.join(TERM_FORMATS)}; a table needs tabs and a header with id and name",
    )


def term_files(paths: Sequence[PathLike]) -> list[tuple[str, Path]]:
    """(name, path) of each file of terms, folders opened; InputError as of `input_files`."""
    endings = tuple(suffix for name in TERM_FORMATS for suffix in format_module(name).SUFFIXES)
    return input_files(paths, endings)


def terms(paths: Sequence[PathLike], counts: Counter[str], without: Sequence[str] = ()) -> Iterator[Term]:
    """The terms of files and folders, file by file. counts: gets what the formats leave out, by name.

    A stored vocabulary gives its concepts as terms, and adds what was left out when it was stored. without: rules of
    names that the caller does not apply. InputError: a vocabulary was stored with one of them.
    """
    for name, path in term_files(paths):
        with open_input(path) as stream:
            if is_stored(stream.peek(HEAD)[:HEAD]):
                yield from _stored(path, counts, without)
            else:
                yield from format_module(detect(stream, name)).read(stream, counts, name)


def _stored(path: Path, counts: Counter[str], without: Sequence[str]) -> Iterator[Term]:
    with Vocabulary(path) as vocabulary:
        applied = [rule for rule in without if rule in NAME_RULES and rule not in vocabulary.origin.without]
        if applied:
            raise InputError(
                f"{applied[0]} was applied when {display_name(path)} was stored",
                "--without",
                f"store it again with `anagnosis terms FILES --out NAME --without {applied[0]}`",
            )
        counts.update(vocabulary.origin.left_out)
        for concept in vocabulary.concepts():
            synonyms = tuple(Synonym(name) for name in concept.names if name != concept.name)
            yield Term(
                concept.identifier,
                concept.name,
                synonyms,
                concept.types,
                alternatives=concept.alternatives,
                tree_numbers=concept.tree_numbers,
            )
