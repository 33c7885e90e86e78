"""Runs over cloze questions, and encoders, as scorers of candidates."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path
from typing import Any

import pytest
from tests.encoders.tiny import tiny_encoder

from anagnosis.datasets.folder import store
from anagnosis.datasets.folder.store import Dataset
from anagnosis.datasets.kinds.cloze_views import Viewed, view
from anagnosis.errors import InputError
from anagnosis.readers.answers.word_answers import cloze_passage, snippet_words
from anagnosis.readers.learning import AnswerSettings
from anagnosis.training.runs import cloze_scores
from anagnosis.training.runs.cloze_scores import opened
from anagnosis.training.runs.predicting import predict
from anagnosis.training.runs.run import Run
from anagnosis.training.train import train, train_replicates

WORDS: dict[str, Any] = {"reader": "attention-sum", "embedding": 8, "hidden": 8, "epochs": 1}


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tiny_encoder(tmp_path_factory.mktemp("encoder") / "tiny"))


@pytest.fixture(params=["words", "frozen", "trained"])
def run(request: pytest.FixtureRequest, encoder: str, cues: Dataset, tmp_path: Path) -> Run:
    over = {"reader": "masked-encoder", "encoder": encoder, "hidden": 8, "epochs": 1, "precision": "float32"}
    settings = {"words": WORDS, "frozen": over, "trained": {**over, "trained": "top"}}
    return train(settings[request.param], cues, tmp_path / "run", device="cpu")


def of_words(text: str = "cue n01 a. b n02 j.", question: str = "What is meant?") -> Viewed:
    """A snippet whose words are the candidates."""
    return cloze_passage("q:0", text, snippet_words(text, frozenset()), question, "end")


def test_the_scores_are_those_of_the_runs_predictions(run: Run, cues: Dataset) -> None:
    instances = list(store.instances(cues, "test", 20))
    scores = opened(str(run.folder)).answers([view(each, "local", "original") for each in instances], "")
    for line, row in zip(predict(run, cues, limit=20, device="cpu"), scores, strict=True):
        assert line.scores is not None
        assert list(line.scores.values()) == pytest.approx(row[: len(line.scores)], abs=1e-4)


def test_every_word_of_a_snippet_has_a_log_probability(run: Run) -> None:
    scores = opened(str(run.folder))
    longer, shorter = scores.answers([of_words(), of_words("cue n01")], "")
    assert (len(longer), shorter[2:]) == (8, [-math.inf] * 6)
    alone = scores.answers([of_words("cue n01")], "")[0]
    assert alone == pytest.approx(shorter[:2], abs=1e-6), "whatever is beside it"
    for row in (longer, shorter):
        assert math.fsum(map(math.exp, row)) == pytest.approx(1, abs=1e-5)


def test_seeds_and_a_run_of_another_kind_are_refused(
    cues: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = train_replicates(WORDS, cues, tmp_path / "seeds", "seed", 2, device="cpu")
    with pytest.raises(InputError, match="holds several runs; name one of them, such as seed-0"):
        opened(str(tmp_path / "seeds"))
    other = dataclasses.replace(made.runs[0], config=AnswerSettings())
    monkeypatch.setattr(cloze_scores.runs, "load", lambda _: other)
    what = "attention-sum reads no cloze questions; name a run over cloze questions"
    with pytest.raises(InputError, match=what):
        opened(str(tmp_path / "run"))
