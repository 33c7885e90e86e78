"""How often names that answer are right: BioASQ's newest questions, each judged by a fit on other questions.

    python benchmarks/names.py GOLDEN.tar.gz|FOLDER … [--out readers]

GOLDEN: BioASQ's golden files. The figures that the reader's folder holds: strict (letter for letter except
case) and lenient (spellings count as equal). --out: also store the
reader, in names/ of this folder.
"""

from __future__ import annotations

import argparse
import tempfile
from datetime import date
from pathlib import Path

import anagnosis
from anagnosis.searching.entities.ranking import store_name_weights
from anagnosis.searching.fit.name_fitting import fit


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("golden", nargs="+")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        dataset = anagnosis.import_dataset(options.golden, Path(scratch) / "questions", layout="bioasq")
        made = fit(dataset, date=date.today().isoformat())
    print(f"{made.questions} questions of {made.data}; names from a confidence of {made.least}")
    print(made.figures.says)
    print("earned" if made.figures.earned else "not earned: names are off")
    if options.out:
        store_name_weights(options.out / "names", made)


if __name__ == "__main__":
    main()
