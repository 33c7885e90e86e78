"""Exact repeats: queries that the passage answers word for word.

Source: CliCR, section 3.4; refine_json_dataset.py of the program (clips/clicr, commit 557f6d9).
"""

from __future__ import annotations

from anagnosis.datasets.clicr.marks import PLACEHOLDER


def longer_side(left: str, right: str) -> str:
    """The longer of the two sides of a placeholder, in characters; the left one if they are equal."""
    return left if len(left) >= len(right) else right


def is_exact_repeat(query: str, context: str) -> bool:
    """Whether the longer side of the placeholder in its line occurs in the context; case and marks count.

    As published: the place of the placeholder is the one in the whole query, also where its line is not the first. The
    query holds the placeholder.
    """
    place = query.index(PLACEHOLDER)
    line = next(line for line in query.split("\n") if PLACEHOLDER in line)
    left, right = line[:place].rstrip(), line[place + len(PLACEHOLDER) :].lstrip()
    return longer_side(left, right) in context
