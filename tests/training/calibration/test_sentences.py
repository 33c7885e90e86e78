"""Readers of sentences: probabilities fitted on questions that were held out, and the marks chosen on them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra train is not installed")

from tests.encoders.tiny import tiny_encoder
from tests.readers.tiny_readers import dataset

from anagnosis import api
from anagnosis.cli import run as anagnosis
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.kinds.table import EVIDENCE
from anagnosis.datasets.question_keys import key_of
from anagnosis.errors import InputError
from anagnosis.evaluation.calibration.scaling import Platt, fitted_platt, mean_log_loss
from anagnosis.training.calibration.sentences import labelled_sentences
from anagnosis.training.runs.predicting import Answering
from anagnosis.training.runs.run import load_run
from anagnosis.training.training_splits import viewed_split


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> store.Dataset:
    folder = tmp_path_factory.mktemp("sentences") / "data"
    return dataset(folder, signal=True, kind=EVIDENCE, train=60, dev=60, test=60)


@pytest.fixture(scope="module")
def trained(data: store.Dataset, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs") / "light"
    encoder = tiny_encoder(tmp_path_factory.mktemp("encoder") / "tiny")
    settings = {"epochs": 1, "encoder": str(encoder), "rate": 0.02, "precision": "float32"}
    api.train("evidence-sentence-encoder", data, out, settings=settings, threads=1)
    return out


@pytest.fixture
def run(trained: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(trained, tmp_path / "run"))


def scored(run: Path, data: store.Dataset, split: str, free: Any) -> Any:
    """Log-odds, labels and questions of the sentences of a split."""
    part = viewed_split(data, split, "sentences")
    scores = Answering(load_run(run), "cpu").log_probabilities(part, "sentences")
    return labelled_sentences(store.instances(data, split), scores, free)


def test_what_was_fitted_makes_other_questions_probabilities_truer(data: store.Dataset, run: Path) -> None:
    (fit,) = api.calibrate(run, data).runs.values()
    trained_on = {key_of(one) for one in store.instances(data, "train")}
    left = [one for one in store.instances(data, "dev") if key_of(one) not in trained_on]
    questions = {one.question for one in left}
    assert (fit.split, fit.questions) == ("dev", len(questions))
    assert fit.sentences == sum(len(one.sentences) for one in left)
    assert fit.left_out == len({one.question for one in store.instances(data, "dev")}) - len(questions)
    free = np.array([key_of(one) not in trained_on for one in store.instances(data, "dev")])
    odds, gold, _ = scored(run, data, "dev", free)
    best = fitted_platt(odds, gold)
    assert (fit.slope, fit.intercept) == pytest.approx((best.slope, best.intercept), abs=1e-9)
    assert fit.before == round(mean_log_loss(Platt()(odds), gold), 6)
    others, truth, _ = scored(run, data, "test", np.ones(60, bool))
    assert mean_log_loss(fit.platt(others), truth) < mean_log_loss(Platt()(others), truth)
    assert fit.after < fit.before
    # Each fifth by what was fitted on the others costs about as much as all by what was fitted on all.
    assert fit.after == pytest.approx(mean_log_loss(best(odds), gold), abs=0.02)
    levels = [one.least for one in (fit.thresholds.weak, fit.thresholds.fair, fit.thresholds.strong)]
    assert 0 < levels[0] <= levels[1] <= levels[2] <= 1


def test_the_same_is_written_twice_and_told_by_the_command(
    data: store.Dataset, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert anagnosis(["calibrate", str(run), str(data.folder)]) == 0
    told = capsys.readouterr().out
    assert "slope" in told
    assert "loss after" in told
    first = (run / "run.json").read_bytes()
    assert anagnosis(["calibrate", str(run), str(data.folder), "--split", "dev", "--json"]) == 0
    assert (run / "run.json").read_bytes() == first
    kept = load_run(run).facts.calibration
    assert kept is not None
    assert kept.sentences > 0


def test_a_run_is_not_fitted_on_what_it_was_trained_on(data: store.Dataset, run: Path) -> None:
    with pytest.raises(InputError, match=r"of \d+ questions were trained on"):
        api.calibrate(run, data, split="train")
    assert load_run(run).facts.calibration is None


def test_too_few_questions_or_all_answers_in_one_fold_are_one_line(
    data: store.Dataset, run: Path, tmp_path: Path
) -> None:
    trained_on = {key_of(one) for one in store.instances(data, "train")}
    questions = [one for one in store.instances(data, "test") if key_of(one) not in trained_on]

    def labelled(instance: Any, held: bool | None) -> Any:
        sentences = tuple(msgspec.structs.replace(each, held=held) for each in instance.sentences)
        return msgspec.structs.replace(instance, sentences=sentences)

    none = [labelled(one, False) for one in questions]
    cases = {"few": questions[:3], "single": [questions[0], *none[1:]], "none": none}
    cases["open"] = [labelled(one, None) for one in questions]
    for name, instances in cases.items():
        made = writing.write(tmp_path / name, {"dev": instances}, data.recipe)
        with pytest.raises(InputError, match="too few questions"):
            api.calibrate(run, made)
