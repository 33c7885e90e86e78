"""The size of any cloze dataset, and the published sets beside it: tables that agree with themselves."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.reports.cloze import dataset

from anagnosis.datasets.biomrc import layout
from anagnosis.datasets.cloze_statistics import published_set, statistics, table
from anagnosis.datasets.folder.store import Dataset, load
from anagnosis.datasets.kinds.cloze_instance import Candidate, ClozeInstance, PassageMention
from anagnosis.datasets.published_sets import Lengths, PublishedSet, Size, published_sets
from anagnosis.errors import InputError

SAMPLES = Path(__file__).parents[1] / "samples" / "biomrc"


@pytest.mark.parametrize("setting", ["A", "B"])
def test_lengths_are_white_space_tokens_with_entities_and_the_placeholder_as_one(setting: str) -> None:
    imported = layout.imported(SAMPLES, setting=setting)
    columns = statistics(imported.splits, text_form="replaced", numbering=imported.recipe["numbering"])
    assert columns["train"] == Size(3, Lengths(4.0, 4, 4), Lengths(116 / 3, 42, 32), Lengths(22 / 3, 8, 7))
    assert columns["dev"] == Size(1, Lengths(2.0, 2, 2), Lengths(6.0, 6, 6), Lengths(3.0, 3, 3))
    assert columns["test"] == Size(2, Lengths(4.0, 4, 4), Lengths(37.0, 42, 32), Lengths(7.0, 11, 3))
    assert columns["total"] == Size(6, Lengths(22 / 6, 4, 2), Lengths(196 / 6, 42, 6), Lengths(6.5, 11, 3))


def test_the_length_of_an_original_text_is_that_of_its_replaced_text() -> None:
    candidates = (Candidate("gene/1", "Gene", 1, ("T cell",)), Candidate("gene/2", "Gene", 2, ("B",)))
    mentions = (PassageMention(((0, 6),), 0), PassageMention(((7, 8),), 1))
    one = ClozeInstance("1:0", "1", "", "T cell/B", "Of-XXXX", mentions, (), candidates, 0, ("T",))
    size = statistics({"test": [one]}, text_form="original")["test"]
    assert (size.passage, size.question) == (Lengths(3.0, 3, 3), Lengths(2.0, 2, 2))


def test_no_instance_gives_zeros() -> None:
    nothing = Size(0, *[Lengths(0.0, 0, 0)] * 3)
    assert statistics({"train": []}, text_form="original") == {"train": nothing, "total": nothing}


def test_the_lines_stand_in_the_papers_order() -> None:
    size = Size(2, Lengths(2.5, 3, 2), Lengths(15.0, 20, 10), Lengths(4.5, 5, 4))
    lines = table({"train": size}, "abstract", "title")
    assert [(label, *figures) for label, figures in lines] == [
        ("Instances", 2),
        ("Avg candidates", 2.5),
        ("Max candidates", 3),
        ("Min candidates", 2),
        ("Avg abstract len.", 15.0),
        ("Max abstract len.", 20),
        ("Min abstract len.", 10),
        ("Avg title len.", 4.5),
        ("Max title len.", 5),
        ("Min title len.", 4),
    ]


EVERY = [*published_sets().values()]


@pytest.fixture
def opened(tmp_path: Path) -> Dataset:
    return dataset(tmp_path / "mine")


def shown(opened: Dataset, key: str | None) -> str:
    found = published_set(opened, key)
    return "" if found is None else f"{found.table}: {found.name}"


@pytest.mark.parametrize("each", EVERY, ids=[each.key for each in EVERY])
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
