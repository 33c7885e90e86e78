"""The authors' splits: parts by label, the rest where their script puts it."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st
from tests.decisions import rows

from anagnosis.datasets.folder import writing
from anagnosis.datasets.kinds.decision import LABELS, DecisionInstance, Subset
from anagnosis.datasets.pubmedqa.folds import artificial_split, official_split, split_of

if TYPE_CHECKING:
    from pathlib import Path


@given(st.lists(st.sampled_from(LABELS), min_size=1, max_size=400))
def test_test_set_and_folds_hold_each_instance_once(labels: list[str]) -> None:
    found = {str(place): label for place, label in enumerate(labels)}
    split = official_split(found)
    everything = [*split.test, *(ident for own in split.folds for ident in own)]
    assert sorted(everything) == sorted(found)
    for fold, own in enumerate(split.folds):
        assert sorted([*own, *split.train(fold)]) == sorted(set(found) - set(split.test))


def test_our_sample_is_drawn_as_before() -> None:
    split = official_split({ident: row["final_decision"] for ident, row in rows().items()})
    assert split.test[:4] == ("30000017", "30000002", "30000009", "30000007")
    assert [len(own) for own in split.folds] == [2, 2, 2, 1, 1, 1, 1, 0, 0, 10]
    assert split.folds[9][-5:] == ("30000029", "30000033", "30000016", "30000015", "30000005")


def test_folds_hold_what_people_labelled_alone(tmp_path: Path) -> None:
    subsets: tuple[Subset, ...] = ("L", "A", "L", "U")
    found = [
        DecisionInstance(
            f"{n}", "Does tea help?", (), None, None if own == "U" else "yes", place=n, subset=own
        )
        for n, own in enumerate(subsets)
    ]
    split = split_of(writing.write(tmp_path / "d", {"train": found}, {"dataset": "x", "kind": "decision"}))
    assert sorted([*split.test, *(ident for own in split.folds for ident in own)]) == ["0", "2"]


def test_labels_by_rule_are_shuffled_once() -> None:
    train, dev = artificial_split(map(str, range(10)), 7)
    assert (train, dev) == (["7", "8", "1", "5", "3", "4", "2"], ["0", "9", "6"])


def test_the_published_lists(shared: Path) -> None:
    with gzip.open(shared / "data/pubmedqa/ori_pqal.json.gz") as stream:
        published = json.load(stream)
    with gzip.open(shared / "data/pubmedqa/pqal_folds.json.gz") as stream:
        expected = json.load(stream)
    split = official_split({ident: row["final_decision"] for ident, row in published.items()})
    assert list(split.test) == expected["test_set"]
    for fold, own in enumerate(split.folds):
        assert list(own) == expected[f"pqal_fold{fold}/dev_set"]
