"""Real systems on a real test: what MIRAGE published of four of them on PubMedQA, and what of it is earned."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from tests.leaderboard.boards import TODAY, decisions, lines, submit

from anagnosis import api
from anagnosis.datasets.folder.store import Dataset
from anagnosis.leaderboard.board import Board
from anagnosis.leaderboard.building import board

# Accuracy and macro-F1 in percent: as published, and as computed beside the data (README.d/pubmedqa.md).
PUBLISHED = {
    "gpt4_medrag32": (70.60, 56.90),
    "gpt35_medrag32": (67.40, 53.89),
    "gpt4_cot": (39.60, 35.06),
    "gpt35_cot": (36.00, 32.21),
}
ABOUT = {
    "view": "question-only",
    "team": "MIRAGE",
    "training_data": "text of the web",
    "training_cutoff": date(2021, 9, 30),
}


def figures(found: Board, measure: str) -> dict[str, float]:
    (standing,) = (each for each in found.parts[0].standings if each.measure == measure)
    return {row.submission: round(100 * row.figure.value, 2) for row in standing.rows}


def ranks(found: Board, measure: str) -> dict[str, tuple[int, int] | None]:
    (standing,) = (each for each in found.parts[0].standings if each.measure == measure)
    return {row.submission: row.ranks for row in standing.rows}


def test_four_systems_on_pubmedqa_have_their_published_figures(tmp_path: Path, shared: Path) -> None:
    folder = shared / "data" / "pubmedqa"
    (tmp_path / "ori_pqal.json").write_bytes(gzip.decompress((folder / "ori_pqal.json.gz").read_bytes()))
    built = api.import_dataset(tmp_path / "ori_pqal.json", tmp_path / "pqal", layout="pubmedqa")
    for number, (name, rows) in enumerate(_systems(folder / "mirage_predictions.jsonl.gz")):
        submit(tmp_path, name, {"test.jsonl": rows}, date=date(2023, 10 + number % 3, 1), **ABOUT)
    found = board(tmp_path / "submissions", [built], today=TODAY)
    assert figures(found, "accuracy") == {name: own[0] for name, own in PUBLISHED.items()}
    assert figures(found, "macro_f1") == {name: own[1] for name, own in PUBLISHED.items()}
    for measure in ("accuracy", "macro_f1"):
        assert ranks(found, measure) == {
            "gpt4_medrag32": (1, 2),
            "gpt35_medrag32": (1, 2),
            "gpt4_cot": (3, 4),
            "gpt35_cot": (3, 4),
        }
    assert {result.dated_before for result in found.parts[0].results} == {1.0}


def _systems(path: Path) -> Iterator[tuple[str, list[dict[str, str]]]]:
    rows = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    for name in PUBLISHED:
        yield name, [{"id": row["id"], "answer": row[name]} for row in rows]


@pytest.fixture
def built(tmp_path: Path) -> Dataset:
    return decisions(tmp_path)


def test_systems_of_ours_have_the_figures_of_score_and_share_ranks(tmp_path: Path, built: Dataset) -> None:
    shares = {"a": 0.95, "b": 0.93, "c": 0.3, "d": 0.25}
    for seed, (name, share) in enumerate(shares.items()):
        submit(tmp_path, name, {"test.jsonl": lines(built, share, seed)}, **ABOUT)
    found = board(tmp_path / "submissions", [built], today=TODAY)
    scores = api.score(built, [f"{name}={tmp_path / 'submissions' / name / 'test.jsonl'}" for name in shares])
    for measure in ("accuracy", "macro_f1"):
        assert figures(found, measure) == {
            score.name: round(100 * score.measures[measure].value, 2)
            for score in sorted(scores.systems, key=lambda one: -one.measures[measure].value)
        }
        assert set(ranks(found, measure).values()) == {(1, 2), (3, 4)}
