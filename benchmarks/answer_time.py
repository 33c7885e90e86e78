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
import time
from pathlib import Path

import numpy as np

import anagnosis
from anagnosis.api.searching import load_readers
from anagnosis.datasets.bioasq.kept_apart import is_batch
from anagnosis.datasets.folder import store
from anagnosis.searching.answers.asking import ask
from anagnosis.searching.index.index import open_index


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
    clock, processor = [], []
    for question in (questions[0], *questions):
        began, spent = time.perf_counter(), time.process_time()
        ask(index, question, readers=readers)
        clock.append(time.perf_counter() - began)
        processor.append(time.process_time() - spent)
    count = index.count()
    index.close()
    print(f"{len(questions)} questions over {count.documents:,} papers ({count.passages:,} passages)")
    for name, seconds in (("clock", clock[1:]), ("processor", processor[1:])):
        median, late = np.quantile(seconds, [0.5, 0.95])
        print(f"  {name}: median {median:.2f} s, 95th {late:.2f} s, greatest {max(seconds):.2f} s")


if __name__ == "__main__":
    main()
