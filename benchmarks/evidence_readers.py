"""A trained reader of sentences beside the order by words: what `ask` quotes with it and without.

    python benchmarks/evidence_readers.py FOLDER READER [--sets bioasq-8,scifact-validation,…] [--every N]

FOLDER is as in evidence_sets.py. READER: a run of `anagnosis train evidence-…`, such as readers/evidence. For each set:
how often the first quoted sentence is gold, and how many of at most five gold sentences are quoted, with the paired
95 % interval of the first. --every: only every N-th question of a set, to save time.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from anagnosis.searching.fit.evidence_measuring import Posed, measured
from anagnosis.searching.sentences.trained_highlighting import load_highlighter
from evidence_sets import COVID, Sets

MEASURED = ("scifact-validation", COVID, "bioasq-7", "bioasq-8")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("reader", type=Path)
    parser.add_argument("--sets", default=",".join(MEASURED))
    parser.add_argument("--every", type=int, default=1)
    options = parser.parse_args()
    reader = load_highlighter(options.reader, "cpu", 1)
    print(
        "| set | questions | first, by words | with the reader | difference | recall@5, by words | with it |"
    )
    print("| --- | ---: | ---: | ---: | --- | ---: | ---: |")
    with tempfile.TemporaryDirectory() as scratch:
        sets = Sets(options.folder, Path(scratch))
        for name in options.sets.split(","):
            index, questions = sets.load(name)
            posed = [
                Posed(
                    one.question,
                    {ident: [text.casefold() for text in texts] for ident, texts in one.gold.items()},
                )
                for one in questions[:: options.every]
            ]
            found = measured(index, posed, reader, name, "")
            index.close()
            first = f"{found.first_by_words:.3f} | {found.first:.3f}"
            apart = f"{found.first - found.first_by_words:+.3f} [{found.low:.3f}, {found.high:.3f}]"
            recall = f"{found.recall_by_words:.3f} | {found.recall:.3f}"
            print(f"| {name} | {found.questions:,} | {first} | {apart} | {recall} |", flush=True)


if __name__ == "__main__":
    main()
