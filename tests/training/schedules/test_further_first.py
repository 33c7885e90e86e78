"""Further datasets first: what is dropped from them, what each phase begins with, resumed, and refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("transformers", reason="the extra train is not installed")

from click.testing import CliRunner
from tests.encoders.tiny import tiny_encoder
from tests.readers.tiny_readers import CONTRARY, CUE, WORDS, dataset

from anagnosis import api
from anagnosis.cli import cli
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.question import SNIPPETS, QuestionInstance, Snippet
from anagnosis.datasets.kinds.table import DECISION, QUESTION
from anagnosis.datasets.question_keys import keys_of
from anagnosis.errors import InputError
from anagnosis.training.loop.loop import TrainingLoop
from anagnosis.training.phases import read_phases
from anagnosis.training.runs.provenance import keys_of_training
from anagnosis.training.runs.run import Run, load, load_run
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
    return dataset(folder, signal=True, kind=QUESTION, view=SNIPPETS, train=24, dev=8, test=6)


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


@pytest.fixture(scope="module")
def whole(
    recipe: dict[str, Any], data: Dataset, further: Dataset, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    out = tmp_path_factory.mktemp("whole") / "run"
    train_phases(recipe, [data, further], out, device="cpu", threads=1)
    return out


def test_held_out_questions_and_their_twins_are_dropped_and_counted(
    recipe: dict[str, Any],
    data: Dataset,
    further: Dataset,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("ANAGNOSIS_QUIET")
    run = train_phases(recipe, [data, further], tmp_path / "run", device="cpu", threads=1)
    assert "3 of 14 questions are held out, or twins of such, and are dropped" in capsys.readouterr().err
    facts = load_run(tmp_path / "run" / "further").facts
    assert (facts.train.rows, facts.train.dataset) == (11, "squad")
    first, last = (keys_of_training(folder) for folder in (tmp_path / "run" / "further", run.folder))
    for split in ("dev", "test"):
        assert not np.isin(keys_of(data, split), first).any()
    kept = np.isin(keys_of(further, "train"), first)
    assert kept.tolist() == [True] * 10 + [False, False, False, True]
    assert np.isin(first, last).all(), "the last phase knows what the first was trained on"


def test_the_last_phase_begins_with_the_weights_of_the_first(whole: Path, data: Dataset) -> None:
    first, last = (load_run(whole / name).facts for name in ("further", "final"))
    assert (first.began, last.began) == (None, first.weights)
    assert last.train.rows == 24
    assert first.dev == last.dev
    assert first.measure == last.measure == "factoid_mrr"
    run = load(whole)
    assert isinstance(run, Run)
    assert run.folder == whole / "final"
    phases = read_phases(whole)
    assert (phases.schedule, [one.phase for one in phases.phases]) == ("further-first", ["further", "final"])
    report = api.report(api.phases([whole]))
    assert [row[:3] for row in report.blocks[1].rows] == [  # type: ignore[union-attr]
        ("run", "further", "–"),
        ("run", "final", "–"),
    ]


@pytest.mark.parametrize("stop", [1, 4])
def test_a_training_interrupted_in_either_phase_ends_with_the_same_weights(
    stop: int,
    recipe: dict[str, Any],
    data: Dataset,
    further: Dataset,
    whole: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Phase `further` has two steps, so the fourth is of phase `final`."""
    real, count = TrainingLoop._step, [0]

    def step(self: TrainingLoop, *given: Any) -> None:
        count[0] += 1
        if count[0] == stop:
            raise KeyboardInterrupt
        real(self, *given)

    monkeypatch.setattr(TrainingLoop, "_step", step)
    given: dict[str, Any] = {"device": "cpu", "threads": 1}
    with pytest.raises(KeyboardInterrupt):
        train_phases(recipe, [data, further], tmp_path / "cut", **given)
    with pytest.raises(InputError, match="not all of its phases are finished"):
        load(tmp_path / "cut")
    train_phases(recipe, [data, further], tmp_path / "cut", **given)
    for phase in ("further", "final"):
        assert load_run(tmp_path / "cut" / phase).facts.weights == load_run(whole / phase).facts.weights


def test_the_command_trains_a_reader_of_answers_on_also_first(
    recipe: dict[str, Any], data: Dataset, further: Dataset, tmp_path: Path
) -> None:
    given = [
        "train",
        "bioasq-span-multiphase",
        "--data",
        data.folder,
        "--also",
        further.folder,
        "--threads",
        1,
    ]
    given += ["--encoder", recipe["encoder"], "--set", "phase.further.epochs=1", "--set", "epochs=2"]
    out = tmp_path / "run"
    done = CliRunner().invoke(cli, [*map(str, given), "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert load_run(out / "further").facts.epochs == 1
    assert load_run(out / "final").facts.epochs == 2
    lines = tmp_path / "lines.jsonl"
    done = CliRunner().invoke(cli, ["predict", str(out), str(data.folder), "--out", str(lines)])
    assert done.exit_code == 0, done.output
    assert len(lines.read_text().splitlines()) == 6


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
