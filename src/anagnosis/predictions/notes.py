"""The note beside a predictions file: how the system was trained, and what it saw. NAME.run.json beside NAME.jsonl.

    {"predictions_sha256": "9f2c…", "view": "local", "training": {"epochs": 18, "seconds": 2340.0,
     "parameters": 6818800, "instances": 87500, "reader": "attention-sum", "settings": "5d0c…"}}

The sum is that of the predictions file's bytes as they lie on disk: a note of other predictions is not believed.
The run.json of a trained run's own folder holds the same facts among its others.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Annotated, TypeVar

import msgspec

from anagnosis.datasets.kinds.table import every_view
from anagnosis.datasets.splits import Since
from anagnosis.errors import InputError
from anagnosis.io.decoding import decoding_faults, read_toml
from anagnosis.io.files import STANDARD_INPUT, display_name, sha256, write_json
from anagnosis.io.folders import RECIPE, RUN
from anagnosis.io.paths import PathLike, read_file
from anagnosis.language_models.spending import Spent
from anagnosis.predictions.problems import Problem

T = TypeVar("T")
Count = Annotated[int, msgspec.Meta(ge=0)]
Seconds = Annotated[float, msgspec.Meta(ge=0)]
# Keys of a recipe in which two runs of one reader may differ: chance, and what a machine has room for.
SETTINGS_APART = ("seed", "tokens", "precision")
ENDINGS = re.compile(r"(\.jsonl)?(\.gz|\.zst)?$")


class TrainingNote(msgspec.Struct, frozen=True, omit_defaults=True):
    """What Table 3 says of a system besides accuracy; None where nobody knows. seconds: of one epoch.

    parameters: trainable ones. instances: those of train that it was trained on. reader: its name. settings: SHA-256 of
    its recipe without SETTINGS_APART.
    """

    epochs: Count | None = None
    seconds: Seconds | None = None
    parameters: Count | None = None
    instances: Count | None = None
    reader: str | None = None
    settings: str | None = None


class ModelNote(msgspec.Struct, frozen=True, kw_only=True):
    """How a language model answered. prompts: name and digest of each. context: full, snippets or none.

    examples: in each prompt; train: the fingerprint of the part from which they are. cut_off: the date to which the
    model's texts reach, as its user says. spent: what all replies took. unasked: instances without a call. unparsed,
    refused, truncated: replies that give no answer, and why. answers: that were given; outside: of these, that no text
    in the prompt contains.
    """

    model: str
    prompts: tuple[str, ...]
    context: str
    examples: Count = 0
    train: str = ""
    temperature: float = 0.0
    seed: int = 0
    cut_off: Since = ""
    spent: Spent = Spent()
    unasked: Count = 0
    unparsed: Count = 0
    refused: Count = 0
    truncated: Count = 0
    answers: Count = 0
    outside: Count = 0

    @property
    def asked(self) -> dict[str, str]:
        """What could change a number, by its name in a signature. order: the seed, which also draws the examples."""
        facts = {"model": self.model, "prompt": "+".join(self.prompts), "context": self.context}
        examples = f"{self.examples}-{self.train[:12]}" if self.examples else "0"
        temperature = "left-out" if "temperature" in self.spent.left_out else f"{self.temperature:g}"
        return {**facts, "examples": examples, "temperature": temperature, "order": str(self.seed)}


class Note(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What is known of a run; None where nothing is. view: what it saw (`views` of a kind, datasets/kinds/).

    predictions_sha256: of the file beside which the note lies. trained_on: of the predicted instances those that the
    run was trained on. untrained: whether its reader is not trained, so that another run would only repeat its
    predictions. asked: ids that each person of the file was asked, also those that everybody left open; empty where the
    lines alone say so. language_model: what answered, and how.
    """

    predictions_sha256: str = ""
    view: str | None = None
    training: TrainingNote | None = None
    trained_on: Problem | None = None
    untrained: bool = False
    asked: tuple[str, ...] = ()
    language_model: ModelNote | None = None

    def __post_init__(self) -> None:
        _refuse_unknown(self.view)


def _refuse_unknown(view: str | None) -> None:
    """Refuse (ValueError) a view that no kind has."""
    if view not in (None, *every_view()):
        raise ValueError(f"unknown view {view!r}")


def how_written(note: Note, view: str | None, keep_unmatched: bool = False) -> tuple[str | None, bool]:
    """How the answers beside a note are written, as far as it and the user say it: (their view, whether they are kept).

    They are kept, whatever they name, where a command of ours wrote them, as keys or free texts, and where the user
    says so (keep_unmatched).
    """
    if note.training is not None or note.untrained or note.asked or note.language_model is not None:
        return None, True
    return note.view or view, keep_unmatched


class _Trained(msgspec.Struct, frozen=True):
    rows: Count
    unanswered: Count | None = None


class _Facts(TrainingNote, frozen=True):
    view: str | None = None
    train: _Trained | None = None

    def __post_init__(self) -> None:
        _refuse_unknown(self.view)


def note_of(predictions: Path) -> Path:
    """The note beside a predictions file: NAME.run.json of NAME.jsonl."""
    return predictions.with_name(f"{ENDINGS.sub('', predictions.name)}.run.json")


def log_of(predictions: Path) -> Path:
    """The log of a language model beside a predictions file: NAME.calls.jsonl of NAME.jsonl."""
    return predictions.with_name(f"{ENDINGS.sub('', predictions.name)}.calls.jsonl")


def write(predictions: PathLike, note: Note) -> Path:
    """Write the note of a finished predictions file beside it, with the file's sum; gives its path."""
    path = note_of(Path(predictions))
    write_json(path, msgspec.structs.replace(note, predictions_sha256=sha256(predictions)))
    return path


def read(predictions: PathLike) -> Note:
    """The note of a predictions file, empty where there is none; one that does not fit is an InputError."""
    path = note_of(Path(predictions))
    if str(predictions) == STANDARD_INPUT or not path.is_file() or not Path(predictions).is_file():
        return Note()
    note = _decoded(path, Note)
    if note.predictions_sha256 != sha256(predictions):
        what = f"it was written for other predictions than {display_name(predictions)} now holds"
        raise InputError(what, display_name(path), "predict again, or delete the note")
    return note


def read_with_fault(predictions: PathLike) -> tuple[Note, str]:
    """The note of a predictions file or of a run's folder; of a note that does not fit an empty one, and its fault."""
    try:
        return of_run(predictions) if Path(predictions).is_dir() else read(predictions), ""
    except InputError as fault:
        return Note(), str(fault)


def of_run(folder: PathLike) -> Note:
    """What the folder of a trained run says."""
    found = _decoded(Path(folder) / RUN, _Facts)
    if (found.epochs, found.seconds, found.parameters) == (None, None, None):
        return Note(view=found.view)
    used = None if found.train is None else found.train.rows - (found.train.unanswered or 0)
    settings = _settings(Path(folder) / RECIPE)
    training = TrainingNote(found.epochs, found.seconds, found.parameters, used, found.reader, settings)
    return Note(training=training, view=found.view)


def _settings(recipe: Path) -> str | None:
    """SHA-256 of a recipe without what may differ; None where it cannot be read."""
    try:
        values = read_toml(recipe, "")
    except InputError:
        return None
    kept = {key: value for key, value in values.items() if key not in SETTINGS_APART}
    return hashlib.sha256(msgspec.json.encode(kept, order="deterministic")).hexdigest()


def _decoded(path: Path, kind: type[T]) -> T:
    with decoding_faults(display_name(path), "delete it", "it cannot be read"):
        return msgspec.json.decode(read_file(path), type=kind)
