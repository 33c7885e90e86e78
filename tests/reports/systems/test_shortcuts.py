from __future__ import annotations

from pathlib import Path

import pytest
from tests.reports.cloze import dataset, instance
from tests.reports.conftest import Scored
from tests.reports.stored import check_stored

from anagnosis import api
from anagnosis.datasets import shortcuts
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.decision import DecisionInstance
from anagnosis.errors import InputError
from anagnosis.evaluation.results import ScoredDataset
from anagnosis.evaluation.shortcuts import shortcuts as measured
from anagnosis.predictions import Matched
from anagnosis.reports import render
from anagnosis.reports.records import report
from anagnosis.reports.report import Block
from anagnosis.reports.systems.results import shortcut_blocks
from anagnosis.submissions.shortcut_readers import shortcut_readers


def _blocks(scored: Scored, readers: dict[str, Matched | str]) -> list[Block]:
    card = shortcuts.card({split: store.instances(scored.dataset, split) for split in scored.dataset.sizes})
    found = measured(scored.gold, card, readers, unit="document", measures=["accuracy"])
    return [*shortcut_blocks(found, ScoredDataset.of(scored.dataset, [scored.gold]))]


def test_without_a_train_part_what_counts_is_undefined_and_says_why(tmp_path: Path) -> None:
    made = writing.write(tmp_path / "tiny", {"test": [instance("1:1")]}, {"dataset": "biomrc"})
    readers = shortcut_readers(made, Gold.of(made, "test"))
    assert "no train part" in readers["entity-prior"]
    assert isinstance(readers["neighbour-overlap"], Matched)


def test_nothing_is_fitted_on_what_it_is_tested_on(tmp_path: Path) -> None:
    mine = dataset(tmp_path / "mine")
    readers = shortcut_readers(mine, Gold.of(mine, "train"))
    assert "fitted on" in readers["best-position"]


def test_the_local_view_leaves_undefined_what_needs_to_know_an_entity_again(scored: Scored) -> None:
    readers = shortcut_readers(scored.dataset, scored.gold, view="local")
    of_identity = ("question-words", "entity-prior")
    assert all(isinstance(readers[name], str) for name in of_identity)
    assert isinstance(readers["best-position"], Matched)
    check_stored("shortcuts-local", _blocks(scored, readers))


def test_numbers_of_each_instance_leave_it_undefined_too(scored: Scored, tmp_path: Path) -> None:
    splits = {split: store.instances(scored.dataset, split) for split in ("train", "test")}
    recipe = {"dataset": "biomrc", "text_form": "replaced", "numbering": "local"}
    made = writing.write(tmp_path / "local", splits, recipe)
    readers = shortcut_readers(made, Gold.of(made, "test"))
    assert isinstance(readers["question-words"], str)
    assert isinstance(readers["best-position"], Matched)


def test_the_section_has_the_card_and_all_readers(scored: Scored) -> None:
    check_stored("shortcuts", _blocks(scored, shortcut_readers(scored.dataset, scored.gold)))


def test_it_follows_the_measure_that_is_asked_for(tmp_path: Path) -> None:
    """Of decisions: always the commonest label has 4 of 6 right, and a macro-F1 of (0.8 + 0 + 0) / 3."""
    labels = ["yes"] * 4 + ["no", "maybe"]
    parts = {
        split: [
            DecisionInstance(f"{split}{n}", f"Is {split} {n}?", (), None, label)
            for n, label in enumerate(labels)
        ]
        for split in ("train", "test")
    }
    made = writing.write(tmp_path / "made", parts, {"dataset": "made", "kind": "decision"})
    right = tmp_path / "right.jsonl"
    right.write_text("".join(f'{{"id": "test{n}", "answer": "{label}"}}\n' for n, label in enumerate(labels)))
    results = api.evaluate(made, [right], measures=["macro_f1", "accuracy"], shortcuts=True, draws=100)
    assert results.shortcuts.card == ()
    (majority,) = results.shortcuts.readers
    assert majority.name == "majority"
    f1, accuracy = majority.measures["macro_f1"], majority.measures["accuracy"]
    assert (f1.value, accuracy.value) == pytest.approx((0.8 / 3, 4 / 6))
    assert "|measure:macro_f1|" in f1.signature
    assert "Simple readers on test" in render(report(results), ".txt")


def test_a_split_on_which_no_reader_is_defined_is_refused_with_the_reason(tmp_path: Path) -> None:
    decisions = [DecisionInstance(f"t{n}", f"Is it {n}?", (), None, "yes") for n in range(3)]
    made = writing.write(tmp_path / "made", {"train": decisions}, {"dataset": "made", "kind": "decision"})
    answers = tmp_path / "answers.jsonl"
    answers.write_text("".join(f'{{"id": "t{n}", "answer": "yes"}}\n' for n in range(3)))
    with pytest.raises(InputError, match=r"majority: it would be tested on what it was fitted on"):
        api.evaluate(made, [answers], split="train", shortcuts=True)
