"""A run over cloze questions, or an encoder, as a scorer of the candidates of other cloze questions.

Readers without training name `opened`, since runs lie in a layer above them. The scores are the log-probabilities of
the candidates: up to a shift the same for all candidates, those of the reader's own network.

An encoder gets the masked-encoder reader's MLP with random weights above it: a control, and the start of a fine-tuning.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from torch import Tensor, nn

from anagnosis.datasets.kinds.cloze_views import Viewed
from anagnosis.datasets.kinds.table import CLOZE, demand, named
from anagnosis.encoders import load
from anagnosis.encoders.cpu import ready_for_torch
from anagnosis.errors import InputError
from anagnosis.io.folders import kind_of
from anagnosis.readers.learning import Learner
from anagnosis.training.loop.checkpoint import read_tensors
from anagnosis.training.loop.devices import draw_anew
from anagnosis.training.runs import run as runs
from anagnosis.training.runs.predicting import Scorer, of_no_dataset, restored
from anagnosis.training.runs.run import Run, unchanged

MASKED_ENCODER = "masked-encoder"


class RunScores:
    """view: that the run reads."""

    def __init__(self, view: str, scorer: Scorer) -> None:
        self.view = view
        self._scorer = scorer

    def scores(self, questions: Sequence[Viewed]) -> list[list[float]]:
        """For each question the log-probabilities of its candidates in order."""
        # The vectors of a frozen encoder are kept while they are used.
        with tempfile.TemporaryDirectory(prefix="anagnosis-") as kept:
            part = of_no_dataset(questions, Path(kept))
            rows = list(self._scorer.log_probabilities(part, "words of snippets"))
        return [row[: len(question.candidates)] for row, question in zip(rows, questions, strict=True)]


def opened(cloze: str, *, random: bool, seed: int) -> RunScores:
    """The scorer of a run folder, or of an encoder by its name or folder.

    random: draw weights from the seed, in place of the trained ones; a frozen encoder stays as it is. InputError: the
    folder is no run over cloze questions, or there is no such encoder.
    """
    ready_for_torch("scoring words with a cloze reader")
    if kind_of(Path(cloze)) == "run":
        run = _cloze_run(cloze)
        make = (lambda: _drawn(restored(run)[0], seed)) if random else partial(restored, run)
        return RunScores(run.config.view, Scorer(run.config, make))
    from anagnosis.readers import masked_encoder

    config = masked_encoder.Config(encoder=cloze, view="names", seed=seed)
    try:
        learner = masked_encoder.prepare(config, of_no_dataset(()))
        return RunScores(config.view, Scorer(config, partial(_drawn, learner, seed)))
    except InputError as fault:
        raise InputError(f"is no run folder, and {fault.what}", cloze, fault.remedy) from fault


def begins(cloze: str, encoder: str) -> dict[str, Tensor]:
    """The weights of a run of masked-encoder, for a training that begins with them.

    encoder: the digest of the encoder of that training. InputError: the folder is no such run, or its encoder was
    frozen and is another one.
    """
    run = unchanged(_cloze_run(cloze))
    if run.reader != MASKED_ENCODER:
        raise InputError(f"is a run of {run.reader}", cloze, f"name a run of {MASKED_ENCODER}")
    before = load.recorded(run.folder)
    weights = read_tensors(run.weights)
    if before.digest != encoder and not any(each.startswith("encoder.") for each in weights):
        what = "was trained over another encoder, which was frozen"
        raise InputError(what, cloze, f"give --encoder {before.name}, which it read")
    return weights


def _cloze_run(cloze: str) -> Run:
    """The run over cloze questions in a folder. InputError: there is none, or one of another kind."""
    run = runs.single(runs.load(cloze))
    remedy = "name a run over cloze questions, such as one of a recipe biomrc-…"
    demand(named(run.config.kind), CLOZE, cloze, f"{run.reader} reads no cloze questions", remedy)
    return run


def _drawn(learner: Learner, seed: int) -> tuple[Learner, nn.Module]:
    """A reader with weights drawn from the seed."""
    draw_anew(seed)
    return learner, learner.model()
