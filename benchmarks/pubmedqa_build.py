"""How fast PubMedQA is built: citations a second on all processors, CPU beside the floor, memory of each process.

    python benchmarks/pubmedqa_build.py [--citations N] [--medline FOLDER] [--workers N] [--tagger crf --model FILE]

The input is gzip files of 30,000 citations, as NLM's baseline has them, multiplied with fresh PMIDs from the .xml.gz
files of FOLDER (docs/performance.md took two excerpts and two samples of NLM's files), or from the bundled sample
where none is given. The floor is what nobody can do without: decompressing those files and parsing them with expat that
calls nobody, in this same run, in one process.

Bar: 4,000 citations/s on two processors. The rate a CPU-second says the same on a machine that does other work too.
"""

from __future__ import annotations

import argparse
import os
import re
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.parsers import expat

import anagnosis
from anagnosis.files import open_input
from build_biomrc import Watched

SAMPLE = Path(__file__).resolve().parents[1] / "tests" / "samples" / "medline" / "citations.xml"
RECORD = re.compile(rb"<PubmedArticle>.*?</PubmedArticle>", re.DOTALL)
PMID = re.compile(rb"(<PMID Version=\"\d+\">)(\d+)(</PMID>)")
HEAD = (
    b'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, '
    b'1st January 2019//EN" "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_190101.dtd">\n<PubmedArticleSet>\n'
)
FIRST = 50_000_000
PART = 30_000
BAR = 4_000


def main() -> None:
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")  # as the command line does
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--citations", type=int, default=20_000)
    parser.add_argument("--medline", type=Path)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--tagger", default="rule")
    parser.add_argument("--model", default="")
    parser.add_argument("--keep", type=Path, help="keep the input here, or use it if it is there")
    parser.add_argument("--no-floor", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        source = options.keep or Path(scratch) / "input"
        if not source.exists():
            multiply(options.medline, options.citations, source)
        files = sorted(source.glob("*.xml.gz"))
        size = sum(file.stat().st_size for file in files)
        print(
            f"input: {options.citations:,} citations in {len(files)} files, {size / 1e6:,.0f} MB compressed"
        )
        floor = 0.0
        if not options.no_floor:
            floor, text = measured_floor(files)
            print(
                f"floor: {options.citations / floor:,.0f} citations per CPU-second ({text / 1e6:,.0f} MB of XML, "
                f"{text / options.citations / 1000:.1f} kB each)"
            )
        with Watched() as watched:
            built = anagnosis.build(
                "pubmedqa",
                files,
                Path(scratch) / "built",
                settings={"tagger": options.tagger, "model": options.model},
                workers=options.workers,
            )
        documents = built.receipt.documents
        rate, per_cpu = documents.read / watched.wall, documents.read / watched.cpu
        ratio = f", {watched.cpu / floor:.1f} times the floor" if floor else ""
        print(
            f"build ({options.tagger}, {options.workers} workers): {rate:,.0f} citations/s in {watched.wall:.0f} s, "
            f"on {watched.cpu / watched.wall:.2f} processors, {per_cpu:,.0f} per CPU-second{ratio}; "
            f"{documents.read:,} read, {documents.kept:,} kept"
        )
        print(
            "resident memory at most, by process: "
            + ", ".join(f"{m} MB" for m in sorted(watched.peaks.values()))
        )
        print(f"bar of {BAR:,} citations/s: {'met' if rate >= BAR else 'NOT met'}")


def multiply(folder: Path | None, citations: int, target: Path) -> None:
    """Write so many citations with PMIDs counted up from 50,000,000 into files as NLM cuts them."""
    import isal.igzip

    files = sorted(folder.glob("*.xml.gz")) if folder else [SAMPLE]
    templates = [template for file in files for template in _templates(file)]
    target.mkdir(parents=True)
    for part, begin in enumerate(range(0, citations, PART), 1):
        with isal.igzip.open(target / f"multiplied{part:04d}.xml.gz", "wb", compresslevel=2) as stream:
            stream.write(HEAD)
            for number in range(begin, min(begin + PART, citations)):
                pieces = templates[number % len(templates)]
                stream.write((b"%d" % (FIRST + number)).join(pieces))
                stream.write(b"\n")
            stream.write(b"</PubmedArticleSet>\n")


def _templates(file: Path) -> Iterator[Sequence[bytes]]:
    """Each record, cut where its own PMID stands; a record without one, and what only looks like one, is left out."""
    with open_input(file) as stream:
        text = stream.read()
    for record in RECORD.findall(text):
        found = PMID.search(record)
        if found is None or not _is_whole(record):
            continue
        own = found[2]
        place = re.compile(rb"(?<=\">)%s(?=</(?:PMID|ArticleId)>)" % own)
        yield place.split(record)


def _is_whole(record: bytes) -> bool:
    try:
        expat.ParserCreate().Parse(record, True)
    except expat.ExpatError:
        return False
    return True


def measured_floor(files: Sequence[Path]) -> tuple[float, int]:
    """CPU-seconds to decompress and to parse; bytes seen."""
    started, seen = time.process_time(), 0
    for file in files:
        parser = expat.ParserCreate()
        with open_input(file) as stream:
            while block := stream.read(8 << 20):
                seen += len(block)
                parser.Parse(block, False)
        parser.Parse(b"", True)
    return time.process_time() - started, seen


if __name__ == "__main__":
    main()
