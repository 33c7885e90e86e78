"""How fast BioRead-like questions are built, in how much memory, and how large a dataset is beside JSON lines.

    python benchmarks/bioread_build.py PAPERS.jsonl … [--articles 1000 --articles 10000] [--workers 2] [--set KEY=VALUE]

PAPERS are documents with entities, such as bioread_craft.py or `anagnosis annotate` writes; they are repeated under
other ids until there are so many articles, one at a time. Without --articles the papers are built as they are, and the
dataset's size is compared with that of its JSON lines: repeated articles would be compressed better than others.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path

import msgspec

import anagnosis
from anagnosis.documents.document import Document
from anagnosis.recipes.load import assignments
from build_biomrc import Watched


def main() -> None:
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")  # as the command line does
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("papers", nargs="+", type=Path)
    parser.add_argument("--articles", action="append", type=int)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--recipe", default="bioread")
    parser.add_argument("--set", action="append", default=[])
    options = parser.parse_args()
    for articles in options.articles or (None,):
        with tempfile.TemporaryDirectory() as scratch:
            source, out = Path(scratch) / "papers.jsonl", Path(scratch) / "built"
            anagnosis.write(repeated(options.papers, articles), source, format="jsonl")
            with Watched() as watched:
                built = anagnosis.build(
                    "bioread",
                    [source],
                    out,
                    recipe=options.recipe,
                    settings=assignments(options.set),
                    workers=options.workers,
                )
            counts, kept = built.receipt.documents, built.receipt.instances.kept
            peaks = sorted(watched.peaks.values(), reverse=True)
            print(
                f"{counts.read:,} articles, {kept:,} instances in {watched.wall:.1f} s with {options.workers} workers: "
                f"{kept / watched.wall:,.0f} instances/s, {kept / watched.cpu:,.0f} per CPU-second; "
                f"resident memory at most, by process: {', '.join(map(str, peaks))} MB",
                flush=True,
            )
            if articles is None:
                compare_sizes(out, Path(scratch) / "lines")


def repeated(papers: Sequence[Path], articles: int | None) -> Iterator[Document]:
    """So many documents, or all of them once; those of a later round have its number behind their id."""
    rounds = range(1) if articles is None else cycle(range(articles))
    every = (
        msgspec.structs.replace(document, id=f"{document.id}-{number}") if number else document
        for number in rounds
        for path in papers
        for document in anagnosis.read(path)
    )
    return every if articles is None else islice(every, articles)


def compare_sizes(built: Path, exported: Path) -> None:
    """Bytes of a dataset's Parquet, and of its instances as JSON lines with entity names."""
    anagnosis.export(built, exported, layout="jsonl", view="names")
    stored, lines = (
        sum(file.stat().st_size for file in folder.rglob(ending) if file.is_file())
        for folder, ending in ((built, "*.parquet"), (exported, "*.jsonl"))
    )
    print(f"{stored:,} bytes, as JSON lines {lines:,}: {stored / lines:.3f} of them")


if __name__ == "__main__":
    main()
