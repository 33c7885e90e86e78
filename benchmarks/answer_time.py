"""How long a whole answer takes: `ask` over an index of real papers, with trained readers or without.

    anagnosis index papers/ --out built/papers
    python benchmarks/answer_time.py built/papers GOLDEN.tar.gz|FOLDER … [--readers FOLDER] [--threads 2]

Asks BioASQ's questions of the batches (GOLDEN: golden files), one after the other in one process, after one question
that warms it up. Prints the median, the 95th percentile and the greatest number of seconds by the clock, and of the
processor.
"""

from __future__ import annotations

import argparse
import tempfile
from functools import partial
from pathlib import Path

import anagnosis
from anagnosis.api.searching import load_readers
from anagnosis.datasets.bioasq.kept_apart import is_batch
from anagnosis.datasets.folder import store
from anagnosis.searching.answers.asking import ask
from anagnosis.searching.index.index import open_index
from timing import Seconds, spread, timed


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("index", type=Path)
    parser.add_argument("golden", nargs="+", type=Path)
    parser.add_argument("--readers", type=Path)
    parser.add_argument("--batches", default="9B5")
    parser.add_argument("--limit", type=int, help="only so many questions")
    parser.add_argument("--threads", type=int)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        dataset = anagnosis.import_dataset(options.golden, Path(scratch) / "questions", layout="bioasq")
        questions = [
            one.question
            for one in store.instances(dataset, store.ALL)
            if any(is_batch(one.file, batch) for batch in options.batches.split(","))
        ][: options.limit]
    readers = load_readers(options.readers, threads=options.threads)
    index = open_index(options.index)
    spent: list[Seconds] = []
    for question in (questions[0], *questions):
        spent.append(timed(partial(ask, index, question, readers=readers)))
    count = index.count()
    index.close()
    print(f"{len(questions)} questions over {count.documents:,} papers ({count.passages:,} passages)")
    for name, seconds in zip(Seconds._fields, zip(*spent[1:], strict=True), strict=True):
        print(f"  {name}: {spread(seconds, 's', 2)}")


if __name__ == "__main__":
    main()
