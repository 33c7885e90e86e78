"""Scores of sentences through the verbs: seed and draws, what is refused, what has no answer, several runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.evidence_sets import evidence, predictions, stored

from anagnosis import api
from anagnosis.datasets.folder.store import Dataset
from anagnosis.errors import InputError
from anagnosis.reports import render

QUESTIONS = 12


@pytest.fixture
def built(tmp_path: Path) -> Dataset:
    found = [evidence(str(number), "+--") for number in range(QUESTIONS)]
    return stored(tmp_path / "built", test=found)


def file(path: Path, right: int, answered: int = QUESTIONS) -> str:
    """Scores for the first so many questions, of which the first so many are right."""
    rows = {str(n): [1.0, 0.0, 0.0] if n < right else [0.0, 1.0, 0.5] for n in range(answered)}
    return str(predictions(path, rows))


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    return [file(tmp_path / "good.jsonl", 9), file(tmp_path / "bad.jsonl", 4)]


def compared(built: Dataset, files: list[str], **how: Any) -> str:
    return render(api.report(api.compare(built, files, **how)), ".txt")


def test_seed_and_draws_are_those_of_every_interval_and_of_the_signature(
    built: Dataset, files: list[str]
) -> None:
    one = compared(built, files, seed=7, draws=60)
    assert "seed:7|draws:60" in one
    assert "draws:2000" not in one
    assert one == compared(built, files, seed=7, draws=60)
    other = compared(built, files, seed=8, draws=60).replace("seed:8", "seed:7")
    assert one != other


def test_a_measure_of_another_kind_is_refused(built: Dataset, files: list[str]) -> None:
    for verb in (api.score, api.compare, api.evaluate):
        with pytest.raises(InputError, match="'accuracy' judges cloze, decision, question, and this dataset"):
            verb(built, files, measures=["accuracy"])


def test_instances_without_a_score_are_counted_and_have_the_chance_of_a_guess(
    built: Dataset, tmp_path: Path
) -> None:
    some, all_ = file(tmp_path / "some.jsonl", 8, 8), file(tmp_path / "all.jsonl", 12)
    found = api.score(built, [some, all_]).on("test")
    assert [(one.name, one.unanswered) for one in found] == [("some", 4), ("all", 0)]
    assert [*found[0].measures] == ["auc", "best_sentence"]
    assert found[0].measures["best_sentence"].value == pytest.approx(8 / 12)
    assert found[0].estimate.value == pytest.approx((8 + 4 / 2) / 12)


@pytest.mark.parametrize("signs", ["+-?", "???", "?+"])
def test_sentences_of_which_nobody_has_said_are_no_negatives(tmp_path: Path, signs: str) -> None:
    found = [evidence("0", "+--"), evidence("1", signs)]
    dataset = stored(tmp_path / "unsaid", test=found, dev=[evidence("d", "+-")])
    path = predictions(tmp_path / "p.jsonl", {"0": [1, 0, 0], "1": [0.5] * len(signs)})
    what = f"of {signs.count('?')} sentences of 1 instances nobody has said"
    with pytest.raises(InputError, match=what):
        api.score(dataset, [path])
    with pytest.raises(InputError, match="first 1"):
        api.report(api.compare(dataset, [path, path]))
    on_dev = predictions(tmp_path / "d.jsonl", {"d": [1, 0]})
    assert api.score(dataset, [on_dev]).on("dev")[0].estimate.value == 1
