"""The vocabulary whose names a builder adds to answers.

It is used where it lies if it is stored; other files of terms are stored in the work folder first. Each worker opens
it, and look-ups read it from disk.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import msgspec

from anagnosis.entities.concepts import concepts
from anagnosis.entities.vocabulary import (
    Origin,
    TermSource,
    Vocabulary,
    is_stored,
    source_of_terms,
    store,
    term_files,
    terms,
)
from anagnosis.errors import InputError
from anagnosis.io.files import STANDARD_INPUT
from anagnosis.io.paths import PathLike

KEPT = ("suppressed_name",)  # rules of names that do not apply: an answer may be any name of a concept


class Synonyms(msgspec.Struct, frozen=True):
    """A vocabulary for workers. path: of the stored file. name: of its source, without endings."""

    path: str
    name: str


def term_sources(paths: Sequence[PathLike]) -> list[TermSource]:
    """The files of terms with their SHA-256, in their order. InputError: one is standard input, or can't be read."""
    if any(str(path) == STANDARD_INPUT for path in paths):
        raise InputError("can't be read twice", "--terms -", "save it and name the file")
    return [source_of_terms(*file) for file in term_files(paths)] if paths else []


def prepared_terms(paths: Sequence[PathLike], read: Sequence[TermSource], work: Path) -> Synonyms | None:
    """The vocabulary of the files, stored below `work` unless they are one stored vocabulary; None of no files."""
    if not paths:
        return None
    files = term_files(paths)
    name = " and ".join(source.name.partition(".")[0] for source in read)
    if len(files) == 1 and is_stored(files[0][1]):
        return Synonyms(str(Path(files[0][1]).resolve()), name)
    path, counts = work / "vocabulary.terms", Counter[str]()
    listed = list(concepts(terms(paths, counts), counts, KEPT))
    store(listed, path, Origin(tuple((each.name, each.sha256) for each in read), KEPT))
    return Synonyms(str(path), name)


@lru_cache(maxsize=1)
def opened_vocabulary(path: str) -> Vocabulary:
    """The stored vocabulary, opened once by each process."""
    return Vocabulary(path)
