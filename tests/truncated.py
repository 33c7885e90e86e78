"""Reading what breaks off as `--accept-truncated` does: what stands before the break, which is noted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from anagnosis.documents.io.malformed import take_truncated
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import TruncatedError

T = TypeVar("T")


def up_to_the_break(documents: Iterable[T], repairs: Repairs) -> list[T]:
    """Everything before the break, which is counted and noted; a break before anything is raised."""
    found: list[T] = []
    try:
        found.extend(iter(documents))
    except TruncatedError as fault:
        if not found:
            raise
        take_truncated(fault, repairs, accept=True)
    return found
