"""A run over cloze questions as a scorer of the candidates of other cloze questions, or as the start of a training.

Readers of exact answers name these functions, since runs lie in a layer above them.
"""

from __future__ import annotations

from torch import Tensor

from anagnosis.datasets.kinds.table import CLOZE, demand, named
from anagnosis.encoders import load
from anagnosis.encoders.cpu import ready_for_torch
from anagnosis.errors import InputError
from anagnosis.training.loop.checkpoint import read_tensors
from anagnosis.training.runs import run as runs
from anagnosis.training.runs.predicting import Answering
from anagnosis.training.runs.run import Run, unchanged

MASKED_ENCODER = "masked-encoder"


def opened(cloze: str) -> Answering:
    """A run over cloze questions, loaded. InputError: the folder is none."""
    ready_for_torch("scoring words with a cloze reader")
    return Answering(_cloze_run(cloze))


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
