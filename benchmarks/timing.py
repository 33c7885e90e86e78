"""What benchmarks measure: seconds of the clock and of the processor, the peak of memory, and spreads in words."""

from __future__ import annotations

import resource
import statistics
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple


class Seconds(NamedTuple):
    """clock: as time passes. processor: of this process, all its threads."""

    clock: float
    processor: float


def timed(work: Callable[[], object]) -> Seconds:
    """Seconds of a call."""
    clock, processor = time.perf_counter(), time.process_time()
    work()
    return Seconds(time.perf_counter() - clock, time.process_time() - processor)


def peak() -> int:
    """The greatest memory of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def spread(values: Sequence[float], unit: str = "ms", digits: int = 1) -> str:
    """Median, 95th percentile and greatest value."""
    ordered = sorted(values)
    named = {
        "median": statistics.median(ordered),
        "95th": ordered[int(0.95 * len(ordered))],
        "longest": ordered[-1],
    }
    return ", ".join(f"{name} {value:.{digits}f} {unit}" for name, value in named.items())
