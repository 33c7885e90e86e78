"""How fast MEDLINE XML is read: citations a CPU-second beside pubmed_parser and beside lxml alone, and the memory.

    python benchmarks/medline.py [FILE.xml.gz] [--rounds N] [--times N]

FILE is a gzip file of citations; without one the bundled sample is multiplied with fresh PMIDs. Each round reads it by
each reader in turn, in this one process; the table shows the best round of each, and the ratio of the best ones (the
median ratio in brackets). Readers:

    anagnosis        decompress, cut, parse, a Document of every citation (medline.read)
    … texts alone    the same without authors, chemicals and references, as datasets are built (medline.read_texts)
    pubmed_parser    parse_medline_xml of the package from PyPI, as it comes, where it is installed
    … all it has     the same with whole dates, qualifiers of MeSH headings, lists of authors and references
    lxml, no fields  decompress, iterparse, and look at nothing: the floor of who parses the whole file

The last lines report what the facts of `documents/bibliography.py` cost: the time of medline.read as a multiple of
that of medline.read_texts, the median of the rounds' pairs, and the memory of the documents.

Bar: of texts alone at least 5 times pubmed_parser, on NLM's update file of 2021; the sample's citations are too short
to say more than that both run. Memory is the largest resident set of a process of its own that reads the file joined to
itself 4 times, and 32 times; bar: the second is at most 1.1 times the first.
"""

from __future__ import annotations

import argparse
import gzip
import importlib.util
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

# What loads anything is imported where it is used: a process that starts another lends it its own peak.

SAMPLE = Path(__file__).resolve().parents[1] / "tests" / "samples" / "medline" / "citations.xml"
TEXTS = "… texts alone"
RECORD = re.compile(rb"  <PubmedArticle>.*?</PubmedArticle>\n", re.DOTALL)
BAR = 5


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--times", type=int, default=200, help="how often the bundled sample is repeated")
    parser.add_argument("--peak-of", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peak_of:
        print(read_alone(options.peak_of))
        return
    with tempfile.TemporaryDirectory() as scratch:
        path = options.file or multiplied(Path(scratch) / "sample.xml.gz", options.times)
        report_memory(path, Path(scratch))
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


def report_memory(path: Path, scratch: Path) -> None:
    joined, peaks = scratch / "joined.xml.gz", list[int]()
    for times in (4, 32):
        with joined.open("wb") as stream:
            stream.writelines(path.read_bytes() for _ in range(times))
        peaks.append(int(subprocess.check_output([sys.executable, __file__, "--peak-of", str(joined)])))
    print("peak memory: {:.0f} MB, of 8 times as much {:.0f} MB".format(*(peak / 1000 for peak in peaks)))
    print(f"bar of 1.1 times as much: {'met' if peaks[1] <= 1.1 * peaks[0] else 'NOT met'}")


def read_alone(path: Path) -> int:
    """The peak of this process, in KiB, after reading a file."""
    for _ in documents(path):
        pass
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def report_rates(path: Path, rounds: int) -> None:
    readers = {"anagnosis": documents, TEXTS: texts, **others()}
    if "pubmed_parser" not in readers:
        print("pubmed_parser is not installed (pip install pubmed_parser): its rows are skipped")
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
    if "pubmed_parser" in taken:
        ratio = min(taken["pubmed_parser"]) / min(taken[TEXTS])
        print(f"bar of {BAR} times pubmed_parser: {'met' if ratio >= BAR else 'NOT met'} ({ratio:.2f})")
    pairs = statistics.median(one / other for one, other in zip(ours, taken[TEXTS], strict=True))
    sizes = held(documents(path)) / held(texts(path))
    print(
        f"authors, chemicals, references and counts: {pairs:.2f} times the time, {sizes:.2f} times the memory"
    )
    report_kept(path)


def others() -> dict[str, Callable[[Path], Iterator[Any]]]:
    found: dict[str, Callable[[Path], Iterator[Any]]] = {}
    if importlib.util.find_spec("pubmed_parser"):
        import pubmed_parser

        def as_it_comes(path: Path) -> Iterator[Any]:
            return pubmed_parser.parse_medline_xml(str(path))

        def all_it_has(path: Path) -> Iterator[Any]:
            return pubmed_parser.parse_medline_xml(
                str(path),
                year_info_only=False,
                parse_downto_mesh_subterms=True,
                author_list=True,
                reference_list=True,
            )

        found = {"pubmed_parser": as_it_comes, "… all it has": all_it_has}
    return {**found, "lxml, no fields": elements}


def documents(path: Path) -> Iterator[Any]:
    from anagnosis.documents.formats.medline import format as medline
    from anagnosis.documents.repairs import Repairs
    from anagnosis.io.files import open_input

    with open_input(path) as stream:
        yield from medline.read(stream, Repairs(), path.name)


def texts(path: Path) -> Iterator[Any]:
    from anagnosis.documents.formats.medline import format as medline
    from anagnosis.documents.repairs import Repairs
    from anagnosis.io.files import open_input

    with open_input(path) as stream:
        yield from medline.read_texts(stream, Repairs(), path.name)


def held(read: Iterator[Any]) -> int:
    """Bytes that the documents of a file take, all at once."""
    tracemalloc.start()
    kept = list(read)
    taken = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    del kept
    return taken


def elements(path: Path) -> Iterator[Any]:
    import lxml.etree as etree

    from anagnosis.io.files import open_input

    with open_input(path) as stream:
        for _, element in etree.iterparse(stream, tag="PubmedArticle"):
            yield element
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]


def report_kept(path: Path) -> None:
    """What a Document holds and a record of pubmed_parser does not."""
    kept: Counter[str] = Counter()
    for document in documents(path):
        for section in document.sections:
            kept["other abstracts (sections)"] += section.label == "other abstract"
            kept["labels with their class"] += bool(section.title and section.category)
        for name in ("version", "retracted", "expression_of_concern", "erratum", "notice_of"):
            kept[name] += name in document.facts
    print("kept here alone: " + ", ".join(f"{name} {count:,}" for name, count in kept.items()))


def seconds(reader: Callable[[Path], Iterator[Any]], path: Path) -> float:
    """CPU-seconds for the whole file."""
    started = time.process_time()
    for _ in reader(path):
        pass
    return time.process_time() - started


if __name__ == "__main__":
    main()
