"""Literature libraries: the records of a reference manager. `LIBRARIES` lists the kinds; each has a module here.

A module of files has `sniff(head)` and `entries(stream, repairs, name, folder)`. `zotero` reads a folder: it has
`is_library(folder)` and `entries(folder, repairs, base)`.
"""

from __future__ import annotations

from importlib import import_module

LIBRARIES = {
    "zotero": "anagnosis.documents.libraries.zotero",
    "bibtex": "anagnosis.documents.libraries.bibtex",
    "ris": "anagnosis.documents.libraries.ris",
    "csl-json": "anagnosis.documents.libraries.csl_json",
    "endnote": "anagnosis.documents.libraries.endnote",
    "pubmed-csv": "anagnosis.documents.libraries.pubmed_csv",
}


def kind_of_file(head: bytes) -> str | None:
    """The kind of library that a file is which starts with these decompressed bytes; None for any other file."""
    of_files = {kind: module for kind, module in LIBRARIES.items() if kind != "zotero"}
    return next((kind for kind, module in of_files.items() if import_module(module).sniff(head)), None)
