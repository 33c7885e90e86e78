"""The drawings that a table can ask for, by name, and what their tables hold.

| drawing                   | its table                                                                   |
|---------------------------|-----------------------------------------------------------------------------|
| accuracy_by_candidates    | group in order, instances or answers, then one column of estimates a system (Figure 3) |
| accuracy_by_group         | the same for groups without an order: points beside each other, no lines    |
| score_by_training_size    | name (of several rows each), training instances, share, runs, mean, deviation, each run |
| accuracy_with_intervals   | name, …, the first column of percent                                        |
| difference_with_intervals | name, …, the first column of differences; a line at zero                    |
| left_after_each_rule      | name, …, the column `left`; a bar for each row                              |
| share_of_each             | name, …, a share; a bar for each row                                        |
| reliability               | name (of several rows each), answers, confidence, accuracy; a line where both are equal |
| risk_by_coverage          | coverage, answered, then one column of estimates a system                   |
| best_over_time            | name, date, an estimate, text for the best of their time; a stair through these |
| flows                     | column, label, column, label, instances, share (`flows.py`)                 |
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from anagnosis.reports.renderers import plots
from anagnosis.reports.renderers.flows import flows
from anagnosis.reports.report import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DRAWINGS: dict[str, Callable[[Table], Figure]] = {
    "accuracy_by_candidates": plots.accuracy_by_candidates,
    "accuracy_by_group": plots.accuracy_by_group,
    "score_by_training_size": plots.score_by_training_size,
    "accuracy_with_intervals": plots.accuracy_with_intervals,
    "difference_with_intervals": plots.difference_with_intervals,
    "left_after_each_rule": plots.left_after_each_rule,
    "share_of_each": plots.share_of_each,
    "reliability": plots.reliability,
    "risk_by_coverage": plots.risk_by_coverage,
    "best_over_time": plots.best_over_time,
    "flows": flows,
}
