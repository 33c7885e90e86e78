"""Always the most frequent label of the train part (PubMedQA, Tables 5 to 8: "Majority")."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from anagnosis.datasets.kinds.decision import LABELS, DecisionInstance


def fit(instances: Iterable[DecisionInstance]) -> Callable[[DecisionInstance], list[float]]:
    """Scores are the labels' shares of the train part, in the order of LABELS; all 0 without labels."""
    counts = Counter(instance.label for instance in instances if instance.label is not None)
    total = max(1, counts.total())
    shares = [counts[label] / total for label in LABELS]
    return lambda instance: shares
