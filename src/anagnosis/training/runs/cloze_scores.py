"""A run over cloze questions as a scorer of the candidates of other cloze questions, or as the start of a training.

Readers without training name `opened`, since runs lie in a layer above them. The scores are the log-probabilities of
the candidates: up to a shift the same for all candidates, those of the reader's own network.
"""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor

from anagnosis.datasets.kinds.cloze_views import Viewed
from anagnosis.datasets.kinds.table import CLOZE, demand, named
from anagnosis.encoders import load
from anagnosis.encoders.cpu import ready_for_torch
from anagnosis.errors import InputError
from anagnosis.training.loop.checkpoint import read_tensors
from anagnosis.training.runs import run as runs
from anagnosis.training.runs.predicting import Answering
from anagnosis.training.runs.run import Run, unchanged

MASKED_ENCODER = "masked-encoder"


class RunScores:
    """A run that scores candidates. drawn: the seed of weights that are drawn in place of the trained ones."""

    def __init__(self, run: Run, drawn: int | None) -> None:
        self._run = Answering(run, drawn=drawn)

    def scores(self, questions: Sequence[Viewed]) -> list[list[float]]:
        """For each question the log-probabilities of its candidates in order."""
        rows = self._run.answers(questions, "words of snippets")
        return [row[: len(question.candidates)] for row, question in zip(rows, questions, strict=True)]


def opened(cloze: str, *, random: bool, seed: int) -> RunScores:
    """The scorer of a run folder.

    random: draw weights from the seed, in place of the trained ones; a frozen encoder stays as it is. InputError: the
    folder is no run over cloze questions.
    """
    ready_for_torch("scoring words with a cloze reader")
    return RunScores(_cloze_run(cloze), seed if random else None)


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
        raise InputError(what, cloze, f"give --set encoder={before.name}, which it read")
    return weights


def _cloze_run(cloze: str) -> Run:
    """The run over cloze questions in a folder. InputError: there is none, or one of another kind."""
    run, *others = runs.load(cloze).runs
    if others:
        raise InputError("holds several runs", cloze, f"name one of them, such as {run.folder.name}")
    remedy = "name a run over cloze questions, such as one of a recipe biomrc-…"
    demand(named(run.config.kind), CLOZE, cloze, f"{run.reader} reads no cloze questions", remedy)
    return run
