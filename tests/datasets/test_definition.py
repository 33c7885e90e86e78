"""What each dataset declares of itself, and what is refused where it declares nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.packages import installed

from anagnosis.datasets import DATASETS
from anagnosis.datasets.definition import GROUP, DatasetDefinition, definition_of, described, named
from anagnosis.errors import InputError


@pytest.mark.parametrize("name", DATASETS)
def test_every_dataset_has_a_title_a_line_and_a_source(name: str) -> None:
    definition = named(name)
    assert definition.title
    assert definition.what.endswith(".")
    assert definition.citation.endswith(".")


def test_a_dataset_that_is_only_imported_says_how() -> None:
    with pytest.raises(InputError, match="no rules build scifact from papers") as caught:
        named("scifact").built_by("scifact")
    assert "--layout scifact" in caught.value.remedy
    assert described()["scifact"].endswith("(imported)")


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
