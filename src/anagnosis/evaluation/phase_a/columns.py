"""The questions of a split and what a system retrieves for them, scored by an edition of the organisers' program."""

from __future__ import annotations

from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.relevant_items import RelevantItems
from anagnosis.errors import InputError
from anagnosis.evaluation.kept_with_run import kept_with_run
from anagnosis.evaluation.phase_a.editions import EDITIONS
from anagnosis.evaluation.phase_a.items import ItemScores
from anagnosis.evaluation.phase_a.scores import SCORES
from anagnosis.predictions import Matched

PROTOCOLS = {f"organisers-{edition}": rules for edition, rules in EDITIONS.items()}
_NOTHING = RelevantItems()


@kept_with_run
def item_scores(gold: Gold, run: Matched, protocol: str, kind: str) -> list[tuple[int, ItemScores]]:
    """(row, scores) of each question that counts. kind: of items, one of SCORES.

    A question without a line is left out. InputError: the dataset has no relevant items, or the run was matched with
    one that has none; lines that hold answers alone; snippets that cannot be joined.
    """
    if gold.relevant is None:
        raise InputError(f"no gold {kind}", f"{gold.dataset} {gold.split}", "choose another measure")
    answers_alone = (run.typed or run.free) and not any(items is not None for items in run.retrieved or ())
    if run.retrieved is None or answers_alone:
        raise InputError(
            f"no {kind} on its lines", run.name, "choose another measure, or name other predictions"
        )
    rules, scores = PROTOCOLS[protocol], SCORES[kind]
    found: list[tuple[int, ItemScores]] = []
    for row, (relevant, retrieved) in enumerate(zip(gold.relevant(), run.retrieved, strict=True)):
        if run.heard[row]:
            score = scores(retrieved or _NOTHING, relevant, rules)
            if score is not None:
                found.append((row, score))
    return found
