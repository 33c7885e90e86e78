"""The bundled corpus: documents in the package, so that an installed wheel can build, read and score a dataset.

    carried.pubtator  abstracts with mentions; people edit carried.txt beside its tests, where marking.py reads it
    carried.xml       citations in NLM's format
    carried.nxml      twelve full texts in JATS, four of them case reports with learning points
    carried.tsv       300 terms, with identifiers, names and synonyms of Medical Subject Headings; annotate --terms

We wrote the texts for this repository; drugs, genes, diseases and their identifiers are real, studies and figures are
invented.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

_FILES = {
    "pubtator": "carried.pubtator",
    "medline": "carried.xml",
    "jats": "carried.nxml",
    "terms-tsv": "carried.tsv",
}


def carried(format: Literal["pubtator", "medline", "jats", "terms-tsv"] = "pubtator") -> Path:
    """A bundled file: abstracts with their mentions, citations, full texts, or terms that occur in them."""
    return Path(__file__).with_name(_FILES[format])
