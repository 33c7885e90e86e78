"""The snippets of a question that a reader reads: experts often mark the same passage more than once."""

from __future__ import annotations

from collections.abc import Iterable


def distinct(texts: Iterable[str]) -> list[tuple[int, str]]:
    """(index, text) of the snippets with text; of those that differ in white space alone, the first."""
    first: dict[str, tuple[int, str]] = {}
    for number, text in enumerate(texts):
        first.setdefault(" ".join(text.split()), (number, text))
    first.pop("", None)
    return list(first.values())
