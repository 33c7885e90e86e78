"""File formats of vocabularies. `TERM_FORMATS` lists them; each has a file here.

A format is a module with `SUFFIXES`, `sniff(head) -> bool` and `read(stream, counts, name) -> Iterator[Term]`, which
counts in `counts`, by name, whatever it leaves out.
"""

TERM_FORMATS = {
    "obo": "anagnosis.terms.formats.obo",
    "mesh-xml": "anagnosis.terms.formats.mesh_xml",
    "mesh-ascii": "anagnosis.terms.formats.mesh_ascii",
    "mrconso": "anagnosis.terms.formats.mrconso",
    "mrsty": "anagnosis.terms.formats.mrsty",
    "terms-tsv": "anagnosis.terms.formats.tsv",
}
