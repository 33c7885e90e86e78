r"""The paths of attached files as libraries state them. Nothing is opened here.

    papers/a.pdf, ../a.pdf             relative to the library's folder, which it must not leave
    /home/ana/a.pdf, C:\papers\a.pdf   absolute; file:///C:/papers/a.pdf is one as well
    internal-pdf://0123/a.pdf          EndNote's: library.Data/PDF/0123/a.pdf beside library.xml

BibTeX's field `file` has several, with ";" between them and ":" between their parts, behind a backslash where they are
of a name:

    Full Text:files/12/a.pdf:application/pdf         Better BibTeX and Zotero; others have papers/a.pdf alone
    :home/ana/a.pdf:pdf;:C$\backslash$:/a.pdf:pdf    Mendeley: /home/ana/a.pdf and C:/a.pdf; JabRef is like it
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from urllib.parse import unquote

from anagnosis.documents.io.xml_stream import NOT_XML
from anagnosis.documents.repairs import Repairs
from anagnosis.io.compression import without_compression

PDF = ".pdf"
_ADDRESS = re.compile(r"(?i)(?:https?|ftp)://|www\.")
_FILE = re.compile(r"(?i)file:(?://(?:localhost)?(?=/))?(?:/(?=[A-Za-z]:))?")
_INTERNAL = "internal-pdf://"
_ESCAPED = re.compile(r"\\([\\:;{}])")
_MENDELEY = re.compile(r"(?:home|media|mnt|private|root|Users|Volumes)/")
_IN_FIELD = re.compile(r"((?:\\[\\:;{}]|[^:;])*)([:;]|\Z)")
_DRIVE = re.compile(r"[A-Za-z]")
_PDF_TYPES = ("pdf", "application/pdf")


def attached(
    stated: Iterable[tuple[str, str]], folder: Path, name: str, repairs: Repairs, where: str
) -> tuple[str, ...]:
    """The paths of PDF files among (path, type or "") as a record states them, each once.

    folder: of the library. name: of its file. Counted: attachment_not_pdf, path_outside_library.
    """
    paths: list[str] = []
    for given, kind in stated:
        path = given.strip()
        if _ADDRESS.match(path):
            continue
        if is_file_address := _FILE.match(path):
            path = unquote(path[is_file_address.end() :])
        if path.lower().startswith(_INTERNAL):
            data = PurePath(without_compression(name)).stem + ".Data"
            path = f"{data}/PDF/{unquote(path[len(_INTERNAL) :])}"
        windows = PureWindowsPath(path)
        if kind.lower() not in _PDF_TYPES and not path.lower().endswith(PDF):
            repairs.count("attachment_not_pdf", bool(path))
        elif NOT_XML.search(path):
            outside_library(path, repairs, where)
        elif PurePosixPath(path).is_absolute() or windows.is_absolute():
            paths.append(path)
        elif ".." in windows.parts or windows.anchor:
            outside_library(path, repairs, where)
        else:
            paths.append(str(folder.joinpath(*windows.parts)))
    return tuple(dict.fromkeys(paths))


def outside_library(path: str, repairs: Repairs, where: str) -> None:
    """Count and note a path that leads out of its folder."""
    repairs.count("path_outside_library")
    repairs.note(where, f"the path {path[:100]!r} of an attached file leads out of its folder, left out")


def files_of_field(field: str) -> Iterator[tuple[str, str]]:
    """(path, type or "") of each file in BibTeX's field `file`."""
    parts: list[str] = []
    for match in _IN_FIELD.finditer(field.replace("$\\backslash$", "\\")):
        parts.append(match[1].strip())
        if match[2] == ":":
            continue
        path, kind = ":".join(parts), ""
        if len(parts) > 2:  # title, path, type
            # A drive's colon may stand without a backslash: ":C:/papers/a.pdf:PDF".
            at = -3 if len(parts) > 3 and _DRIVE.fullmatch(parts[-3]) else -2
            path, kind = ":".join(parts[at:-1]), parts[-1]
            if not parts[0] and _MENDELEY.match(path):
                path = f"/{path}"
        if any(parts):
            yield _ESCAPED.sub(r"\1", path), kind
        parts = []
