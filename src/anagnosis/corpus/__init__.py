"""The bundled corpus: documents in the package, so that an installed wheel can build, read and score a dataset.

People edit carried.txt (marking.py has its format), from which we generate carried.pubtator, and carried.xml, citations
in NLM's format. We wrote the sentences for this repository; drugs, genes, diseases and their identifiers are real,
studies and figures are invented. synthetic.py generates any number of meaningless documents.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

_FILES = {"pubtator": "carried.pubtator", "medline": "carried.xml"}


def carried(format: Literal["pubtator", "medline"] = "pubtator") -> Path:
    """The bundled corpus: abstracts with their mentions as PubTator text, or citations as MEDLINE XML."""
    return Path(__file__).with_name(_FILES[format])
