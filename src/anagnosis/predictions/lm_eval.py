"""A line of a log of samples that lm-evaluation-harness wrote (`--log_samples`), as a prediction.

    {"doc_id": 0, "doc": {"id": "ana0044:20", "keys": ["gene/9606", …], "dataset": "41b2…", …}, "target": "1",
     "filtered_resps": [["-7.25", "False"], …], "filter": "none", "acc": 1.0, …}

`doc` is what `datasets/export/lm_eval.py` exported; `filtered_resps` holds for each choice, in the order of `keys`, the
log-likelihood of its text after the prompt, and whether it is what the model would have said. They come as strings.
The scores are those log-likelihoods, not divided by length, and the answer is the first of the highest: what lm-eval's
`acc` counts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from anagnosis.datasets.kinds.table import every_view
from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike
from anagnosis.predictions.prediction import Prediction

REMEDY = "score the samples of a task folder that `anagnosis export --layout lm-eval` wrote"
_FILE = re.compile(r"samples_anagnosis_.+_([a-z-]+)_[a-z]+_\d{4}-\d\d-\d\dT[^/]*")


class _Doc(msgspec.Struct):
    """The question as it was exported; only what a prediction is made of."""

    id: str
    keys: list[str]
    dataset: str | None = None


class _Sample(msgspec.Struct):
    """A line of the log. filtered_resps: of each choice, the log-likelihood first."""

    doc: _Doc
    filtered_resps: list[list[float | str | bool]]


def is_sample(fields: Mapping[str, Any]) -> bool:
    """Whether a line with these fields is one of such a log, of whatever task."""
    return "doc" in fields and "filtered_resps" in fields


def answered(fields: Mapping[str, Any], where: str) -> Prediction:
    """What a line of a log answers.

    A log-likelihood that is infinite or no number gives no score, so that its candidate cannot win. Refused
    (InputError): a sample of another task.
    """
    try:
        sample = msgspec.convert(fields, _Sample)
        found = [float(response[0]) for response in sample.filtered_resps]
    except (ValueError, IndexError) as fault:
        what = f"a sample of lm-eval, but of another task ({fault})"
        raise InputError(what, where, REMEDY) from fault
    if len(found) != len(sample.doc.keys):
        what = f"a sample of lm-eval with {len(found)} responses for {len(sample.doc.keys)} candidates"
        raise InputError(what, where, REMEDY)
    scores = {key: score for key, score in zip(sample.doc.keys, found) if math.isfinite(score)}
    best = max(scores, key=scores.__getitem__, default=None)
    return Prediction(sample.doc.id, best, scores, sample.doc.dataset)


def view(path: PathLike) -> str | None:
    """The view that a log's name tells; None for any other file."""
    found = _FILE.fullmatch(Path(path).name)
    return found[1] if found and found[1] in every_view() else None
