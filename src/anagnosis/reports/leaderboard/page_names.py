"""The files of a board's pages, named after what they show: readable where a name allows it, and never the same twice.

    systems/gpt-4-with-medrag-1f0c9a2b.html      of the folder `gpt4_medrag32` …
    boards/biomrc-lite-test-names-5e1d0c77.html

A name keeps its letters of ASCII and digits; a digest of all of it keeps names apart that differ in anything else, such
as case on disks that ignore it. Nothing of a name can lead out of the folder or stand for a device.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata

LONGEST = 48  # characters of the readable part
DIGITS = 8

INDEX = "index.html"
SYSTEMS, BOARDS = "systems", "boards"


def system_page(submission: str) -> str:
    """The page of a submission, by the name of its folder; relative to the site."""
    return f"{SYSTEMS}/{page_name(submission)}.html"


def part_page(dataset: str, split: str, view: str) -> str:
    """The page of a dataset, split and view; relative to the site."""
    return f"{BOARDS}/{page_name(dataset, split, view)}.html"


def page_name(*names: str) -> str:
    """A file's name without its ending for several names together."""
    spelled = unicodedata.normalize("NFKD", "-".join(filter(None, names))).encode("ascii", "ignore").decode()
    readable = re.sub(r"[^a-z0-9]+", "-", spelled.lower())[:LONGEST].strip("-")
    each = b"".join(b"%d:%b," % (len(data), data) for data in (_bytes(name) for name in names))
    return f"{readable or 'page'}-{hashlib.sha256(each).hexdigest()[:DIGITS]}"


def _bytes(name: str) -> bytes:
    """A name of a file may hold bytes that are not UTF-8, as lone surrogates."""
    return name.encode("utf-8", "surrogatepass")
