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
from pathlib import Path

import msgspec

from anagnosis.datasets.kinds.table import every_view
from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike
from anagnosis.predictions.prediction import Prediction
from anagnosis.wording import reworded

REMEDY = "score the samples of a task folder that `anagnosis export --layout lm-eval` wrote"
_MARK = b'"filtered_resps"'
_FILE = re.compile(r"samples_anagnosis_.+_([a-z-]+)_[a-z]+_\d{4}-\d\d-\d\dT[^/]*")


class Doc(msgspec.Struct, frozen=True, gc=False):
    """The question as it was exported; only what a prediction is made of."""

    id: str
    keys: list[str]
    dataset: str | None = None


class Sample(msgspec.Struct, frozen=True, gc=False):
    """A line of the log. filtered_resps: of each choice, the log-likelihood first."""

    doc: Doc
    filtered_resps: list[list[float | str | bool]]


class Shape(msgspec.Struct, frozen=True, gc=False):
    """What every line of such a log has, of whatever task."""

    doc: msgspec.Raw
    filtered_resps: msgspec.Raw


_sample = msgspec.json.Decoder(Sample).decode
_shape = msgspec.json.Decoder(Shape).decode


def answered(line: bytes, where: str) -> Prediction | None:
    """What a line of a log answers; None if it is no such line.

    A log-likelihood that is infinite or no number gives no score, so that its candidate cannot win. Refused
    (InputError): a sample of another task.
    """
    if _MARK not in line:
        return None
    try:
        _shape(line)
    except (ValueError, RecursionError):
        return None
    try:
        sample = _sample(line)
        found = [float(response[0]) for response in sample.filtered_resps]
    except (ValueError, IndexError, RecursionError) as fault:
        raise InputError(
            f"a sample of lm-eval, but of another task ({reworded(fault)})", where, REMEDY
        ) from fault
    keys = sample.doc.keys
    if len(found) != len(keys):
        what = f"a sample of lm-eval with {len(found)} responses for {len(keys)} candidates"
        raise InputError(what, where, REMEDY)
    scores = {key: score for key, score in zip(keys, found, strict=True) if math.isfinite(score)}
    best = max(scores, key=scores.__getitem__) if scores else None
    return Prediction(sample.doc.id, best, scores, sample.doc.dataset)


def system(path: PathLike) -> str | None:
    """`MODEL (view)` for a log where lm-eval left it, MODEL/samples_TASK_DATE.jsonl; None for any other file.

    The logs of one model on several splits thereby have one name.
    """
    seen = view(path)
    model = Path(path).parent.name.strip("_")  # lm-eval writes / as __
    return f"{model} ({seen})" if seen and model else None


def view(path: PathLike) -> str | None:
    """The view that a log's name tells; None for any other file."""
    found = _FILE.fullmatch(Path(path).name)
    return found[1] if found and found[1] in every_view() else None
