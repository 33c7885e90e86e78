"""Literature libraries: the records of a reference manager. `LIBRARIES` lists the kinds; each is read by a module here.

What reads files has `sniff(head)`, whether a file that starts with these decompressed bytes is one, and
`entries(stream, repairs, name, folder)`, the entry of each record, in order. folder: of the library, for relative paths
of files. repairs: gets the names of `entry` and `attached`, and the refused records by their place. `zotero` reads a
folder: it has `is_library(folder)` and `entries(folder, repairs)`.
"""

from __future__ import annotations

from anagnosis.registry import load

LIBRARIES = {
    "zotero": "anagnosis.documents.libraries.zotero",
    "bibtex": "anagnosis.documents.libraries.bibtex",
    "ris": "anagnosis.documents.libraries.tagged:RIS",
    "web-of-science": "anagnosis.documents.libraries.tagged:WEB_OF_SCIENCE",
    "csl-json": "anagnosis.documents.libraries.csl_json",
    "endnote": "anagnosis.documents.libraries.endnote",
    "pubmed-csv": "anagnosis.documents.libraries.tables:PUBMED",
    "scopus-csv": "anagnosis.documents.libraries.tables:SCOPUS",
}
LARGEST = 512 << 20
"""Bytes of a library that is held as text."""


def kind_of_file(head: bytes) -> str | None:
    """The kind of library that a file is which starts with these decompressed bytes; None for any other file."""
    of_files = {kind: reader for kind, reader in LIBRARIES.items() if kind != "zotero"}
    return next((kind for kind, reader in of_files.items() if load(reader).sniff(head)), None)
