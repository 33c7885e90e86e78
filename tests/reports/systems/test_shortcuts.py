from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.reports.cloze import dataset, instance
from tests.reports.conftest import Scored
from tests.reports.stored import check_stored
from tests.rows import each_row

from anagnosis import api
from anagnosis.datasets import shortcuts
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.decision import DecisionInstance
from anagnosis.datasets.shortcuts import SHORTCUT_READERS
from anagnosis.errors import InputError
from anagnosis.evaluation.measures.accuracy import expected
from anagnosis.evaluation.results import ScoredDataset
from anagnosis.evaluation.shortcuts import ShortcutReader, hard_subset
from anagnosis.evaluation.shortcuts import shortcuts as measured
from anagnosis.evaluation.systems import System
from anagnosis.readers.predict import points_at
from anagnosis.reports import render
from anagnosis.reports.records import report
from anagnosis.reports.report import Block
from anagnosis.reports.systems.shortcuts import hard_table, shortcut_blocks
from anagnosis.submissions.shortcut_readers import shortcut_readers


def _blocks(scored: Scored, readers: list[ShortcutReader]) -> list[Block]:
    systems = {each.name: System.alone(each) for each in scored.matched}
    card = shortcuts.card({split: store.instances(scored.dataset, split) for split in scored.dataset.sizes})
    found = measured(
        scored.gold,
        card,
        readers,
        {None: systems},
        unit="document",
        protocol="expected",
        measures=["accuracy"],
    )
    (on_hard,) = found.measures["accuracy"].on_hard
    described = ScoredDataset.of(scored.dataset, [scored.gold])
    return [
        *shortcut_blocks(found, described),
        hard_table(found, "accuracy", on_hard),
    ]


def test_all_shortcut_readers_are_run_with_ties_shared(scored: Scored) -> None:
    readers = {reader.name: reader for reader in shortcut_readers(scored.dataset, scored.gold)}
    assert list(readers) == list(SHORTCUT_READERS["cloze"])
    credits = {name: _credits(scored.gold, readers[name]) for name in ("first-entity", "entity-prior")}
    assert credits["first-entity"] == [1, 0, 0, 0] * 3
    assert readers["first-entity"].points.tolist() == [True, False, False, False] * 3
    assert credits["entity-prior"] == [0.25] * 12  # every entity is the answer of two train questions
    assert not readers["entity-prior"].points.any()


def test_without_a_train_part_what_counts_is_undefined_and_says_why(tmp_path: Path) -> None:
    made = writing.write(tmp_path / "tiny", {"test": [instance("1:1")]}, {"dataset": "biomrc"})
    readers = {reader.name: reader for reader in shortcut_readers(made, Gold.of(made, "test"))}
    assert readers["entity-prior"].run is None
    assert "no train part" in readers["entity-prior"].undefined
    assert readers["neighbour-overlap"].run is not None


def test_nothing_is_fitted_on_what_it_is_tested_on(tmp_path: Path) -> None:
    mine = dataset(tmp_path / "mine")
    readers = {reader.name: reader for reader in shortcut_readers(mine, Gold.of(mine, "train"))}
    assert "fitted on" in readers["best-position"].undefined


def test_the_local_view_leaves_undefined_what_needs_to_know_an_entity_again(scored: Scored) -> None:
    readers = {reader.name: reader for reader in shortcut_readers(scored.dataset, scored.gold, view="local")}
    assert readers["question-words"].run is None
    assert readers["entity-prior"].run is None
    assert readers["best-position"].run is not None
    check_stored("shortcuts-local", _blocks(scored, list(readers.values())))


def _credits(gold: Gold, reader: ShortcutReader) -> list[float]:
    assert reader.run is not None
    return expected(gold, reader.run).tolist()


def test_the_hard_subset_is_what_no_reader_points_at(scored: Scored) -> None:
    points = ([True, False, False, False] * 3, [False, True, False, False] * 3)
    readers = [ShortcutReader(str(n), points=np.array(each)) for n, each in enumerate(points)]
    readers.append(ShortcutReader("entity-prior", undefined="no train part"))
    assert hard_subset(scored.gold, readers).tolist() == [False, False, True, True] * 3


@each_row(
    ("scores", "right", "points"),
    [
        ([3.0, 1, 1], [0], True),
        ([3.0, 3, 1], [0], True),
        ([3.0, 3, 1], [2], False),
        ([1.0, 1, 1], [0], False),
        ([1.0, 1, 1], [0, 1], False),
        ([1.0, 1, 0], [0, 1], True),
        ([1.0, 1], [], False),
        ([], [], False),
    ],
)
def test_a_reader_points_at_what_it_gives_more_than_blind_choice_would(
    scores: list[float], right: list[int], points: bool
) -> None:
    assert points_at(scores, right) is points


def test_systems_are_measured_on_the_hard_ones_and_the_best_reader_is_named(scored: Scored) -> None:
    points = ([True, False, False, False] * 3, [False, True, False, False] * 3)
    first, *_ = shortcut_readers(scored.dataset, scored.gold)
    other = replace(first, name="other", run=scored.matched[0], points=np.array(points[1]))
    right = {"right": System.alone(scored.matched[0])}
    for readers in ([first, other], [other, first]):
        found = measured(
            scored.gold,
            (),
            readers,
            {None: right},
            measures=["accuracy"],
            protocol="expected",
            unit="instance",
        )
        by = found.measures["accuracy"]
        value = by.on_hard[0].systems["right"]
        assert (found.hard, value and (value.value, value.n)) == (6, (1.0, 6))
        assert by.best == "other"
    everything = replace(first, points=np.ones(12, np.bool_))
    found = measured(
        scored.gold,
        (),
        [everything],
        {None: right},
        measures=["accuracy"],
        protocol="expected",
        unit="instance",
    )
    assert (found.hard, found.measures["accuracy"].on_hard[0].systems) == (0, {"right": None})


def test_the_section_names_the_best_reader_and_counts_the_hard_ones(scored: Scored) -> None:
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
    assert results.shortcuts.hard == 2
    f1, accuracy = (results.shortcuts.measures[name] for name in ("macro_f1", "accuracy"))
    assert [(one.name, one.score and one.score.value) for one in f1.readers] == [
        ("majority", pytest.approx(0.8 / 3))
    ]
    assert accuracy.readers[0].score.value == pytest.approx(4 / 6)
    assert f1.on_hard[0].systems["right"].value == accuracy.on_hard[0].systems["right"].value == 1
    assert "|measure:macro_f1|" in f1.signature
    shown = " ".join(render(report(results), ".txt").split())
    assert "Macro-F1 of simple readers on test" in shown
    assert "Without reading, majority has the best macro-F1." in shown
    assert "Accuracy on the 2 hard instances" in shown


def test_a_split_on_which_no_reader_is_defined_is_refused_with_the_reason(tmp_path: Path) -> None:
    decisions = [DecisionInstance(f"t{n}", f"Is it {n}?", (), None, "yes") for n in range(3)]
    made = writing.write(tmp_path / "made", {"train": decisions}, {"dataset": "made", "kind": "decision"})
    answers = tmp_path / "answers.jsonl"
    answers.write_text("".join(f'{{"id": "t{n}", "answer": "yes"}}\n' for n in range(3)))
    with pytest.raises(InputError, match=r"majority: it would be tested on what it was fitted on"):
        api.evaluate(made, [answers], split="train", shortcuts=True)
