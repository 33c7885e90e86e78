"""How many instances a second the baselines answer, beside the floor of reading the instances.

    python benchmarks/baselines.py [--documents N]

On a dataset built from synthetic documents. BASE4 with its three ways of counting is the costliest.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import anagnosis
from anagnosis.datasets.folder import store
from anagnosis.readers.predict import make_reader

READERS = {
    "first-entity": {},
    "most-frequent-unless-alone": {},
    "neighbour-overlap": {},
    "neighbour-overlap, pairs": {"counting": "pairs"},
    "ngram-occurrences": {},
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--documents", type=int, default=2_000)
    documents = parser.parse_args().documents
    with tempfile.TemporaryDirectory() as scratch:
        corpus = Path(scratch) / "synthetic.pubtator"
        anagnosis.generate(documents, corpus)
        dataset = anagnosis.build("biomrc", [corpus], Path(scratch) / "built", workers=1)
        started = time.process_time()
        instances = list(store.instances(dataset, "train"))
        floor = time.process_time() - started
        print(f"{len(instances):,} synthetic instances; read at {len(instances) / floor:,.0f} per CPU-second")
        for name, options in READERS.items():
            reader = make_reader(name.partition(",")[0], options, training=tuple)
            started = time.process_time()
            for instance in instances:
                reader(instance)
            passed = time.process_time() - started
            print(
                f"{name}: {len(instances) / passed:,.0f} per CPU-second, {passed / floor:.2f} times reading them"
            )


if __name__ == "__main__":
    main()
