"""Published sets: tables that agree with themselves, found by their names."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.reports.cloze import dataset
from tests.rows import each_row

from anagnosis.datasets.cloze_statistics import published_set, table
from anagnosis.datasets.folder.store import Dataset, load
from anagnosis.datasets.published_sets import PublishedSet, published_sets
from anagnosis.errors import InputError

EVERY = [*published_sets().values()]


@pytest.fixture
def opened(tmp_path: Path) -> Dataset:
    return dataset(tmp_path / "mine")


def shown(opened: Dataset, key: str | None) -> str:
    found = published_set(opened, key)
    return "" if found is None else f"{found.table}: {found.name}"


@each_row("each", EVERY, ids=[each.key for each in EVERY])
def test_the_published_table_agrees_with_itself(each: PublishedSet) -> None:
    figures = {
        label: {column: figure for column, figure in zip(each.columns, line) if figure is not None}
        for label, line in table(each.columns, each.passage, each.question)
    }
    parts = [column for column in figures["Instances"] if column != "total"]
    whole = figures["Instances"]["total"]
    added = sum(figures["Instances"][part] for part in parts)
    assert added == pytest.approx(whole, rel=0.005 if each.rounded else 0)
    for label, values in figures.items():
        if "total" not in values:
            # CliCR prints no lengths but a mean of its own kind.
            assert not values
        elif label.startswith("Max"):
            assert values["total"] == max(values[part] for part in parts)
        elif label.startswith("Min"):
            assert values["total"] == min(values[part] for part in parts)
        elif label.startswith("Avg"):
            mean = sum(values[part] * figures["Instances"][part] for part in parts) / added
            # BIOMRC prints two decimals, BioRead one.
            assert values["total"] == pytest.approx(mean, abs=0.06 if each.passage == "context" else 0.011), (
                label
            )


def test_the_tables_are_the_papers() -> None:
    by_key = {each.key: each for each in EVERY}
    assert {key: list(each.columns) for key, each in by_key.items()} == {
        "large": ["train", "dev", "test", "total"],
        "lite": ["train", "dev", "test", "total"],
        "tiny": ["setting-a", "setting-b", "total"],
        "bioread": ["train", "dev", "test", "total"],
        "bioread-lite": ["train", "dev", "test", "total"],
        "clicr": ["train", "dev", "test", "total"],
    }
    figures = {
        key: {
            label: dict(zip(each.columns, line)) for label, line in table(each.columns, "passage", "question")
        }
        for key, each in by_key.items()
    }
    assert figures["large"]["Avg passage len."]["dev"] == 257.41
    assert figures["bioread"]["Min passage len."]["test"] == 48
    assert figures["bioread-lite"]["Avg candidates"]["train"] == 18.89
    assert figures["bioread-lite"]["Min question len."]["train"] == 5
    assert figures["clicr"]["Instances"]["train"] == 91_344
    assert figures["clicr"]["Max candidates"]["train"] is None


def test_a_dataset_stands_beside_the_set_of_its_paper_that_it_resembles(opened: Dataset) -> None:
    assert shown(opened, None) == "Table 2 of BIOMRC: LARGE"
    assert shown(opened, "tiny") == "Table 2 of BIOMRC: TINY"


def test_a_set_of_another_paper_is_named(opened: Dataset) -> None:
    assert shown(opened, "bioread-lite") == "Table 1 of BioRead: BioReadLite"
    with pytest.raises(InputError, match="unknown published set 'bioread-lit'; did you mean bioread-lite"):
        shown(opened, "bioread-lit")


def test_a_dataset_that_nobody_defines_stands_beside_nothing(opened: Dataset) -> None:
    (opened.folder / "recipe.toml").write_text('dataset = "gone"\nkind = "cloze"\n', "utf-8")
    assert published_set(load(opened.folder, verified=False), None) is None
