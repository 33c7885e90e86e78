"""What `anagnosis --help` costs beyond Python's own start; the bar is 0.15 s.

python benchmarks/startup.py
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

RUNS = 15


def main() -> None:
    bare = median([sys.executable, "-c", "pass"])
    ours = median([sys.executable, "-m", "anagnosis", "--help"])
    more = ours - bare
    print(
        f"python -c pass {bare * 1000:.0f} ms, anagnosis --help {ours * 1000:.0f} ms: {more * 1000:.0f} ms more"
    )


def median(command: list[str]) -> float:
    """Wall seconds of a whole process, the median of several."""
    times: list[float] = []
    for _ in range(RUNS):
        started = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - started)
    return statistics.median(times)


if __name__ == "__main__":
    main()
