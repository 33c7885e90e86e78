from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import ttest_1samp
from tests.reports.cloze import dataset, instance
from tests.reports.conftest import Scored

from anagnosis.datasets import shortcuts
from anagnosis.datasets.folder import store, writing
from anagnosis.evaluation.scoring import credits_of_runs
from anagnosis.evaluation.shortcuts import (
    ShortcutReader,
    best_reader,
    gains,
    hard_ids,
    hard_subset,
)
from anagnosis.evaluation.shortcuts import shortcuts as measured
from anagnosis.evaluation.systems import System
from anagnosis.reports import RENDERERS, render
from anagnosis.reports.report import Block, Plot, Report, Table
from anagnosis.reports.systems.shortcuts import READS, gain_blocks, shortcut_blocks
from anagnosis.submissions.shortcut_readers import NAMES, shortcut_readers


def _blocks(scored: Scored, readers: list[ShortcutReader]) -> list[Block]:
    credits = {
        each.name: credits_of_runs(scored.gold, System.alone(each), protocol="expected")
        for each in scored.matched
    }
    card = shortcuts.card({split: store.instances(scored.dataset, split) for split in scored.dataset.rows})
    options = {"unit": "document", "seed": 1, "draws": 200, "protocol": "expected"}
    found = measured(scored.gold, card, readers, {None: credits}, **options)
    return [*shortcut_blocks(found), *gain_blocks(found, found.gains[0])]


def test_all_shortcut_readers_are_run_with_ties_shared(scored: Scored) -> None:
    readers = {reader.name: reader.credits for reader in shortcut_readers(scored.dataset, "test")}
    assert list(readers) == list(READS) == list(NAMES)
    first, prior = readers["first-entity"], readers["entity-prior"]
    assert first is not None
    assert prior is not None
    assert first.tolist() == [1, 0, 0, 0] * 3
    assert prior.tolist() == [0.25] * 12  # every entity is the answer of two train questions


def test_without_a_train_part_what_counts_is_undefined_and_says_why(tmp_path: Path) -> None:
    made = writing.write(tmp_path / "tiny", {"test": [instance("1:1")]}, {"dataset": "biomrc"})
    readers = {reader.name: reader for reader in shortcut_readers(made, "test")}
    assert readers["entity-prior"].credits is None
    assert "no train part" in readers["entity-prior"].undefined
    assert readers["neighbour-overlap"].credits is not None


def test_nothing_is_fitted_on_what_it_is_tested_on(tmp_path: Path) -> None:
    readers = {reader.name: reader for reader in shortcut_readers(dataset(tmp_path / "mine"), "train")}
    assert "fitted on" in readers["best-position"].undefined


def test_the_local_view_leaves_undefined_what_needs_to_know_an_entity_again(scored: Scored) -> None:
    readers = {reader.name: reader for reader in shortcut_readers(scored.dataset, "test", view="local")}
    assert readers["question-words"].credits is None
    assert readers["entity-prior"].credits is None
    assert readers["best-position"].credits is not None
    shown = render(Report("R", tuple(_blocks(scored, list(readers.values())))), ".txt")
    assert "undefined because" in shown
    assert "have other numbers in each instance" in shown


def _readers(*credits: list[float]) -> list[ShortcutReader]:
    return [ShortcutReader(name, np.array(own)) for name, own in zip(READS, credits)]


def test_the_hard_subset_is_what_no_reader_points_at(scored: Scored) -> None:
    readers = _readers([1.0, 0, 0, 0] * 3, [0, 0.5, 0, 0] * 3)
    readers.append(ShortcutReader("entity-prior", None, "no train part"))
    assert hard_subset(scored.gold, readers).tolist() == [False, False, True, True] * 3
    assert hard_ids(scored.gold, readers) == ["1:0", "1:1", "3:0", "3:1", "5:0", "5:1"]


def test_a_tie_of_all_candidates_points_at_nothing(scored: Scored) -> None:
    blind = (1 / np.diff(scored.gold.starts)).tolist()
    assert hard_subset(scored.gold, _readers(blind)).all()


def test_a_gain_is_over_the_best_reader_and_corrected_for_every_reader_that_could_have_been_it(
    scored: Scored,
) -> None:
    readers = _readers([1.0, 0, 0, 0] * 3, [1.0, 1.0, 0, 0] * 3)
    assert best_reader(readers).name == "last-entity"
    given = {"right": np.ones((1, 12)), "same": np.array([[1.0, 1.0, 0, 0] * 3])}
    found = gains(scored.gold, readers, given, unit="instance", seed=1, draws=200)
    assert [gain.difference for gain in found] == [0.5, 0.0]
    assert found[1].p == found[1].holm == 1.0
    # Two systems beside two readers; the p-value beside the worse reader is smaller.
    assert found[0].holm == pytest.approx(3 * found[0].p)
    assert found[0].hard is not None
    assert found[0].hard.value == 1.0


def test_a_gain_of_several_runs_is_tested_over_runs(scored: Scored) -> None:
    """Runs with 12, 11 and 4 of 12 right beside a reader with 3: by a t-test of three runs p is .10."""
    runs = np.array([np.arange(12) < right for right in (12, 11, 4)], float)
    readers = _readers([0.0] * 9 + [1.0] * 3)
    (gain,) = gains(scored.gold, readers, {"own": runs}, unit="instance", seed=1, draws=200)
    (one,) = gains(scored.gold, readers, {"own": runs[:1]}, unit="instance", seed=1, draws=200)
    assert one.p == pytest.approx(2 / 2**9)
    assert gain.p >= ttest_1samp(runs.mean(axis=1), 0.25).pvalue > 0.09


def test_no_hard_instance_has_no_accuracy(scored: Scored) -> None:
    readers = _readers([1.0] * 12)
    (gain,) = gains(scored.gold, readers, {"right": np.ones((1, 12))}, unit="document", seed=1, draws=50)
    assert gain.hard is None


def test_the_section_names_the_best_reader_and_counts_the_hard_ones(scored: Scored) -> None:
    blocks = _blocks(scored, _readers([1.0, 0, 0, 0] * 3, [1.0, 1.0, 0, 0] * 3))
    shown = render(Report("R", tuple(blocks)), ".txt")
    assert "Without reading, last-entity (BASE2) is most accurate. 6 of 12 instances are hard" in shown
    tables = [block for block in blocks if isinstance(block, Table)]
    assert all(table.signatures for table in tables[1:])
    assert any(isinstance(block, Plot) and block.drawing == "difference_with_intervals" for block in blocks)


@pytest.mark.parametrize("suffix", RENDERERS)
def test_every_format_shows_it(suffix: str, scored: Scored) -> None:
    readers = shortcut_readers(scored.dataset, "test")
    assert "Structural shortcuts" in render(Report("R", tuple(_blocks(scored, readers))), suffix)
