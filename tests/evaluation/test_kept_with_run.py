"""What measures share is computed once for a run, and goes with it."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace

from tests.phase_a_figures import matched_pairs

from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.relevant_items import RelevantItems
from anagnosis.evaluation.kept_with_run import kept_with_run
from anagnosis.predictions import Matched


class _Value:
    pass


def test_it_is_computed_once_for_each_gold_side_run_and_names_and_goes_with_the_run() -> None:
    @kept_with_run
    def value(gold: Gold, run: Matched, protocol: str) -> _Value:
        return _Value()

    gold, run = matched_pairs([(RelevantItems(), RelevantItems())])
    first = value(gold, run, "a")
    assert value(gold, run, "a") is first
    assert first not in (
        value(gold, run, "b"),
        value(gold, replace(run), "a"),
        value(replace(gold), run, "a"),
    )
    left = weakref.ref(first)
    del first
    gc.collect()
    assert left() is not None
    del run
    gc.collect()
    assert left() is None
