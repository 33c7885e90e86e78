"""Results as a table: what scores and tests say, a line each, and nothing else."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from tests.rows import each_row

from anagnosis import api
from anagnosis.corpus import carried
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.evaluation.results import Results
from anagnosis.reports import save

COLUMNS = [
    "dataset",
    "split",
    "view",
    "protocol",
    "system",
    "measure",
    "value",
    "low",
    "high",
    "method",
    "n",
    "signature",
]


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    out = tmp_path_factory.mktemp("dataset")
    return api.build("biomrc", [carried()], out, recipe="biomrc-demo", workers=1)


@pytest.fixture(scope="module")
def files(dataset: Dataset, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    at = tmp_path_factory.mktemp("predictions")
    made = [at / "=max.jsonl", at / "first.jsonl"]
    for path, reader in zip(made, ("neighbour-overlap", "first-entity"), strict=True):
        api.predict(reader, dataset, path)
    return made


def rows(found: Results) -> list[dict[str, Any]]:
    return found.table().to_pylist()


def test_each_score_is_a_line(dataset: Dataset, files: list[Path]) -> None:
    found = api.score(dataset, files, view="local", measures=["accuracy", "f1"], protocol="answer")
    assert found.table().column_names == COLUMNS
    assert [(row["system"], row["measure"]) for row in rows(found)] == [
        (name, measure) for name in ("=max", "first") for measure in ("accuracy", "f1")
    ]
    for row, own in zip(rows(found), (own for each in found.systems for own in each.measures.values())):
        assert list(row.values()) == [
            *("biomrc", "test", "local", "answer", row["system"], row["measure"]),
            *(own.value, own.interval.low, own.interval.high, own.interval.method, own.n, own.signature),
        ]


def test_tests_follow_the_scores(dataset: Dataset, files: list[Path]) -> None:
    found = api.compare(dataset, files)
    ranked, (pair,) = found.comparisons[0].ranking, found.comparisons[0].differences
    assert [(row["system"], row["measure"], row["value"]) for row in rows(found)] == [
        *((each.name, "accuracy", each.estimate.value) for each in ranked),
        ("=max over first", "accuracy difference", pair.difference),
        ("=max over first", "accuracy p", pair.holm),
    ]
    difference, p = rows(found)[2:]
    assert (difference["low"], difference["high"]) == (pair.interval.low, pair.interval.high)
    assert (p["low"], p["method"], p["n"]) == (None, "Holm", 62)
    report = api.evaluate(dataset, files)
    assert [row["value"] for row in rows(report)] == [row["value"] for row in rows(found)]


@each_row("verb", ["score", "compare", "evaluate"])
def test_csv_is_the_table_and_runs_no_formula(
    verb: str, dataset: Dataset, files: list[Path], tmp_path: Path
) -> None:
    found: Results = getattr(api, verb)(dataset, files)
    with save(found, tmp_path / "out.csv").open(newline="") as stream:
        header, *lines = csv.reader(stream)
    assert header == COLUMNS
    assert [line[4] for line in lines] == [row["system"].replace("=", "'=") for row in rows(found)]
    assert [float(line[6]) for line in lines] == [row["value"] for row in rows(found)]


@each_row("verb", ["score", "compare"])
def test_parquet_is_the_table(verb: str, dataset: Dataset, files: list[Path], tmp_path: Path) -> None:
    found: Results = getattr(api, verb)(dataset, files)
    assert pq.read_table(save(found, tmp_path / "out.parquet")).equals(found.table())
    with pytest.raises(InputError, match=r"shown.parquet: this result is no table; end it in .csv or .json"):
        save(api.show(dataset), tmp_path / "shown.parquet")
    assert not (tmp_path / "shown.parquet").exists()


def test_a_frame_is_the_table(dataset: Dataset, files: list[Path]) -> None:
    pytest.importorskip("pandas")
    frame = api.score(dataset, files).to_pandas()
    assert list(frame.columns) == COLUMNS
    assert frame.value.dtype == "float64"
    assert list(frame.n) == [62, 62]
