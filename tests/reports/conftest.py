"""A small dataset with predictions of systems and people, read once for all tests of this folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.reports.cloze import ENTITIES, instance

from anagnosis import predictions
from anagnosis.datasets.folder import writing
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.gold import Gold
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.predictions import Matched, Prediction, match_files

KEYS = list(ENTITIES)
QUESTIONS = 12  # of the test part, two a document


@dataclass(frozen=True, slots=True)
class Scored:
    """dataset: train and test. gold, matched: of test; matched: a system right everywhere, one right in two of
    three, one that ties all, and one whose file has faults. people: two experts and a lay person."""

    dataset: Dataset
    gold: Gold
    matched: list[Matched]
    people: list[Matched]


@pytest.fixture(scope="session")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Scored:
    folder = tmp_path_factory.mktemp("scored")
    train = [instance(f"9{number}:1", answer=number % 4) for number in range(8)]
    test = [instance(f"{number // 2}:{number % 2}", answer=number % 4) for number in range(QUESTIONS)]
    dataset = writing.write(folder / "mine", {"train": train, "test": test}, {"dataset": "biomrc"})
    files = [
        _file(folder, "right", [_line(one, one.answer) for one in test]),
        _file(
            folder, "often", [_line(one, one.answer if place % 3 else 3) for place, one in enumerate(test)]
        ),
        _file(folder, "tying", [_line(one, 0, dict.fromkeys(KEYS, 0.5)) for one in test]),
        _file(folder, "faulty", [*(_line(one, 0) for one in test[:-2]), Prediction("1:0", "nothing")]),
    ]
    people = [
        _file(
            folder,
            f"person-{who}",
            [_said(one, place, who, group, skipped) for place, one in enumerate(test[:6])],
        )
        for who, group, skipped in (("anna", "experts", 9), ("ben", "experts", 4), ("cleo", "lay", 2))
    ]
    _, matched = match_files(files, dataset, "test")
    _, answered = match_files(people, dataset, "test")
    return Scored(dataset, Gold.of(dataset, "test"), matched, answered)


def _line(one: ClozeInstance, answer: int | None, scores: dict[str, float] | None = None) -> Prediction:
    return Prediction(one.id, None if answer is None else KEYS[answer], scores)


def _said(one: ClozeInstance, place: int, who: str, group: str, skipped: int) -> Prediction:
    answer = None if place == skipped else KEYS[place % 4 if place < 4 else 0]
    return Prediction(one.id, answer, None, None, who, group, "context", 30.0 + place)


def _file(folder: Path, name: str, lines: list[Prediction]) -> Path:
    path = folder / f"{name}.jsonl"
    predictions.write(path, lines)
    return path
