"""A dataset and submissions for the tests of leaderboards: systems of which is known how often they are right."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import tomli_w
from tests import decisions as made

from anagnosis import api
from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.leaderboard.board import Board
from anagnosis.leaderboard.building import board

TODAY = date(2026, 8, 1)
ABOUT: dict[str, Any] = {
    "name": "A system",
    "team": "Example Lab",
    "date": date(2026, 5, 1),
    "view": "global",
    "training_data": "",
}


def dataset(folder: Path, documents: int = 60) -> Dataset:
    """Cloze questions over synthetic papers, most of them in test."""
    api.generate(documents, folder / "corpus.pubtator")
    settings = {"split_weights": {"train": 1, "dev": 1, "test": 4}}
    return api.build("biomrc", [folder / "corpus.pubtator"], folder / "built", settings=settings, workers=1)


def decisions(folder: Path) -> Dataset:
    """Questions for yes, no or maybe, half of them in test."""
    file = made.written(folder / "ori_pqal.json", made.rows_apart(60, 40, 20))
    return api.import_dataset(file, folder / "decisions", layout="pubmedqa")


def lines(dataset: Dataset, share: float, seed: int = 0, split: str = "test") -> list[dict[str, Any]]:
    """A line for each question of a split, this share of them right."""
    draw = random.Random(seed)
    fingerprint = store.fingerprint(dataset, split)
    found: list[dict[str, Any]] = []
    for instance in store.instances(dataset, split):
        keys, right = dataset.kind.keys(instance), [*dataset.kind.right(instance)]
        wrong = [place for place in range(len(keys)) if place not in right]
        place = right[0] if draw.random() < share or not wrong else draw.choice(wrong)
        found.append({"id": instance.id, "answer": keys[place], "dataset": fingerprint})
    return found


def submit(
    folder: Path,
    called: str,
    files: Mapping[str, Sequence[Mapping[str, Any]] | bytes],
    /,
    **about: Any,
) -> Path:
    """submissions/CALLED: system.toml with these keys in place of ABOUT's, and predictions files."""
    place = folder / "submissions" / called
    place.mkdir(parents=True)
    values = {key: value for key, value in {**ABOUT, **about}.items() if value is not None}
    (place / "system.toml").write_text(tomli_w.dumps(values), "utf-8")
    for file, content in files.items():
        data = content if isinstance(content, bytes) else jsonl(content)
        (place / file).write_bytes(data)
    return place


def jsonl(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """One JSON object a line."""
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def people(rows: Sequence[dict[str, Any]], annotator: str, group: str = "experts") -> list[dict[str, Any]]:
    """The same lines as a person's."""
    return [{**row, "annotator": annotator, "group": group} for row in rows]


def made_board(folder: Path, *datasets: Dataset, **how: Any) -> Board:
    """The board of the submissions in a folder."""
    return board(folder / "submissions", datasets, today=TODAY, **how)
