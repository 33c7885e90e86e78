"""`history.jsonl`: the evaluations of a training in order, one a line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from anagnosis.io.decoding import decoding_faults
from anagnosis.io.files import write_bytes
from anagnosis.io.folder_names import HISTORY as FILE


class Evaluation(msgspec.Struct, frozen=True, omit_defaults=True):
    """One evaluation of a training.

    phase: its name. epoch: from 1, in the phase. step: of the whole training. loss, accuracy: means over the training
    instances since the previous evaluation, with dropout. dev_loss, dev_accuracy: on the development part, None
    without one. rate: of the last step. seconds: spent in training steps since the beginning. dev_seconds: spent in
    this evaluation. measure, dev_value: the measure that selects the weights, or the trial of a search, and its value
    on the development part, None where it has none; left out where accuracy or loss selects.
    """

    phase: str
    epoch: int
    step: int
    loss: float
    accuracy: float
    dev_loss: float | None
    dev_accuracy: float | None
    rate: float
    seconds: float
    dev_seconds: float
    measure: str | None = None
    dev_value: float | None = None


def write(folder: Path, evaluations: Sequence[Evaluation]) -> None:
    """Write the whole history, atomically."""
    lines = b"".join(msgspec.json.encode(evaluation) + b"\n" for evaluation in evaluations)
    write_bytes(folder / FILE, lines)


def read(folder: Path) -> list[Evaluation]:
    """The history of a run folder."""
    path = folder / FILE
    with decoding_faults(path, "train again", "no readable history"):
        return [msgspec.json.decode(line, type=Evaluation) for line in path.read_bytes().splitlines()]
