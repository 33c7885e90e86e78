"""Further datasets first: what is dropped from them, what each phase begins with, resumed, and refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.encoders.tiny import tiny_encoder
from tests.readers.tiny_readers import CONTRARY, CUE, WORDS, dataset

from anagnosis import api
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.question import QuestionInstance, Snippet
from anagnosis.datasets.kinds.table import DECISION, QUESTION
from anagnosis.datasets.question_keys import keys_of
from anagnosis.errors import InputError
from anagnosis.training.phases import read_phases
from anagnosis.training.runs.provenance import keys_of_training
from anagnosis.training.runs.run import load, load_run
from anagnosis.training.schedules.multi_phase import train_phases

RECIPE: dict[str, Any] = {
    "reader": "span",
    "phases": "further-first",
    "precision": "float32",
    "rate": 0.01,
    "batch": 8,
    "epochs": 1,
}


def question(ident: str, text: str, answer: str = "tea") -> QuestionInstance:
    snippet = Snippet("", "", None, "", None, f"increased {answer} in patients")
    return QuestionInstance(ident, "factoid", text, snippets=(snippet,), exact=((answer,),))


@pytest.fixture(scope="module")
def recipe(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    encoder = tiny_encoder(
        tmp_path_factory.mktemp("e") / "tiny", words=[*WORDS, CUE, CONTRARY, "?"], limit=48
    )
    return {**RECIPE, "encoder": str(encoder)}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    folder = tmp_path_factory.mktemp("main") / "built"
    return dataset(folder, signal=True, kind=QUESTION, train=24, dev=8, test=6)


@pytest.fixture(scope="module")
def further(data: Dataset, tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """Ten questions of its own, a test question of the same id, two twins in other signs, and one of train."""
    held = [one.question for one in (*store.instances(data, "test", 1), *store.instances(data, "dev", 1))]
    test = next(iter(store.instances(data, "test")))
    train = next(iter(store.instances(data, "train")))
    made = [question(f"f{number}", f"which thing {number} ?") for number in range(10)]
    made += [question(test.id, "asked in other words")]
    made += [question(f"twin{number}", f"{text.upper()} !") for number, text in enumerate(held)]
    made += [question("same", train.question)]
    folder = tmp_path_factory.mktemp("further") / "built"
    return writing.write(folder, {"train": made}, {"dataset": "squad", "kind": "question"})


def test_held_out_questions_and_their_twins_are_dropped_and_counted(
    recipe: dict[str, Any],
    data: Dataset,
    further: Dataset,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("ANAGNOSIS_QUIET")
    run, out = tmp_path / "run" / "final", tmp_path / "run"
    train_phases(recipe, [data, further], out, device="cpu", threads=1)
    assert "3 of 14 questions are held out, or twins of such, and are dropped" in capsys.readouterr().err
    first, last = load_run(out / "further").facts, load_run(run).facts
    assert (first.train.rows, first.train.dataset, last.train.rows) == (11, "squad", 24)
    keys, keys_of_last = (keys_of_training(folder) for folder in (out / "further", run))
    for split in ("dev", "test"):
        assert not np.isin(keys_of(data, split), keys).any()
    kept = np.isin(keys_of(further, "train"), keys)
    assert kept.tolist() == [True] * 10 + [False, False, False, True]
    assert np.isin(keys, keys_of_last).all(), "the last phase knows what the first was trained on"
    assert (first.began, last.began) == (None, first.weights)
    assert first.dev == last.dev
    assert first.measure == last.measure == "factoid_mrr"
    assert load(out) == load_run(run)
    phases = read_phases(out)
    assert (phases.schedule, [one.phase for one in phases.phases]) == ("further-first", ["further", "final"])
    report = api.report(api.phases([out]))
    assert [row[:3] for row in report.blocks[1].rows] == [  # type: ignore[union-attr]
        ("run", "further", "–"),
        ("run", "final", "–"),
    ]


def test_what_cannot_be_trained_is_refused_in_one_line(
    recipe: dict[str, Any], data: Dataset, further: Dataset, tmp_path: Path
) -> None:
    held = [question(one.id, one.question) for one in store.instances(data, "test")]
    all_held = writing.write(tmp_path / "held", {"train": held}, {"dataset": "h", "kind": "question"})
    tests = writing.write(tmp_path / "t", {"test": held}, {"dataset": "t", "kind": "question"})
    decisions = dataset(tmp_path / "decisions", signal=True, kind=DECISION, train=4)
    out = tmp_path / "out"
    requests: tuple[tuple[dict[str, Any], list[Dataset], str], ...] = (
        ({}, [], "needs one further dataset"),
        ({"folds": 2}, [further], "folds are of PubMedQA's schedules"),
        ({}, [all_held], "6 of 6 questions are held out"),
        ({}, [tests], "has no train part"),
        ({}, [decisions], "questions with snippets and exact answers are needed here"),
    )
    for given, others, reason in requests:
        with pytest.raises(InputError, match=reason):
            train_phases(recipe, [data, *others], out, **given)
        assert not out.exists()
    with pytest.raises(InputError, match="a recipe without phases"):
        api.train("shallow-features", data, out, also=[further])
