"""A library file read from bytes or text."""

from __future__ import annotations

import io
from pathlib import Path

from anagnosis.documents.libraries import LIBRARIES
from anagnosis.documents.libraries.entry import Entry
from anagnosis.documents.repairs import Repairs
from anagnosis.registry import load

FOLDER = Path("/papers")


def read(kind: str, data: bytes | str, name: str = "lib.x") -> tuple[list[Entry], Repairs]:
    """(the entries, the counts) of a library file in FOLDER."""
    repairs = Repairs()
    stream = io.BytesIO(data.encode() if isinstance(data, str) else data)
    return list(load(LIBRARIES[kind]).entries(stream, repairs, name, FOLDER)), repairs


def facts(kind: str, data: bytes | str) -> dict[str, str]:
    """The facts of a library's only entry, but for its citation key."""
    (entry,), repairs = read(kind, data)
    assert not repairs.refused
    return {name: fact for name, fact in entry.document.facts.items() if name != "citation_key"}
