"""Shares of a user's labels: of the instances that have any, in the order of the list, with the mean."""

from __future__ import annotations

import pytest

from anagnosis.datasets.label_file import LabelFile, LabelList
from anagnosis.datasets.label_shares import label_shares

SKILLS = LabelList("skill", ("bridging", "ellipsis", "analogy", "none"), "none", {"none": 0.16}, 2.85)
COLUMNS = {
    "skills": {"1": ("bridging", "ellipsis"), "2": ("none",), "3": ("bridging",), "4": ("bridging", "none")},
    "kind": {"1": ("b",), "2": ("a",), "9": ("a", "c")},
    "empty": {},
}


def test_shares_are_of_instances_with_a_label_in_the_column() -> None:
    found = label_shares(LabelFile("l.csv", COLUMNS, lists={"skills": SKILLS}))
    assert (found.file, found.instances) == ("l.csv, 5 instances labelled", 5)
    skills, kind, empty = found.columns
    assert [(each.label, each.instances, each.share) for each in skills.labels] == [
        ("bridging", 3, 3 / 4),
        ("ellipsis", 1, 1 / 4),
        ("analogy", 0, 0),
        ("none", 2, 2 / 4),
    ]
    assert [each.published for each in skills.labels] == [None, None, None, 0.16]
    assert (skills.published, kind.published) == (True, False)
    assert [(each.label, each.instances) for each in kind.labels] == [("a", 2), ("b", 1), ("c", 1)]
    assert (empty.labels, empty.instances, empty.mean) == ((), 0, None)


def test_the_label_that_stands_alone_counts_as_no_skill() -> None:
    skills, kind, _ = label_shares(LabelFile("l.csv", COLUMNS, lists={"skills": SKILLS})).columns
    assert (skills.instances, skills.mean, skills.published_mean) == (4, 4 / 4, 2.85)
    assert (kind.mean, kind.published_mean) == (pytest.approx(4 / 3), None)
