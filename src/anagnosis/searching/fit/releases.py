"""Recognise the releases that readers are made from, by the content of their files."""

from __future__ import annotations

import gzip
import re
import tarfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

PUBMEDQA, SCIFACT, SCIFACT_ABSTRACTS, BIOASQ = "PubMedQA", "SciFact", "SciFact's abstracts", "BioASQ"
# Bytes of a file to look at: the first question of BioASQ's 2B2 has 150,000 before its answer.
_HEAD = 1 << 20
_MEMBERS = 64  # of an archive
# The release → texts in the first bytes of its file, or of a file of its archive; of several releases the first counts.
# PubMedQA's artificial questions (PQA-A) lack the predictions of people, BioASQ's test sets the answers.
_SIGNS = {
    PUBMEDQA: (rb'"LONG_ANSWER"', rb'"final_decision"', rb'"reasoning_required_pred"'),
    SCIFACT: (rb'"claim"', rb'"cited_doc_ids"'),
    SCIFACT_ABSTRACTS: (rb'"doc_id"', rb'"abstract"', rb'"structured"'),
    BIOASQ: (rb'"questions"', rb'"snippets"', rb'"(?:exact|ideal)_answer"'),
}
# Source: the releases' own LICENSE files and pages (design/answers.md).
LICENCES = {
    PUBMEDQA: "MIT",
    SCIFACT: "claims CC BY 4.0",
    SCIFACT_ABSTRACTS: "ODC-By 1.0",
    BIOASQ: "CC BY 2.5",
}
_ONE_FILE = (PUBMEDQA,)  # releases of one file: the first counts


def releases(files: Iterable[Path]) -> dict[str, list[Path]]:
    """Release → its files, in their order. Files that cannot be read belong to none."""
    found: dict[str, list[Path]] = {}
    for path in files:
        release = _release(path)
        if release and not (release in _ONE_FILE and release in found):
            found.setdefault(release, []).append(path)
    return found


def _release(path: Path) -> str:
    try:
        present = {release for head in _heads(path) for release in _releases_of(head)}
    except (OSError, EOFError, tarfile.TarError, zlib.error):
        return ""
    return next((release for release in _SIGNS if release in present), "")


def _releases_of(head: bytes) -> list[str]:
    """The releases whose signs the first bytes of a file have."""
    return [release for release, signs in _SIGNS.items() if all(re.search(sign, head) for sign in signs)]


def _heads(path: Path) -> Iterator[bytes]:
    """The first bytes of a file, or of each of the first files of an archive."""
    if path.name.endswith((".tar.gz", ".tgz", ".tar")):
        with tarfile.open(path, "r:*") as archive:
            for _, member in zip(range(_MEMBERS), archive, strict=False):
                if member.isfile() and (opened := archive.extractfile(member)) is not None:
                    yield opened.read(_HEAD)
    elif path.suffix == ".gz":
        with gzip.open(path) as opened:
            yield opened.read(_HEAD)
    else:
        with path.open("rb") as opened:
            yield opened.read(_HEAD)
