"""A dataset and submissions for the tests of leaderboards: systems of which is known how often they are right."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests import decisions as made

from anagnosis import api
from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.gold import Gold


def decisions(folder: Path) -> Dataset:
    """Questions for yes, no or maybe, half of them in test."""
    file = made.written(folder / "ori_pqal.json", made.rows_apart(60, 40, 20))
    return api.import_dataset(file, folder / "decisions", layout="pubmedqa")


def lines(dataset: Dataset, share: float, seed: int = 0, split: str = "test") -> list[dict[str, Any]]:
    """A line for each question of a split, this share of them right."""
    draw = random.Random(seed)
    fingerprint = store.fingerprint(dataset, split)
    found: list[dict[str, Any]] = []
    for instance, right in zip(store.instances(dataset, split), Gold.of(dataset, split).answer, strict=True):
        keys = dataset.kind.keys(instance)
        wrong = [place for place in range(len(keys)) if place != right] or [right]
        place = right if draw.random() < share else draw.choice(wrong)
        found.append({"id": instance.id, "answer": keys[place], "dataset": fingerprint})
    return found


def submit(
    folder: Path,
    called: str,
    files: Mapping[str, Sequence[Mapping[str, Any]] | bytes],
    system: str = 'name = "A system"\nview = "question-only"\n',
) -> Path:
    """submissions/CALLED: system.toml and predictions files."""
    place = folder / "submissions" / called
    place.mkdir(parents=True)
    (place / "system.toml").write_text(system, "utf-8")
    for file, content in files.items():
        data = content if isinstance(content, bytes) else jsonl(content)
        (place / file).write_bytes(data)
    return place


def jsonl(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """One JSON object a line."""
    return "".join(json.dumps(row) + "\n" for row in rows).encode()
