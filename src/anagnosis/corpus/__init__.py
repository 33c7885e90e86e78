"""The carried corpus: documents of our own, so that an installed wheel can build, read and score something.

carried.txt is what people edit (marking.py says how), carried.pubtator is made from it. The sentences were written
for this repository and copied from nowhere; drugs, genes, diseases and their identifiers are true, the studies and
their figures are invented. synthetic.py makes any number of documents that mean nothing.
"""

from __future__ import annotations

from pathlib import Path


def carried() -> Path:
    """The carried corpus as PubTator text."""
    return Path(__file__).with_name("carried.pubtator")
