"""How fast MEDLINE XML is read: citations a CPU-second beside lxml alone.

    python benchmarks/medline.py [FILE.xml.gz] [--rounds N] [--times N]

FILE is a gzip file of citations; without one the bundled sample is multiplied with fresh PMIDs. Each round reads it by
each reader in turn, in this one process; the table shows the best round of each, and the ratio of the best ones (the
median ratio in brackets). Readers:

    anagnosis        decompress, parse, a Document of every citation (medline.read)
    lxml, no fields  decompress, iterparse, and look at nothing: the floor of who parses the whole file
"""

from __future__ import annotations

import argparse
import gzip
import re
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

# What loads anything is imported where it is used: a process that starts another lends it its own peak.

SAMPLE = Path(__file__).resolve().parents[1] / "tests" / "samples" / "medline" / "citations.xml"
RECORD = re.compile(rb"  <PubmedArticle>.*?</PubmedArticle>\n", re.DOTALL)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--times", type=int, default=200, help="how often the bundled sample is repeated")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        path = options.file or multiplied(Path(scratch) / "sample.xml.gz", options.times)
        report_rates(path, options.rounds)


def multiplied(path: Path, times: int) -> Path:
    """The citations of the bundled sample, but for its oddest, so often, each time with PMIDs of their own."""
    text = SAMPLE.read_bytes()
    head = text[: text.index(b"  <PubmedArticle>")]
    usual = [each for each in RECORD.findall(text) if b"<MedlineCitation" in each and b"<!--" not in each]
    with gzip.open(path, "wb", 6) as stream:
        stream.write(head)
        for number in range(times):
            stream.write(b"".join(usual).replace(b">900000", b">9%05d" % number))
        stream.write(b"</PubmedArticleSet>\n")
    return path


def report_rates(path: Path, rounds: int) -> None:
    readers = {"anagnosis": documents, "lxml, no fields": elements}
    taken: dict[str, list[float]] = {name: [] for name in readers}
    for _ in range(rounds):
        for name, reader in readers.items():
            taken[name].append(seconds(reader, path))
    citations = sum("deleted" not in document.facts for document in documents(path))
    print(f"\n{path.name}: {citations:,} citations; citations a CPU-second, best of {rounds} rounds")
    ours = taken["anagnosis"]
    for name, times in taken.items():
        ratio = min(times) / min(ours)
        median = statistics.median(times) / statistics.median(ours)
        print(
            f"{name:18}{citations / min(times):10,.0f}   anagnosis takes 1/{ratio:.2f} of its time ({median:.2f})"
        )


def documents(path: Path) -> Iterator[Any]:
    from anagnosis.documents.formats import medline
    from anagnosis.documents.repairs import Repairs
    from anagnosis.io.files import open_input

    with open_input(path) as stream:
        yield from medline.read(stream, Repairs(), path.name)


def elements(path: Path) -> Iterator[Any]:
    import lxml.etree as etree

    from anagnosis.io.files import open_input

    with open_input(path) as stream:
        for _, element in etree.iterparse(stream, tag="PubmedArticle"):
            yield element
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]


def seconds(reader: Callable[[Path], Iterator[Any]], path: Path) -> float:
    """CPU-seconds for the whole file."""
    started = time.process_time()
    for _ in reader(path):
        pass
    return time.process_time() - started


if __name__ == "__main__":
    main()
