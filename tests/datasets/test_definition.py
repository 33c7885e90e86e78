"""What each dataset declares of itself, and what is refused where it declares nothing."""

from __future__ import annotations

import pytest
from tests.rows import each_row

from anagnosis.datasets import DATASETS
from anagnosis.datasets.definition import DatasetDefinition, definition_of, described, named
from anagnosis.errors import InputError


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


def test_a_dataset_that_is_only_imported_says_how() -> None:
    with pytest.raises(InputError, match="no rules build scifact from papers") as caught:
        named("scifact").built_by("scifact")
    assert "--layout scifact" in caught.value.remedy
    assert described()["scifact"].endswith("(imported)")


def test_a_dataset_that_nobody_defines_has_a_title_alone() -> None:
    assert definition_of("bioread").layout == "bioread"
    assert definition_of("of-a-package-that-is-gone") == DatasetDefinition("of-a-package-that-is-gone", "")
