"""Literature libraries: the records of a reference manager. `LIBRARIES` lists the kinds; each has a module here.

A module of files has `sniff(head)` and `entries(stream, repairs, name, folder)`. `zotero` reads a folder: it has
`is_library(folder)` and `entries(folder, repairs, base)`.
"""

LIBRARIES = {
    "zotero": "anagnosis.documents.libraries.zotero",
    "bibtex": "anagnosis.documents.libraries.bibtex",
    "ris": "anagnosis.documents.libraries.ris",
    "csl-json": "anagnosis.documents.libraries.csl_json",
    "endnote": "anagnosis.documents.libraries.endnote",
    "pubmed-csv": "anagnosis.documents.libraries.pubmed_csv",
}
