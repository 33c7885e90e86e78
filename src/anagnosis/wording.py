"""Numbers, long values and choices in words."""

from __future__ import annotations

from collections.abc import Sequence


def counted(count: int, noun: str) -> str:
    """A number with its noun: `1 concept`, `2,000 concepts`. noun: in the singular; its plural ends in -s."""
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def shortened(value: str, longest: int = 60) -> str:
    """A value for an error line. longest: characters; the rest becomes `…`."""
    return value if len(value) <= longest else f"{value[:longest]}…"


def either(choices: Sequence[str]) -> str:
    """Choices in words: `a, b or c`."""
    return " or ".join([", ".join(choices[:-1]), choices[-1]] if len(choices) > 1 else choices)
