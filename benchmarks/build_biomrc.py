"""How fast BioMRC is built: documents a second on all processors, CPU beside the floor, memory of each process.

    python benchmarks/build_biomrc.py [--documents N] [--corpus FOLDER] [--sentences nupunkt|fast] [--workers N]

The input is one gzip file of N documents, multiplied with fresh identifiers from the PubTator files of FOLDER (the
issue's figure is taken on the corpora of docs/inputs.md), or from the bundled corpus where none is given. The floor
is what nobody can do without: decompressing that file and splitting it into lines, in this same run.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import anagnosis
from anagnosis.corpus import carried
from anagnosis.io.files import open_input

ID = 10_000_000


def main() -> None:
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")  # as the command line does
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--documents", type=int, default=50_000)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--sentences", default="nupunkt")
    parser.add_argument("--workers", type=int)
    parser.add_argument("--keep", type=Path, help="keep the input here, or use it if it is there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        source = options.keep or Path(scratch) / "multiplied.pubtator.gz"
        if not source.exists():
            multiply(options.corpus, options.documents, source)
        size = source.stat().st_size
        print(f"input: {options.documents:,} documents, {size / 1e6:,.0f} MB compressed")
        floor, text = measured_floor(source)
        print(
            f"floor: {options.documents / floor:,.0f} documents per CPU-second ({text / 1e6:,.0f} MB of text)"
        )
        with Watched() as watched:
            built = anagnosis.build(
                "biomrc",
                [source],
                Path(scratch) / "built",
                settings={"sentences": options.sentences},
                workers=options.workers,
            )
        kept = built.receipt.instances.kept
        print(
            f"build ({options.sentences}): {options.documents / watched.wall:,.0f} documents/s, "
            f"{options.documents / watched.cpu:,.0f} per CPU-second, {watched.cpu / floor:.1f} times the floor; "
            f"{kept:,} instances"
        )
        print(
            "resident memory at most, by process: "
            + ", ".join(f"{m} MB" for m in sorted(watched.peaks.values()))
        )
        shutil.rmtree(Path(scratch) / "built")


def multiply(folder: Path | None, documents: int, target: Path) -> None:
    """Write `documents` documents with identifiers counted up from 10,000,000."""
    import isal.igzip

    files = sorted(folder.glob("*.pubtator.gz")) if folder else [carried()]
    templates = [template for file in files for template in _templates(file)]
    with isal.igzip.open(target, "wt", compresslevel=2, encoding="utf-8") as stream:
        for number in range(documents):
            stream.write(templates[number % len(templates)].replace("\0", str(ID + number)))


def _templates(file: Path) -> Iterator[str]:
    with open_input(file) as stream:
        text = stream.read().decode().replace("\r\n", "\n")
    for piece in re.split(r"\n\n+", text):
        ident = piece.partition("|")[0].strip()
        if ident:
            yield re.sub(rf"(?m)^{re.escape(ident)}(?=[|\t])", "\0", piece.strip("\n")) + "\n\n"


def measured_floor(source: Path) -> tuple[float, int]:
    """CPU-seconds to decompress and to split into lines; characters seen."""
    started, seen = time.process_time(), 0
    with open_input(source) as stream:
        while block := stream.read(8 << 20):
            seen += len(block)
            block.split(b"\n")
    return time.process_time() - started, seen


class Watched:
    """Wall and CPU seconds of a piece of work, children included; the peak resident memory of each process, in MB."""

    def __enter__(self) -> Watched:
        self.peaks: dict[int, int] = {}
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        self._cpu, self._started = _cpu(), time.perf_counter()
        return self

    def __exit__(self, *fault: object) -> None:
        self.wall = time.perf_counter() - self._started
        self._ended.set()
        self._thread.join()
        self.cpu = _cpu() - self._cpu

    def _watch(self) -> None:
        while not self._ended.wait(0.2):
            for status in Path("/proc").glob("[0-9]*/status"):
                try:
                    fields = dict(
                        line.split(":\t", 1) for line in status.read_text().splitlines() if ":\t" in line
                    )
                except OSError:
                    continue
                if os.getpid() in (int(fields["Pid"]), int(fields["PPid"])) and "VmHWM" in fields:
                    self.peaks[int(fields["Pid"])] = int(fields["VmHWM"].split()[0]) >> 10


def _cpu() -> float:
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


if __name__ == "__main__":
    main()
