"""Where the mentions of a file of papers are from, and the note beside that file that says so.

`annotate` writes NAME.annotation beside NAME.jsonl; `build` takes it into the dataset's receipt. It is JSON:

    {"papers_sha256": "9f2c…", "origin": {"terms": [{"name": "mesh.tsv", "sha256": "5d0c…"}], "without": ["plurals"]}}

A note of other papers, by their SHA-256, does not count.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import msgspec

from anagnosis.entities.vocabulary import HEAD, Vocabulary, is_stored
from anagnosis.io.decoding import json_or_none
from anagnosis.io.files import STANDARD_INPUT, display_name, open_input, sha256, write_json
from anagnosis.io.paths import PathLike

_ENDINGS = re.compile(r"(\.jsonl)?(\.gz|\.zst)?$")


class TermSource(msgspec.Struct, frozen=True, omit_defaults=True):
    """Files of terms or of annotations.

    sha256: of the file's bytes as on disk, of a folder's lines "SHA-256, two blanks, path" in their order, "" of
    standard input. files: how many. format: of annotations, as named. without: rules of names that were not applied
    when a vocabulary was stored.
    """

    name: str
    sha256: str
    files: int = 1
    format: str = ""
    without: tuple[str, ...] = ()


class AnnotationOrigin(msgspec.Struct, frozen=True, omit_defaults=True):
    """What mentions were made of. terms, annotations: sources, in their order; one of both is empty.

    types: semantic types that counted, () for all. without: rules that did not apply. minimum_score: None for none.
    """

    terms: tuple[TermSource, ...] = ()
    annotations: tuple[TermSource, ...] = ()
    types: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    minimum_score: float | None = None


class _Note(msgspec.Struct, frozen=True):
    papers_sha256: str
    origin: AnnotationOrigin


def source_of_terms(name: str, path: Path) -> TermSource:
    """The source that a file of terms, or a stored vocabulary, is. InputError: it cannot be read."""
    if str(path) == STANDARD_INPUT:
        return TermSource(name, "")
    with open_input(path) as stream:
        stored = is_stored(stream.peek(HEAD)[:HEAD])
    if not stored:
        return TermSource(name, sha256(path))
    with Vocabulary(path) as vocabulary:
        return TermSource(name, sha256(path), without=vocabulary.origin.without)


def source_of_annotations(format: str, path: PathLike) -> TermSource:
    """The source that a file or folder of another program's annotations is."""
    if str(path) == STANDARD_INPUT:
        return TermSource(display_name(path), "", format=format)
    root = Path(path)
    if not root.is_dir():
        return TermSource(display_name(path), sha256(root), format=format)
    files = sorted(file for file in root.rglob("*") if file.is_file())
    lines = "".join(f"{sha256(file)}  {file.relative_to(root).as_posix()}\n" for file in files)
    return TermSource(display_name(path), hashlib.sha256(lines.encode()).hexdigest(), len(files), format)


def annotation_note_of(papers: Path) -> Path:
    """The note beside annotated papers: NAME.annotation of NAME.jsonl."""
    return papers.with_name(f"{_ENDINGS.sub('', papers.name)}.annotation")


def write_note(papers: Path, origin: AnnotationOrigin) -> None:
    """Write the note beside these papers."""
    write_json(annotation_note_of(papers), msgspec.to_builtins(_Note(sha256(papers), origin)))


def noted_origin(papers: Path, digest: str) -> AnnotationOrigin | None:
    """The origin in the note beside these papers, whose SHA-256 is `digest`; None without a note of them."""
    note = json_or_none(annotation_note_of(papers), _Note)
    return note.origin if note is not None and note.papers_sha256 == digest else None
