"""Annotation files of other programs. `ANNOTATION_FORMATS` lists their formats; each has a file here.

A format is a module with SUFFIXES, SCORE (what its scores are; "" for none), ORIGINS (the numbers that the first
character of a text may have), `sniff(head) -> bool` and `read(stream, counts, name)`, which gives (document id,
annotations); the id is "" where the file names no document. `read_with_text` also gives the text, where the file has
it: annotations are then moved to a paper's text that differs in white space.
"""

ANNOTATION_FORMATS = {
    "metamap-mmi": "anagnosis.entities.third_party.metamap_mmi",
    "metamap-json": "anagnosis.entities.third_party.metamap_json",
    "clamp": "anagnosis.entities.third_party.clamp",
    "ctakes": "anagnosis.entities.third_party.ctakes",
    "knowtator": "anagnosis.entities.third_party.knowtator",
    "brat": "anagnosis.entities.third_party.brat",
}
