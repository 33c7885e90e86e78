"""What differs between the editions of the organisers' program in phase A (option -e).

    edition   average precision is divided by   questions without gold items
    2         the number of gold items          count
    3, 5      10                                count
    8         min(10, gold items)               count
    9         min(10, gold items)               are left out

Source: the program itself, BioASQ/Evaluation-Measures 8c8e689 (design/bioasq.md).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

RANKS = 10  # how many items of a list a participant may submit


@dataclass(frozen=True, slots=True)
class Edition:
    """divisor: of average precision, from the number of gold items. leaves_out: questions without gold items."""

    divisor: Callable[[int], int]
    leaves_out: bool = False


EDITIONS = {
    2: Edition(lambda gold: gold),
    3: Edition(lambda gold: RANKS),
    5: Edition(lambda gold: RANKS),
    8: Edition(lambda gold: min(RANKS, gold)),
    9: Edition(lambda gold: min(RANKS, gold), leaves_out=True),
}
