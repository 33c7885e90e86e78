"""File formats of papers. `FORMATS` lists them; each has a file or a folder here.

UNMARKED lists formats that no bytes tell from others, so that only `--format` names them. PRINTED lists those of pages,
whose text is found by where it stands: for collections, not for datasets.
"""

FORMATS = {
    "pubtator": "anagnosis.documents.formats.pubtator",
    "bioc-xml": "anagnosis.documents.formats.bioc.xml",
    "bioc-json": "anagnosis.documents.formats.bioc.json",
    "medline": "anagnosis.documents.formats.medline",
    "nbib": "anagnosis.documents.formats.nbib",
    "jats": "anagnosis.documents.formats.jats.format",
    "pmc-text": "anagnosis.documents.formats.pmc_text",
    "cord19": "anagnosis.documents.formats.cord19",
    "jsonl": "anagnosis.documents.formats.jsonl",
}

UNMARKED = {
    "text": "anagnosis.documents.formats.text",
}

PRINTED = {"pdf": "anagnosis.documents.formats.pdf.format"}
