"""Recognise the releases that readers are made from, by the content of the files in a folder."""

from __future__ import annotations

import gzip
import tarfile
import zlib
from pathlib import Path

PUBMEDQA, SCIFACT, BIOASQ = "PubMedQA", "SciFact", "BioASQ"
_HEAD = 1 << 16  # bytes of a file to look at
_MEMBERS = 64  # of an archive
# The release → a text in the first bytes of its file, or of a file of its archive.
_SIGNS = {
    PUBMEDQA: (b'"LONG_ANSWER"', b'"final_decision"'),
    SCIFACT: (b'"claim"', b'"cited_doc_ids"'),
    BIOASQ: (b'"questions"', b'"snippets"'),
}


def releases(folder: Path) -> dict[str, list[Path]]:
    """Release → its files in a folder, sorted by name. Files that cannot be read belong to none."""
    found: dict[str, list[Path]] = {}
    for path in sorted(folder.iterdir()):
        if path.is_file() and (release := _release(path)):
            found.setdefault(release, []).append(path)
    return found


def _release(path: Path) -> str:
    try:
        heads = _heads(path)
    except (OSError, EOFError, tarfile.TarError, zlib.error):
        return ""
    for head in heads:
        for release, signs in _SIGNS.items():
            if all(sign in head for sign in signs):
                return release
    return ""


def _heads(path: Path) -> list[bytes]:
    """The first bytes of a file, or of each of the first files of an archive."""
    if path.name.endswith((".tar.gz", ".tgz", ".tar")):
        heads: list[bytes] = []
        with tarfile.open(path, "r:*") as archive:
            for _, member in zip(range(_MEMBERS), archive, strict=False):
                if member.isfile() and (opened := archive.extractfile(member)) is not None:
                    heads.append(opened.read(_HEAD))
        return heads
    if path.suffix == ".gz":
        with gzip.open(path) as opened:
            return [opened.read(_HEAD)]
    with path.open("rb") as opened:
        return [opened.read(_HEAD)]
