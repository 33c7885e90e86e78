"""Table 1 of PubMedQA, counted by hand: shares of answers, words of questions, contexts and long answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from anagnosis.datasets.folder import writing
from anagnosis.datasets.kinds.decision import ContextSection, DecisionInstance, Subset
from anagnosis.datasets.pubmedqa import statistics
from anagnosis.datasets.pubmedqa.statistics import Figures, decision_statistics


def instance(
    ident: str, label: str | None, long_answer: str | None, *, subset: Subset = "L"
) -> DecisionInstance:
    context = (ContextSection("AIM", "one two"), ContextSection("METHODS", "three"))
    return DecisionInstance(ident, "Is it so?", context, long_answer, label, subset=subset)


def test_shares_and_mean_words_are_those_of_the_instances_that_have_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statistics, "counter", lambda: ("blanks", lambda text: len(text.split())))
    given = [
        instance("1", "yes", "It is so."),
        instance("2", "yes", None),
        instance("3", "no", "No."),
        instance("4", None, None),
        instance("5", None, None, subset="U"),
    ]
    dataset = writing.write(tmp_path / "d", {"train": given}, {"dataset": "pubmedqa", "kind": "decision"})
    subsets = decision_statistics(dataset).subsets
    shares: dict[str, float | None] = {"yes": 2 / 3, "no": 1 / 3, "maybe": 0.0}
    assert subsets["L"].figures == Figures(4, shares, question=3.0, context=3.0, long_answer=2.0)
    assert (subsets["U"].figures.labels["yes"], subsets["U"].figures.long_answer) == (None, None)
