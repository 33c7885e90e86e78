"""The kinds of questions by rules (language/question_kinds.py): accuracy, macro-F1 and the confusion matrix.

    python benchmarks/question_kinds.py GOLDEN.tar.gz|FOLDER … [--errors]

BioASQ's editions 1 to 6, on which the lists were written, and 7 and 8; and benchmarks/questions/kinds.jsonl.
--errors: also print each question whose kind is wrong, of editions 1 to 6 and of kinds.jsonl.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import anagnosis
from anagnosis.datasets.bioasq.held_out import edition_of
from anagnosis.datasets.folder.store import instances
from anagnosis.datasets.kinds.question import QuestionInstance
from anagnosis.evaluation.intervals import wilson
from anagnosis.language.question_kinds import KINDS, kind_of_question

OURS = Path(__file__).parent / "questions/kinds.jsonl"
Pairs = list[tuple[str, str]]  # kind, question


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("golden", nargs="+")
    parser.add_argument("--errors", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        dataset = anagnosis.import_dataset(options.golden, Path(scratch) / "questions", layout="bioasq")
        every = [
            one for part in dataset.sizes for one in instances(dataset, part, of=QuestionInstance) if one.type
        ]
        report(
            "BioASQ 1 to 6",
            [(one.type, one.question) for one in every if 1 <= edition_of(one.file) <= 6],
            options.errors,
        )
        report(
            "BioASQ 7 and 8",
            [(one.type, one.question) for one in every if edition_of(one.file) in (7, 8)],
            False,
        )
    ours = [json.loads(line) for line in OURS.read_text("utf-8").splitlines()]
    for part in ("first", "second"):
        pairs = [(one["kind"], one["question"]) for one in ours if one["part"] == part]
        report(f"our {part} questions", pairs, options.errors)


def report(name: str, pairs: Sequence[tuple[str, str]], errors: bool) -> None:
    """Print the figures of a set. Rows of the matrix: gold; columns: by rules; both in the order of KINDS."""
    if not pairs:
        return
    ruled = [(gold, kind_of_question(question)) for gold, question in pairs]
    counts = Counter(ruled)
    right = sum(gold == kind for gold, kind in ruled) / len(ruled)
    interval = wilson(right, len(ruled))
    of_kinds = [f1(counts, kind) for kind in KINDS]
    print(f"{name}: {len(ruled):,} questions; accuracy {right:.3f} [{interval.low:.3f}, {interval.high:.3f}];"
          f" macro-F1 {math.fsum(of_kinds) / len(KINDS):.3f}")  # fmt: skip
    for gold, value in zip(KINDS, of_kinds, strict=True):
        print(f"  {gold:8} {'  '.join(f'{counts[gold, kind]:5}' for kind in KINDS)}   F1 {value:.3f}")
    if errors:
        for (gold, kind), (_, question) in zip(ruled, pairs, strict=True):
            if gold != kind:
                print(f"    {gold}, by rules {kind}: {question}")


def f1(counts: Counter[tuple[str, str]], kind: str) -> float:
    """F1 of a kind. counts: of (gold, by rules)."""
    both = counts[kind, kind]
    return 2 * both / max(1, sum(counts[kind, one] + counts[one, kind] for one in KINDS))


if __name__ == "__main__":
    main()
