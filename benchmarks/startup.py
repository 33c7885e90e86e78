"""What starting costs: `anagnosis --help` beyond Python's own start, and `predict` and `report` on small data.

python benchmarks/startup.py

The bar of `--help` is 0.15 s. `predict` (BASE4) and `report` (two systems, a page) run on 300 invented papers,
each in a first run (no compiled modules, no font list of matplotlib, none of Python's and the packages' files in memory
but those that another process holds) and in a later one.
Seconds of a busy computer mean little: compare processor time, and the ratio to a bare Python within one run.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

import anagnosis
from invented_papers import documents

RUNS = 15
FIRST_RUNS = 3
DOCUMENTS = 300


def main() -> None:
    bare = statistics.median(spent([sys.executable, "-c", "pass"])[0] for _ in range(RUNS))
    command = [sys.executable, "-m", "anagnosis"]
    ours = statistics.median(spent([*command, "--help"])[0] for _ in range(RUNS))
    more = ours - bare
    print(
        f"python -c pass {bare * 1000:.0f} ms, anagnosis --help {ours * 1000:.0f} ms: {more * 1000:.0f} ms more"
    )
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        anagnosis.write(documents(DOCUMENTS, seed=0), folder / "corpus.pubtator")
        spent([*command, "build", "biomrc", str(folder / "corpus.pubtator"), "--out", str(folder / "built")])
        dataset = str(folder / "built")
        page, *files = (str(folder / name) for name in ("page.html", "BASE1.jsonl", "BASE4.jsonl"))
        for name, file in zip(("BASE1", "BASE4"), files, strict=True):
            spent([*command, "predict", name, dataset, "--out", file])
        shown("predict", [*command, "predict", "BASE4", dataset, "--out", files[1], "--replace"], bare)
        shown("report", [*command, "report", dataset, *files, "--out", page, "--replace"], bare)


def shown(name: str, command: list[str], bare: float) -> None:
    """Print what a command costs in a first run and in a later one."""
    firsts = [first(command) for _ in range(FIRST_RUNS)]
    laters = [spent(command) for _ in range(FIRST_RUNS)]
    for when, runs in (("first", firsts), ("later", laters)):
        wall, processor = (statistics.median(column) for column in zip(*runs, strict=True))
        print(
            f"{name}, {when} run: {wall:.2f} s, of the processor {processor:.2f} s; "
            f"{wall / bare:.0f} times python -c pass"
        )


def first(command: list[str]) -> tuple[float, float]:
    """As `spent`, with nothing of an earlier run at hand."""
    with tempfile.TemporaryDirectory() as empty:
        forget_files()
        return spent(command, {"PYTHONPYCACHEPREFIX": empty, "MPLCONFIGDIR": empty})


def forget_files() -> None:
    """Have the system drop what it keeps in memory of the files that Python may read."""
    if not hasattr(os, "posix_fadvise"):
        return
    installed = Path(anagnosis.__file__).parent, *map(Path, sysconfig.get_paths().values()), Path(sys.prefix)
    for folder in dict.fromkeys(installed):
        for file in folder.rglob("*"):
            if file.is_file():
                with file.open("rb") as opened:
                    os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def spent(command: list[str], settings: dict[str, str] | None = None) -> tuple[float, float]:
    """(seconds, seconds of the processor) of a whole process."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    environment |= settings or {}
    quiet = subprocess.DEVNULL
    subprocess.run(command, check=True, stdout=quiet, stderr=quiet, env=environment)
    seconds, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
