"""The carried corpus: documents of our own, so that an installed wheel can build, read and score something.

carried.txt is what people edit (marking.py says how), carried.pubtator is made from it. carried.xml holds citations as
NLM has them, edited as it stands. The sentences were written for this repository and copied from nowhere; drugs, genes,
diseases and their identifiers are true, the studies and their figures are invented. synthetic.py makes any number of
documents that mean nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

_FILES = {"pubtator": "carried.pubtator", "medline": "carried.xml"}


def carried(format: Literal["pubtator", "medline"] = "pubtator") -> Path:
    """The carried corpus: abstracts with their mentions as PubTator text, or citations as MEDLINE XML."""
    return Path(__file__).with_name(_FILES[format])
