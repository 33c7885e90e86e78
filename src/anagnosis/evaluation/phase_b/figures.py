"""The ten figures of the organisers' program for phase B, of a golden file's questions and a submission's.

Yes/no accuracy, factoid strict, lenient and MRR, list precision, recall and F1, yes/no macro F1, F1 of yes and of no; 0
where no question counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import fmean
from typing import Any

from anagnosis.datasets.kinds.question import FACTOID, LIST, YESNO
from anagnosis.evaluation.phase_b.rules import SCORED, Asked, Given, Pair, rules_of
from anagnosis.evaluation.phase_b.scores import YES, decided
from anagnosis.evaluation.phase_b.shapes import ABSENT


def figures(
    golden: Iterable[Mapping[str, Any]], system: Iterable[Mapping[str, Any]], edition: int
) -> dict[str, float]:
    """Name → figure. golden, system: objects of the organisers' JSON, their numbers parsed by `shapes.parsed`.

    OrganisersProgramError: the program prints none. Of an id that the system holds twice the first counts; one that is
    golden twice counts twice.
    """
    rules = rules_of(f"organisers-{edition}")
    given: dict[str, Given] = {}
    for question in system:
        own = Given(value=question.get("exact_answer", ABSENT))
        # The program reads every question before it looks for any, those of no golden one too.
        rules.pair(Asked(question["id"], "", ((),), [["a"]]), own)
        given.setdefault(question["id"], own)
    pairs: dict[str, list[Pair]] = {type: [] for type in SCORED}
    for question in golden:
        asked = Asked(question["id"], question.get("type", ""), None, question.get("exact_answer", ABSENT))
        answer = given.get(asked.id)
        if asked.type not in pairs:
            rules.pair(asked, Given())
        elif (pair := rules.pair(asked, answer)) is not None:
            pairs[asked.type].append(pair)
    factoids = [rules.factoid(pair) for pair in pairs[FACTOID]]
    lists = [rules.listed(pair) for pair in pairs[LIST]]
    decisions = [(decided(pair.entries), decided(pair.answers)) for pair in pairs[YESNO]]
    wrong = sum(gold != answer for gold, answer in decisions)
    right_yes = sum(gold == answer == YES for gold, answer in decisions)
    yes, no = (_f1(right, wrong) for right in (right_yes, len(decisions) - wrong - right_yes))
    return {
        "yesno_accuracy": _mean([float(gold == answer) for gold, answer in decisions]),
        "factoid_strict": _mean([score.strict for score in factoids]),
        "factoid_lenient": _mean([score.lenient for score in factoids]),
        "factoid_mrr": _mean([score.reciprocal_rank for score in factoids]),
        "list_precision": _mean([score.precision for score in lists]),
        "list_recall": _mean([score.recall for score in lists]),
        "list_f1": _mean([score.f1 for score in lists]),
        "yesno_macro_f1": (yes + no) / 2,
        "yesno_f1_yes": yes,
        "yesno_f1_no": no,
    }


def _mean(values: list[float]) -> float:
    return fmean(values) if values else 0.0


def _f1(right: int, wrong: int) -> float:
    return 2 * right / (2 * right + wrong) if right else 0.0
