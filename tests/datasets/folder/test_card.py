"""The card of a dataset folder: a README.md with a header that the Hugging Face hub reads."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.articles import article, text

from anagnosis import api
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
    assert found["size_categories"] == ["n<1K"]
    (config,) = found["configs"]
    assert re.fullmatch(r"\d+\.\d+\.\d+", config.pop("version"))
    assert [config] == [
        {
            "config_name": "default",
            "data_files": [
                {"split": split, "path": f"data/{split}-*.parquet"} for split in ("train", "dev", "test")
            ],
        }
    ]


def test_the_text_says_counts_sources_licence_and_citation(built: Dataset) -> None:
    body = (built.folder / "README.md").read_text()
    assert "| train | 48 |" in body
    assert "| total | 80 |" in body
    assert "From 1 file, 40 documents read, 40 kept." in body
    assert "The texts keep the licence of their sources" in body
    assert "Stavropoulos" in body
    assert built.receipt.recipe_sha256[:16] in body


def test_dates_are_spanned_where_they_are_known(tmp_path: Path, built: Dataset) -> None:
    (tmp_path / "a.pubtator").write_bytes(text(article(), article(ident="2"), article(ident="3")))
    (tmp_path / "dates.csv").write_text("pmid,date\n1,2020-02-01\n2,2019\n")
    dataset = api.build(
        "biomrc", [tmp_path / "a.pubtator"], tmp_path / "out", dates=tmp_path / "dates.csv", workers=1
    )
    assert "Publication dates: 2019 to 2020-02-01." in (dataset.folder / "README.md").read_text()
    assert "Publication dates" not in (built.folder / "README.md").read_text()


def test_a_dataset_of_nothing_has_a_header_too(tmp_path: Path) -> None:
    found = header(writing.write(tmp_path / "out", {}, {"dataset": "biomrc"}))
    assert found["size_categories"] == ["n<1K"]
    assert "configs" not in found
