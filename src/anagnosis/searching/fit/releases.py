"""Recognise the releases that readers are made from, by the content of the files in a folder."""

from __future__ import annotations

import gzip
import re
import tarfile
import zlib
from pathlib import Path

PUBMEDQA, SCIFACT, SCIFACT_ABSTRACTS, BIOASQ = "PubMedQA", "SciFact", "SciFact's abstracts", "BioASQ"
_HEAD = 1 << 16  # bytes of a file to look at
_MEMBERS = 64  # of an archive
# The release → texts in the first bytes of its file, or of a file of its archive; of several releases the first counts.
# PubMedQA's artificial questions (PQA-A) lack the predictions of people, BioASQ's test sets the answers.
_SIGNS = {
    PUBMEDQA: (rb'"LONG_ANSWER"', rb'"final_decision"', rb'"reasoning_required_pred"'),
    SCIFACT: (rb'"claim"', rb'"cited_doc_ids"'),
    SCIFACT_ABSTRACTS: (rb'"doc_id"', rb'"abstract"', rb'"structured"'),
    BIOASQ: (rb'"questions"', rb'"snippets"', rb'"(?:exact|ideal)_answer"'),
}
_ONE_FILE = (PUBMEDQA,)  # releases of one file: the first counts


def releases(folder: Path) -> dict[str, list[Path]]:
    """Release → its files in a folder, sorted by name. Files that cannot be read belong to none."""
    found: dict[str, list[Path]] = {}
    for path in sorted(folder.iterdir()):
        release = _release(path) if path.is_file() else ""
        if release and not (release in _ONE_FILE and release in found):
            found.setdefault(release, []).append(path)
    return found


def _release(path: Path) -> str:
    try:
        heads = _heads(path)
    except (OSError, EOFError, tarfile.TarError, zlib.error):
        return ""
    for release, signs in _SIGNS.items():
        if any(all(re.search(sign, head) for sign in signs) for head in heads):
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
