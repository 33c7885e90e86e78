"""File formats of vocabularies. `TERM_FORMATS` lists them; each has a file here.

A format is a module with `SUFFIXES`, `sniff(head) -> bool` and `read(stream, counts, name) -> Iterator[Term]`, which
counts in `counts`, by name, whatever it leaves out.
"""

TERM_FORMATS = {
    "obo": "anagnosis.entities.formats.obo",
    "mesh-xml": "anagnosis.entities.formats.mesh_xml",
    "mesh-ascii": "anagnosis.entities.formats.mesh_ascii",
    "umls": "anagnosis.entities.formats.umls",
    "terms-tsv": "anagnosis.entities.formats.tsv",
}
