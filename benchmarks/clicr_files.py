"""How fast CliCR's files are read and become those of its readers, and in how much memory.

    python benchmarks/clicr_files.py [--reports 400] [--queries 100000]

The reports are those of clicr_build.py; for the import of many queries they are repeated under other names. The
published program made the plain form with the training filter of 830 queries a second, while ten million additions in a
Python loop took .49 s; its rate is scaled by the same loop here. Ours is timed from the dataset folder, and with the
import of the file, which the program reads as JSON.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import anagnosis
from anagnosis.datasets.clicr.reader_files import PLAIN, reader_instances
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.terms.vocabulary import store as store_vocabulary
from build_biomrc import Watched
from clicr_build import LOOP, additions, beside, best, concepts, reports

PLAIN_FORM = 830.0  # queries a second


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--reports", type=int, default=400)
    parser.add_argument("--queries", type=int, default=100_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        few, many = folder / "few" / "train1.0.json", folder / "many" / "train1.0.json"
        write_file(folder, few, options.reports)
        scale = LOOP / best(additions)
        print(f"ten million additions: {LOOP / scale:.2f} s; the published rate is multiplied by {scale:.2f}")
        dataset = anagnosis.import_dataset(few, folder / "imported", layout="clicr")
        queries = dataset.rows["train"]
        print(beside(queries / best(lambda: plain(dataset)), PLAIN_FORM * scale, "queries"))
        with_import = best(
            lambda: plain(anagnosis.import_dataset(few, folder / "again", layout="clicr", replace=True))
        )
        print(f"with the import: {beside(queries / with_import, PLAIN_FORM * scale, 'queries')}")
        repeat(few, many, options.queries)
        command = ["import", str(many), "--layout", "clicr", "--out", str(folder / "large"), "--quiet"]
        with Watched() as watched:
            subprocess.run([sys.executable, "-m", "anagnosis", *command], check=True)
        rows = anagnosis.load(folder / "large").rows["train"]
        print(
            f"{rows:,} queries of a file of {many.stat().st_size >> 20:,} MiB imported in {watched.wall:.0f} s, "
            f"{rows / watched.cpu:,.0f} per CPU-second; resident memory at most {max(watched.peaks.values()):,} MB"
        )


def write_file(folder: Path, path: Path, number: int) -> None:
    """Queries of so many made-up reports, all in train, as CliCR's file."""
    terms, papers = folder / "names.terms", folder / "reports.jsonl"
    store_vocabulary(concepts(), terms)
    anagnosis.write(reports(number), papers, format="jsonl")
    settings = {"split_weights": {"train": 1, "dev": 0, "test": 0}}
    built = anagnosis.build("clicr", [papers], folder / "built", terms=[terms], settings=settings)
    anagnosis.export(built, path.parent, layout="clicr")


def plain(dataset: store.Dataset) -> int:
    """How many instances the training filter keeps in the plain form."""
    instances = store.instances(dataset, "train", of=ClozeInstance)
    return sum(1 for _ in reader_instances(instances, PLAIN, Counter(), training_filter=True))


def repeat(few: Path, many: Path, queries: int) -> None:
    """Write a file of so many queries at least: the reports of `few` again and again, under other names."""
    many.parent.mkdir()
    given = json.loads(few.read_bytes())["data"]
    with many.open("w") as stream:
        stream.write('{"version":"1.0","data":[')
        for place, report in enumerate(renamed(given, queries)):
            stream.write("," * bool(place) + json.dumps(report, separators=(",", ":")))
        stream.write("]}")


def renamed(given: list[dict[str, Any]], queries: int) -> Iterator[dict[str, Any]]:
    """Reports under names of their own."""
    made = 0
    for number in count():
        for report in given:
            source = f"{report['source']}-{number}"
            asked = [
                {**query, "id": f"{source}.{place}"}
                for place, query in enumerate(report["document"]["qas"], 1)
            ]
            yield {"document": {**report["document"], "qas": asked}, "source": source}
            made += len(asked)
            if made >= queries:
                return


if __name__ == "__main__":
    main()
