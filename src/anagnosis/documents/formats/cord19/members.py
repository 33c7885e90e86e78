"""The files of a CORD-19 release in a folder, an archive, or document_parses.tar.gz inside either.

A path is relative to the release's root, with "/". Links that lead out of a folder are left out and noted, as those of
archives are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, closing, nullcontext
from itertools import islice
from pathlib import Path
from typing import BinaryIO, NamedTuple

from anagnosis.documents.formats.cord19.table import is_table
from anagnosis.documents.formats.detect import left_out_counter
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError
from anagnosis.io.archives import Opened, looks_packed, open_each, open_inside
from anagnosis.io.compression import without_compression
from anagnosis.io.files import display_name, open_input
from anagnosis.io.paths import PathLike, walk
from anagnosis.showing import masked_line

TABLE = "metadata.csv"
_PARSE = ".json"
_INNER = "document_parses.tar"
_SUFFIXES = (TABLE, _PARSE, _INNER)
# Names of files and folders that only a release has.
_SIGNS = re.compile(
    r"document_parses(?:\.tar(?:\.\w+)?)?|(?:pdf|pmc)_json|cord_19_embeddings.*|(?:[0-9a-f]{40}|PMC\d+\.xml)\.json"
)
# Names of files of a release that are no papers.
_ABOUT = re.compile(r"json_schema\.txt|cord_19_embeddings.*")
_LOOKED_AT = 64
_HEAD = 1 << 12


class Member(NamedTuple):
    """path: from the root. name: for errors. opened: gives the decompressed bytes, valid until the next member."""

    path: str
    name: str
    opened: Callable[[], AbstractContextManager[BinaryIO]]

    @property
    def is_table(self) -> bool:
        return _has_name(self.path, TABLE)


def is_release(path: PathLike) -> bool:
    """Whether the names in a folder or an archive show a release of CORD-19 or a part of one.

    We check only the first 64 members of an archive, so that other archives are not read in vain.
    """
    path = Path(path)
    try:
        if path.is_dir():
            return any(map(_is_sign, path.iterdir()))
        if not path.is_file():
            return False
        with closing(open_each(path, ("",))) as each:
            return any(
                opened.is_member
                and (
                    any(map(_SIGNS.fullmatch, opened.name.split("/")[1:]))
                    or (_has_name(opened.name, TABLE) and is_table(opened.stream.peek(_HEAD)))
                )
                for opened in islice(each, _LOOKED_AT)
            )
    except (InputError, OSError):
        # Reading it raises the error again.
        return False


def is_part(name: str) -> bool:
    """Whether a file of this name in a release belongs to it; another file is a separate input."""
    return without_compression(name).endswith(_SUFFIXES) or _ABOUT.fullmatch(name) is not None


def members(path: PathLike, repairs: Repairs) -> Iterator[Member]:
    """The tables and parses of a release, in the archive's order or by their paths.

    repairs: gets what archives leave out, by name, and archive_link for links that lead out of a folder.
    """
    root = Path(path)
    name = display_name(root)
    if root.is_dir():
        yield from _in_folder(root, name, repairs)
    else:
        for opened in open_each(root, _SUFFIXES, on_left_out=left_out_counter(repairs)):
            yield from _of_archive(opened, name, repairs)


def _has_name(path: str, ending: str) -> bool:
    return without_compression(path).endswith(ending)


def _is_sign(path: Path) -> bool:
    if _has_name(path.name, TABLE) and path.is_file():
        with open_input(path) as stream:
            return is_table(stream.peek(_HEAD))
    return _SIGNS.fullmatch(path.name) is not None


def _in_folder(root: Path, name: str, repairs: Repairs) -> Iterator[Member]:
    real = root.resolve()
    for folder, folders, files in walk(root, follow=False):
        for linked in (folder / name for name in folders if (folder / name).is_symlink()):
            repairs.count("archive_link")
            repairs.note(
                f"{name}/{masked_line(linked.relative_to(root).as_posix())}",
                "a link to a folder, which is not followed",
            )
        for file in files:
            path = folder / file
            relative = masked_line(path.relative_to(root).as_posix())
            where = f"{name}/{relative}"
            if not without_compression(file).endswith(_SUFFIXES):
                continue
            if path.is_symlink() and not path.resolve().is_relative_to(real):
                repairs.count("archive_link")
                repairs.note(where, "a link that leads out of the folder, which is not followed")
            elif _has_name(file, _INNER):
                for opened in open_each(path, _SUFFIXES, name=where, on_left_out=left_out_counter(repairs)):
                    yield from _of_archive(opened, name, repairs)
            else:
                yield Member(relative, where, _opener(path))


def _of_archive(opened: Opened, name: str, repairs: Repairs) -> Generator[Member]:
    if not _has_name(opened.name, _INNER):
        stream: BinaryIO = opened.stream  # pyright: ignore[reportAssignmentType]  (a buffered reader is one)
        yield Member(opened.name.removeprefix(f"{name}/"), opened.name, lambda: nullcontext(stream))
    elif looks_packed(opened.stream.peek(512)):
        for inner in open_inside(opened, _SUFFIXES, on_left_out=left_out_counter(repairs)):
            yield from _of_archive(inner, name, repairs)
    else:
        repairs.refuse(opened.name, "it is called a tar archive and is none")


def _opener(path: Path) -> Callable[[], AbstractContextManager[BinaryIO]]:
    return lambda: open_input(path)  # pyright: ignore[reportReturnType]  (a buffered reader is one)
