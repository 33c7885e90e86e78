"""What each dataset declares of itself, and what is refused where it declares nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.packages import installed
from tests.rows import each_row

from anagnosis.datasets import DATASETS
from anagnosis.datasets.definition import GROUP, DatasetDefinition, definition_of, described, named
from anagnosis.errors import InputError
from anagnosis.recipes.load import assignments, configured


@each_row("name", DATASETS)
def test_every_dataset_has_a_title_a_line_and_a_source(name: str) -> None:
    definition = named(name)
    assert definition.title
    assert definition.what.endswith(".")
    assert definition.citation.endswith(".")
    assert definition.next_command.format(out="built/it", split=" --split dev", vectors="FILE").startswith(
        "anagnosis "
    )
    assert "built/it" in definition.next_command.format(out="built/it", split="", vectors="FILE")


@each_row("name", [name for name in DATASETS if named(name).builder])
def test_a_builder_keeps_what_the_definition_promises(name: str) -> None:
    builder = named(name).built_by(name)
    assert (builder.make is None) != (builder.screen is None)
    assert bool(builder.rules) == (builder.make is None)


@each_row("name", [name for name in DATASETS if named(name).builder and named(name).built_by(name).screen])
def test_what_loosens_a_rule_is_a_setting_of_the_recipe(name: str) -> None:
    builder = named(name).built_by(name)
    recipe = builder.spelled_out(builder.recipe())
    assert builder.loosened_by.keys() <= {*builder.rules, *builder.instance_rules}
    for rule in builder.loosened_by:
        (line,) = builder.loosenings({rule: 2_000}, recipe)
        loosening = line.removeprefix(f"{rule} dropped 2,000 (--set ").removesuffix(")")
        values = assignments([loosening])
        assert configured(builder.recipe, {**recipe, **values}, name), line


def test_the_rules_that_dropped_most_come_first_each_with_its_setting() -> None:
    builder = named("biomrc").built_by("biomrc")
    recipe = {"minimum_sentences": 10, "maximum_identifiers": 20}
    dropped = {"no_abstract": 3, "too_few_sentences": 235, "too_many_identifiers": 4, "title_too_short": 0}
    assert list(builder.loosenings(dropped, recipe)) == [
        "too_few_sentences dropped 235 (--set minimum_sentences=5)",
        "too_many_identifiers dropped 4 (--set maximum_identifiers=40)",
        "no_abstract dropped 3",
    ]
    assert list(builder.loosenings({"title_too_short": 0}, recipe)) == []


def test_a_dataset_that_is_only_imported_says_how() -> None:
    with pytest.raises(InputError, match="no rules build scifact from papers") as caught:
        named("scifact").built_by("scifact")
    assert "--layout scifact" in caught.value.remedy
    assert described()["scifact"].endswith("(imported)")


def test_a_dataset_without_explanations_says_so() -> None:
    with pytest.raises(InputError, match="evidence has no explanation of single documents"):
        named("evidence").explained_by("evidence")
    assert named("biomrc").explained_by("biomrc") is named("biomrc").built_by("biomrc").explain


def test_what_is_no_definition_is_refused_by_name_and_breaks_no_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = "odd = odd_dataset:ODD\nlost = odd_dataset:LOST"
    monkeypatch.syspath_prepend(installed(tmp_path, "odd_dataset", "ODD = 1\n", {GROUP: entries}))
    with pytest.raises(InputError, match="the dataset 'odd' has no DatasetDefinition"):
        named("odd")
    assert "has no DatasetDefinition" in described()["odd"]
    assert "does not load" in described()["lost"]
    assert described()["biomrc"] == named("biomrc").what


def test_a_dataset_that_nobody_defines_has_a_title_alone() -> None:
    assert definition_of("bioread").layout == "bioread"
    assert definition_of("of-a-package-that-is-gone") == DatasetDefinition("of-a-package-that-is-gone", "")
