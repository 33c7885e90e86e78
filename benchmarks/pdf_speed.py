"""How fast PDF files are read, beside bare pypdfium2: pages a second of one core, each way in turn. Then how much
faster two processes convert copies of the files than one, and in how much memory.

    python benchmarks/pdf_speed.py PAPERS [--rounds 3] [--copies 10]

PAPERS: a folder of PDF files. Bare: `get_text_bounded` of each page. Ours: `read_paper`, in this process, from bytes to
the document.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pypdfium2

from anagnosis.documents.formats.pdf.paper import read_paper


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("papers", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--copies", type=int, default=10)
    given = parser.parse_args()
    files = [path.read_bytes() for path in sorted(given.papers.glob("*.pdf"))]
    ways: dict[str, Callable[[bytes], int]] = {"bare": bare, "ours": ours}
    spent, pages = Counter[str](), Counter[str]()
    for _ in range(given.rounds):
        for name, way in ways.items():
            begun = time.process_time()
            pages[name] += sum(map(way, files))
            spent[name] += time.process_time() - begun
    rates = {name: pages[name] / spent[name] for name in ways}
    print(
        f"{pages['bare'] // given.rounds} pages: " + ", ".join(f"{name} {rates[name]:.0f}/s" for name in ways)
    )
    print(f"ours: {rates['ours'] / rates['bare']:.0%} of bare")
    with tempfile.TemporaryDirectory() as folder:
        for number, data in enumerate(files * given.copies):
            (Path(folder) / f"{number}.pdf").write_bytes(data + b"%% %d" % number)
        seconds = Counter[int]()
        for _ in range(given.rounds):
            for workers in (1, 2):
                seconds[workers] += converted(Path(folder), workers)
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
    many = given.copies * pages["bare"] // given.rounds
    print(
        f"{many} pages: two processes {seconds[1] / seconds[2]:.2f} times as fast as one; {memory} MiB at most"
    )


def converted(folder: Path, workers: int) -> float:
    """The seconds in which a folder is converted."""
    command = ["anagnosis", "--quiet", "convert", str(folder), "--workers", str(workers), "--to", "jsonl"]
    begun = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", *command, "--out", str(folder / "out.jsonl"), "--replace"], check=True
    )
    spent = time.perf_counter() - begun
    (folder / "out.jsonl").unlink()
    return spent


def bare(data: bytes) -> int:
    document = pypdfium2.PdfDocument(data)
    for number in range(len(document)):
        document[number].get_textpage().get_text_bounded()
    return len(document)


def ours(data: bytes) -> int:
    read_paper(data)
    return len(pypdfium2.PdfDocument(data))


if __name__ == "__main__":
    main()
