"""The signature lines of numbers: what each was computed from, by which protocol, with which seed."""

from __future__ import annotations

import re
from typing import Any

from tests.pins.reports import LINES
from tests.pins.world import World

SIGNATURE = re.compile(r"\S+\|anagnosis:\S+")
SIGNED = ("score", "compare", "report", "agreement", "evaluate-search")


def found(world: World) -> dict[str, Any]:
    """Command → its signatures, in the order in which its text has them."""
    return {
        name: [*dict.fromkeys(SIGNATURE.findall(world.well(line)))]
        for name, line in LINES.items()
        if line.split()[0] in SIGNED
    }
