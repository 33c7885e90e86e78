"""How many processor seconds a test may use: 15 on the machine where that was set, more where the processor is slower.

A runner that shares its cores with others gives the same work up to five times as many seconds, so a bound in seconds
alone fails good tests there. The same fixed work, timed in the same process, says how slow the processor is just now.
"""

from __future__ import annotations

import json
from statistics import median
from time import process_time

SECONDS = 15
SET_AT = 0.045  # seconds that the fixed work took where SECONDS was set
_REPEATS = 5


def budget() -> float:
    """Processor seconds, at least SECONDS."""
    return SECONDS * max(1.0, median(fixed_work() for _ in range(_REPEATS)) / SET_AT)


def fixed_work() -> float:
    """Processor seconds of what tests do most: objects, strings, sorting, JSON."""
    begun = process_time()
    found = {str(number): number * 7919 % 10_007 for number in range(60_000)}
    json.dumps(sorted(found.items(), key=lambda item: item[1]))
    return process_time() - begun
