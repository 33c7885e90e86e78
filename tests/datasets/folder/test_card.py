"""The card of a dataset folder: a README.md with a header that the Hugging Face hub reads."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from anagnosis.datasets.folder import writing
from anagnosis.datasets.folder.store import Dataset


def header(dataset: Dataset) -> dict[str, Any]:
    yaml = pytest.importorskip("yaml")
    begin, metadata, _ = (dataset.folder / "README.md").read_text().split("---\n", 2)
    assert begin == ""
    return yaml.safe_load(metadata)


def test_the_header_is_yaml_and_names_the_splits_that_are_there(built: Dataset) -> None:
    found = header(built)
    assert found["pretty_name"] == "BioMRC built by anagnosis"
    assert found["language"] == ["en"]
    assert found["license"] == "other"
    assert found["task_categories"] == ["question-answering"]
    (config,) = found["configs"]
    assert re.fullmatch(r"\d+\.\d+\.\d+", config.pop("version"))
    assert [config] == [
        {
            "config_name": "default",
            "data_files": [
                {"split": "train", "path": "data/train-*.parquet"},
                {"split": "validation", "path": "data/dev-*.parquet"},
                {"split": "test", "path": "data/test-*.parquet"},
            ],
        }
    ]


def test_the_text_says_counts_sources_licence_and_citation(built: Dataset) -> None:
    body = (built.folder / "README.md").read_text()
    assert "| train | 48 |" in body
    assert "From 1 file, 40 documents read, 40 kept." in body
    assert "The texts keep the licence of their sources" in body
    assert "Stavropoulos" in body


def test_a_dataset_of_nothing_has_a_header_too(tmp_path: Path) -> None:
    found = header(writing.write(tmp_path / "out", {}, {"dataset": "biomrc"}))
    assert "configs" not in found
