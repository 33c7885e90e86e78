"""Instances of BioRead's text form, as tests write them."""

from __future__ import annotations

from collections.abc import Sequence

SEGMENT, INSTANCE = "-" * 30, "=" * 30
CANDIDATES = ("@entity0:l-dopa", "@entity1:rats", "@entity2:dopamine: level")


def record(
    passage: str = "we gave @entity0 to @entity1 .\nthe @entity2 rose in @entity1 . ",
    question: str = "then XXXXXX slept beside @entity9 .",
    candidates: Sequence[str] = CANDIDATES,
    answer: str = "@entity1:rats",
) -> str:
    """One instance with its last separator; a candidate that the passage lacks is left out."""
    return f"\n{SEGMENT}\n".join((passage, question, "\n".join(candidates), answer)) + f"\n{INSTANCE}\n"


SECOND = record(
    "@entity0 and @entity1 are , both",
    "of XXXXXX , none",
    ("@entity1:p53", "@entity0:a cell"),
    "@entity0:a cell",
)
FILE = record() + SECOND
