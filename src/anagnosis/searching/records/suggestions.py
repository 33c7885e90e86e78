"""The record of what begins as a user types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec


class Completions(msgspec.Struct, frozen=True, kw_only=True):
    """Completions of what a user types, as papers print them, the commonest first.

    words: begin with its last word. authors, journals: begin with all of it.
    """

    record: Literal["completions"] = "completions"
    words: Sequence[str] = ()
    authors: Sequence[str] = ()
    journals: Sequence[str] = ()
