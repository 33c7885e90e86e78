from __future__ import annotations

from pathlib import Path

import pytest
from tests.reports.cloze import dataset

from anagnosis import api
from anagnosis.datasets import shortcuts
from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.receipt import DocumentCounts
from anagnosis.datasets.folder.store import Dataset
from anagnosis.reports import RENDERERS, render
from anagnosis.reports.datasets.dataset import shortcut_table
from anagnosis.reports.report import Block, Plot, Report, Table


@pytest.fixture
def opened(tmp_path: Path) -> Dataset:
    return dataset(tmp_path / "mine", refusals=12)


def _report(opened: Dataset, beside: str | None = None) -> Report:
    return api.report(api.show(opened, beside=beside))


def _table(report: Report, caption: str) -> Table:
    tables: list[Block] = [block.data if isinstance(block, Plot) else block for block in report.blocks]
    (found,) = (block for block in tables if isinstance(block, Table) and block.caption.startswith(caption))
    return found


def test_our_sizes_stand_beside_the_papers(opened: Dataset) -> None:
    table = _table(_report(opened), "This dataset beside the published LARGE, Table 2 of BIOMRC")
    assert [column.name for column in table.columns] == [
        "", "train", "test", "total", "LARGE train", "LARGE dev", "LARGE test", "LARGE total",
    ]  # fmt: skip
    assert table.rows[0] == ("Instances", 2, 1, 3, 700000, 50000, 62707, 812707)
    assert table.rows[1][-1] == 6.72


def test_another_published_set_stands_beside_when_it_is_named(opened: Dataset) -> None:
    table = _table(
        _report(opened, beside="tiny"), "This dataset beside the published TINY, Table 2 of BIOMRC"
    )
    assert [column.name for column in table.columns][4:] == ["TINY setting-a", "TINY setting-b", "TINY total"]


def test_the_drops_are_a_funnel_in_the_order_of_the_rules_with_what_is_left(opened: Dataset) -> None:
    assert _table(_report(opened), "Documents").rows == (
        ("read", None, 10, 1.0),
        ("refused", 1, 9, 0.9),
        ("title_too_short", 4, 5, 0.5),
        ("no_abstract", 0, 5, 0.5),
        ("too_few_sentences", 2, 3, 0.3),
    )
    assert _table(_report(opened), "Instances").rows == (
        ("made", None, 5, 1.0),
        ("answer_most_frequent", 2, 3, 0.6),
    )


def test_what_is_left_at_the_end_is_what_was_kept(opened: Dataset) -> None:
    assert _table(_report(opened), "Documents").rows[-1][2] == opened.receipt.documents.kept


def test_repairs_and_the_first_refusals_are_named(opened: Dataset) -> None:
    shown = render(_report(opened), ".txt")
    assert "crlf" in shown
    assert "corpus.pubtator.gz:10: not a row" in shown
    assert "corpus.pubtator.gz:11" not in shown
    assert "2 more are in receipt.json" in shown


def test_an_imported_dataset_has_no_funnel_of_documents(tmp_path: Path) -> None:
    imported = dataset(tmp_path / "theirs", documents=DocumentCounts())
    assert "Documents" not in render(_report(imported), ".txt")


def test_shortcuts_tell_their_share_in_each_split(opened: Dataset) -> None:
    card = shortcut_table(shortcuts.card({split: store.instances(opened, split) for split in opened.rows}))
    rows = {row[0]: row for row in card.rows}
    assert list(rows) == list(shortcuts.SHORTCUTS)
    repeated = rows["repeated_instance"]
    assert repeated[2:7] == (1, 3, 1 / 3, 1 / 2, 0.0)
    assert rows["passage_in_earlier_split"][-1] == "3:1"


@pytest.mark.parametrize("suffix", RENDERERS)
def test_every_format_shows_it_without_a_path_of_this_machine(opened: Dataset, suffix: str) -> None:
    shown = render(_report(opened), suffix)
    assert "mine" in shown
    assert str(opened.folder.parent) not in shown
