"""The questions of a split and a system's answers to them, paired by the rules of a protocol."""

from __future__ import annotations

import numpy as np

from anagnosis.datasets.bioasq.exact_answers import parsed
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.question import FACTOID, LIST, YESNO
from anagnosis.evaluation.kept_with_run import kept_with_run
from anagnosis.evaluation.phase_b.questions import SCORED, Given, GoldAnswer, Pair
from anagnosis.evaluation.phase_b.rules import rules_of
from anagnosis.evaluation.phase_b.scores import FactoidScore, ListScore, decided
from anagnosis.evaluation.phase_b.shapes import ABSENT, UNKNOWN
from anagnosis.predictions import Matched


@kept_with_run
def pairs(gold: Gold, run: Matched, protocol: str) -> dict[str, list[tuple[int, Pair]]]:
    """type → (row, the question that is scored) of each question that counts.

    OrganisersProgramError: the organisers' program stops at a question.
    """
    rules = rules_of(protocol)
    found: dict[str, list[tuple[int, Pair]]] = {type: [] for type in SCORED}
    for row in np.flatnonzero(gold.answer >= 0).tolist():
        asked = _gold_answer(gold, row)
        scored = asked.type in found
        given = _given(run, row)
        pair = rules.pair(asked, given if scored or given is not None else Given())
        if scored and pair is not None:
            found[asked.type].append((row, pair))
    return found


@kept_with_run
def factoid_scores(gold: Gold, run: Matched, protocol: str) -> list[tuple[int, FactoidScore]]:
    """(row, scores) of each factoid question that counts."""
    rules = rules_of(protocol)
    return [(row, rules.factoid(pair)) for row, pair in pairs(gold, run, protocol)[FACTOID]]


@kept_with_run
def list_scores(gold: Gold, run: Matched, protocol: str) -> list[tuple[int, ListScore]]:
    """(row, scores) of each list question that counts."""
    rules = rules_of(protocol)
    return [(row, rules.listed(pair)) for row, pair in pairs(gold, run, protocol)[LIST]]


def decisions(gold: Gold, run: Matched, protocol: str) -> list[tuple[int, str, str]]:
    """(row, gold decision, the system's) of each yes/no question that counts; "" for neither yes nor no."""
    return [
        (row, decided(pair.entries), decided(pair.answers)) for row, pair in pairs(gold, run, protocol)[YESNO]
    ]


def _gold_answer(gold: Gold, row: int) -> GoldAnswer:
    value = UNKNOWN
    if gold.exact_json is not None:
        text = gold.exact_json[row]
        value = ABSENT if text is None else parsed(text)
    entries = None if gold.exact is None else gold.exact[row]
    return GoldAnswer(gold.ids.between(row, row + 1)[0], gold.labels[gold.answer[row]], entries, value)


def _given(run: Matched, row: int) -> Given | None:
    """None where the system has no line for the question."""
    if not run.heard[row]:
        return None
    texts = () if run.texts is None else run.texts[row]
    if run.spelled is None:
        return Given(texts)
    text = run.spelled.get(row)
    return Given(texts, ABSENT if text is None else parsed(text))
