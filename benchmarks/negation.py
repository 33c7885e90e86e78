"""How often the cues of negation mark the conclusions of papers that say yes, no and maybe.

    anagnosis import ori_pqal.json --layout pubmedqa --out built/pqal
    python benchmarks/negation.py built/pqal

Of PubMedQA's labelled questions: `long_answer` is the conclusion, the label what people read in it.
"""

from __future__ import annotations

import sys
from collections import Counter

from anagnosis import api
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.decision import LABELS
from anagnosis.language.negation import negated


def main(folder: str) -> None:
    dataset = api.load(folder)
    every, marked = Counter[str](), Counter[str]()
    for split in dataset.rows:
        for one in store.instances(dataset, split):
            if one.label is not None and one.long_answer is not None:
                every[one.label] += 1
                marked[one.label] += negated(one.long_answer)
    for label in LABELS:
        print(f"{label:6} {marked[label]:4} of {every[label]:4}  {marked[label] / every[label]:.1%}")


if __name__ == "__main__":
    main(sys.argv[1])
