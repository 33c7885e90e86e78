"""Published sets: tables that agree with themselves, found by their names, ours and another package's."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.packages import installed
from tests.reports.cloze import dataset
from tests.rows import each_row

from anagnosis import api
from anagnosis.datasets.cloze_statistics import published_set, table
from anagnosis.datasets.definition import GROUP, published_sets
from anagnosis.datasets.folder.store import Dataset, load
from anagnosis.datasets.published_sets import PublishedSet
from anagnosis.errors import InputError

EVERY = [each for sets in published_sets().values() for each in sets.sets().values()]
SOURCE = """
from anagnosis.datasets.definition import DatasetDefinition
from anagnosis.datasets.published_sets import Lengths, PublishedSet, PublishedSets, Size

TEN = Size(10, Lengths(2.0, 2, 2), Lengths(9.0, 9, 9), Lengths(4.0, 4, 4))

def one(key, name):
    return PublishedSet(key, name, "Table 7 of Toy", "story", "riddle", {"test": TEN}, None, ())

SETS = PublishedSets(lambda: {"lite": one("lite", "ToyLite"), "toy-one": one("toy-one", "ToyOne")}, lambda dataset: "")
DEFINITION = DatasetDefinition("Toy", "Toys.", published="toy_sets:SETS")
"""


@pytest.fixture
def opened(tmp_path: Path) -> Dataset:
    return dataset(tmp_path / "mine")


@pytest.fixture
def another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package with two sets, one of which is called as BioMRC's, and a dataset that does not load."""
    entries = "toy = toy_sets:DEFINITION\nlost = toy_sets:LOST"
    monkeypatch.syspath_prepend(installed(tmp_path / "packages", "toy_sets", SOURCE, {GROUP: entries}))


def shown(opened: Dataset, key: str | None) -> str:
    found = published_set(opened, key)
    return "" if found is None else f"{found[0].table}: {found[0].name}"


@each_row("each", EVERY, ids=[each.key for each in EVERY])
def test_the_published_table_agrees_with_itself(each: PublishedSet) -> None:
    figures = {
        label: {column: figure for column, figure in zip(each.columns, line) if figure is not None}
        for label, line in table(each.columns, each.passage, each.question)
    }
    parts = [column for column in figures["Instances"] if column != "total"]
    whole = figures["Instances"]["total"]
    added = sum(figures["Instances"][part] for part in parts)
    assert added == pytest.approx(whole, rel=0.005 if "instances" in each.rounded else 0)
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
            assert values["total"] == pytest.approx(mean, abs=0.011 if each.vocabulary is None else 0.06), (
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
    assert {each.key: each.vocabulary for each in EVERY if each.vocabulary} == {
        "bioread": 3_900_000,
        "bioread-lite": 597_000,
    }


def test_a_dataset_stands_beside_the_set_of_its_paper_that_it_resembles(opened: Dataset) -> None:
    assert shown(opened, None) == "Table 2 of BIOMRC: LARGE"
    assert shown(opened, "tiny") == "Table 2 of BIOMRC: TINY"


def test_a_set_of_another_paper_is_named(opened: Dataset) -> None:
    assert shown(opened, "bioread-lite") == "Table 1 of BioRead: BioReadLite"
    assert shown(opened, "bioread:bioread") == "Table 1 of BioRead: BioRead"


@pytest.mark.usefixtures("another")
def test_another_packages_sets_are_there_and_ours_go_first_for_our_datasets(opened: Dataset) -> None:
    assert shown(opened, "toy-one") == "Table 7 of Toy: ToyOne"
    assert shown(opened, "lite") == "Table 2 of BIOMRC: LITE"
    assert shown(opened, "toy:lite") == "Table 7 of Toy: ToyLite"


@pytest.mark.usefixtures("another")
def test_a_name_of_two_papers_is_asked_for_with_the_dataset(tmp_path: Path) -> None:
    toys = api.load(dataset(tmp_path / "mine").folder)
    (toys.folder / "recipe.toml").write_text('dataset = "scifact"\nkind = "cloze"\n', "utf-8")
    with pytest.raises(InputError, match="several datasets have a published set 'lite'") as caught:
        published_set(load(toys.folder, verified=False), "lite")
    assert caught.value.remedy == "name it as biomrc:lite or toy:lite"


def test_a_dataset_that_nobody_defines_stands_beside_nothing(opened: Dataset) -> None:
    (opened.folder / "recipe.toml").write_text('dataset = "gone"\nkind = "cloze"\n', "utf-8")
    assert published_set(load(opened.folder, verified=False), None) is None
