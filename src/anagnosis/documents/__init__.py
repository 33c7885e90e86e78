"""Documents: what a paper is, and one file for each format it comes in."""

FORMATS = {
    "pubtator": "anagnosis.documents.pubtator",
    "bioc-xml": "anagnosis.documents.bioc_xml",
    "bioc-json": "anagnosis.documents.bioc_json",
    "medline": "anagnosis.documents.medline",
    "nbib": "anagnosis.documents.nbib",
    "jats": "anagnosis.documents.jats",
    "cord19": "anagnosis.documents.cord19",
    "jsonl": "anagnosis.documents.jsonl",
}
