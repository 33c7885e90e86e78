"""How often the rules name the type of a PubMedQA question that a reader named.

    python benchmarks/pubmedqa_question_types.py ori_pqal.json

The marks are those of design/pubmedqa_question_types.csv: 200 questions of PQA-L drawn at random, all marked before any
rule was written; the rules were then written over the first hundred and some others, and the second hundred was looked
at once, after. Prints both agreements, what was named instead of what, and the shares beside Table 3.
"""

from __future__ import annotations

import csv
import sys
from collections import Counter
from pathlib import Path

from anagnosis.datasets.pubmedqa import rows
from anagnosis.datasets.pubmedqa.question_types import PUBLISHED, QUESTION_TYPES, question_type
from anagnosis.evaluation.intervals import wilson
from anagnosis.files import open_input

MARKS = Path(__file__).resolve().parents[1] / "design" / "pubmedqa_question_types.csv"


def main() -> None:
    with open_input(Path(sys.argv[1])) as stream:
        questions = {ident: row["QUESTION"] for _, ident, row in rows.read_json(stream, "ori_pqal.json")}
    with MARKS.open(encoding="utf-8", newline="") as stream:
        marks = [(row["drawn"], row["id"], row["type"]) for row in csv.DictReader(stream)]
    for drawn in ("first", "second"):
        pairs = [(mark, question_type(questions[ident])) for which, ident, mark in marks if which == drawn]
        agreed = sum(mark == rule for mark, rule in pairs)
        interval = wilson(agreed / len(pairs), len(pairs))
        print(
            f"{drawn} {len(pairs)}: {agreed} alike [{interval.low:.3f}, {interval.high:.3f}], "
            f"kappa {kappa(pairs):.2f}; "
            + ", ".join(
                f"{mark} named {rule} {count}"
                for (mark, rule), count in Counter(pairs).most_common()
                if mark != rule
            )
        )
    found = {
        "rules": Counter(map(question_type, questions.values())),
        "marks": Counter(mark for *_, mark in marks),
    }
    print(f"\n{'':12}{'Table 3':>10}{'rules':>10}{'marks':>10}")
    for name in QUESTION_TYPES:
        shares = (100 * counts[name] / counts.total() for counts in found.values())
        print(f"{name:12}{PUBLISHED[name]:>10.1f}" + "".join(f"{share:>10.1f}" for share in shares))


def kappa(pairs: list[tuple[str, str]]) -> float:
    """Cohen's."""
    observed = sum(one == other for one, other in pairs) / len(pairs)
    left, right = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    chance = sum(left[name] * right[name] for name in left) / len(pairs) ** 2
    return (observed - chance) / (1 - chance)


if __name__ == "__main__":
    main()
