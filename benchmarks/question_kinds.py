"""The kinds of questions by rules (language/question_kinds.py): accuracy, macro-F1 and the confusion matrix.

    python benchmarks/question_kinds.py GOLDEN.tar.gz|FOLDER … [--errors]

BioASQ's editions 1 to 6, on which the lists were written, and 7 and 8; of 200 of them the kind of answer, labelled by
hand; and our questions. --errors: also print each question whose kind is wrong, but not of 7 and 8.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import anagnosis
from anagnosis.datasets.folder.store import instances
from anagnosis.datasets.kinds.question import QuestionInstance
from anagnosis.evaluation.intervals import wilson
from anagnosis.language.question_kinds import ANSWERS, KINDS, answer_kind, kind_of_question

OURS = Path(__file__).parent / "questions/kinds.jsonl"
LABELLED = OURS.with_name("answer_kinds.jsonl")
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
        for name, editions, errors in (("1 to 6", range(1, 7), options.errors), ("7 and 8", (7, 8), False)):
            files = tuple(f"{edition}B" for edition in editions)
            pairs = [(one.type, one.question) for one in every if one.file.startswith(files)]
            report(f"BioASQ {name}", pairs, errors)
        texts = {one.id: one.question for one in every}
    labelled = [json.loads(line) for line in LABELLED.read_text("utf-8").splitlines()]
    pairs = [(one["kind"], texts[one["id"]]) for one in labelled if one["id"] in texts]
    report("Kinds of answers, BioASQ 2 to 8", pairs, options.errors, ANSWERS, answer_kind)
    ours = [json.loads(line) for line in OURS.read_text("utf-8").splitlines()]
    for part in ("first", "second"):
        pairs = [(one["kind"], one["question"]) for one in ours if one["part"] == part]
        report(f"our {part} questions", pairs, options.errors)


def report(
    name: str,
    pairs: Sequence[tuple[str, str]],
    errors: bool,
    kinds: Sequence[str] = KINDS,
    rule: Callable[[str], str] = kind_of_question,
) -> None:
    """Print the figures of a set. Rows of the matrix: gold; columns: by the rule; both in the order of `kinds`."""
    if not pairs:
        return
    ruled = [(gold, rule(question)) for gold, question in pairs]
    counts = Counter(ruled)
    right = sum(gold == kind for gold, kind in ruled) / len(ruled)
    interval = wilson(right, len(ruled))
    of_kinds = [f1(counts, kind, kinds) for kind in kinds]
    print(f"{name}: {len(ruled):,} questions; accuracy {right:.3f} [{interval.low:.3f}, {interval.high:.3f}];"
          f" macro-F1 {math.fsum(of_kinds) / len(kinds):.3f}")  # fmt: skip
    for gold, value in zip(kinds, of_kinds, strict=True):
        print(f"  {gold:10} {'  '.join(f'{counts[gold, kind]:5}' for kind in kinds)}   F1 {value:.3f}")
    if errors:
        for (gold, kind), (_, question) in zip(ruled, pairs, strict=True):
            if gold != kind:
                print(f"    {gold}, by rules {kind}: {question}")


def f1(counts: Counter[tuple[str, str]], kind: str, kinds: Sequence[str]) -> float:
    """F1 of a kind. counts: of (gold, by rules)."""
    both = counts[kind, kind]
    return 2 * both / max(1, sum(counts[kind, one] + counts[one, kind] for one in kinds))


if __name__ == "__main__":
    main()
