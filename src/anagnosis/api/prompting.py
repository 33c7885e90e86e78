"""What `predict` does with a language model: its options, the log of its replies, and the note."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from anagnosis.api.options import refuse_options
from anagnosis.errors import InputError
from anagnosis.io.files import STANDARD_INPUT
from anagnosis.io.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.predictions import Prediction

PROMPTED = "prompted"


class Asking(msgspec.Struct, frozen=True):
    """The options of `predict` that only a language model has; None where none is given."""

    prompt: Sequence[str] | None
    endpoint: str | None
    model: str | None
    replay: PathLike | None
    most_tokens: int | None
    most_cost: float | None
    prices: PathLike | None
    key_env: str | None
    cut_off: str | None


def predict_prompted(
    asking: Asking,
    dataset: Dataset,
    out: PathLike,
    write: Callable[[PathLike, Iterable[Prediction]], int],
    *,
    settings: Mapping[str, Any],
    train: Dataset | None,
    split: str,
    limit: int | None,
    seed: int,
    view: str | None,
) -> int:
    """Write the predictions of a language model and their note; gives their number.

    InputError, before a file is made: a wrong request. Then: what `LanguageModel.replies` raises.
    """
    from anagnosis.language_models import prompts
    from anagnosis.language_models.asking import LanguageModel
    from anagnosis.language_models.calls import CallLog, model_of
    from anagnosis.language_models.server import server
    from anagnosis.language_models.spending import Spending, price_of
    from anagnosis.predictions import notes
    from anagnosis.progress import print_note
    from anagnosis.readers.prompted.reading import PromptedReader, Settings
    from anagnosis.recipes import load as recipes
    from anagnosis.searching.filters import is_date

    replay, cut_off = asking.replay, asking.cut_off or ""
    if not asking.prompt:
        raise InputError("asks nothing", "--prompt", f"name a file, or one of {', '.join(prompts.names())}")
    if (asking.endpoint is None) is (replay is None):
        what = "no server and no log" if replay is None else "a server and a log are named"
        raise InputError(what, "--endpoint", "give either --endpoint or --replay")
    if replay is not None:
        limits = {"most_tokens": asking.most_tokens, "most_cost": asking.most_cost}
        refuse_options("--replay", key_env=asking.key_env, **limits)
    model = asking.model or (None if replay is None else model_of(replay))
    if not model:
        raise InputError("names no model", "--model", "give the name by which the server knows it")
    if cut_off and not is_date(cut_off):
        raise InputError(f"{cut_off!r} is not a date", "--cut-off", "write YYYY, YYYY-MM or YYYY-MM-DD")
    if str(out) == STANDARD_INPUT:
        raise InputError(
            "log and note of a language model lie beside its predictions", "--out", "name a file"
        )
    how = recipes.configured(Settings, settings, f"reader {PROMPTED}")
    if train is not None and not how.examples:
        raise InputError("is for examples", "--train-on", "leave it out, or give --set examples=3")
    dataset.parts(split)  # an unknown split is an error before the first call
    every = [prompts.named(each) for each in asking.prompt]
    reader = PromptedReader(dataset, every, how, model=model, view=view, seed=seed, train=train)
    spending = Spending(price_of(model, asking.prices), asking.most_tokens, asking.most_cost)
    asked = asking.endpoint and server(asking.endpoint, asking.key_env, how.at_once, how.seconds)
    log_file = replay or notes.log_of(Path(out))
    Path(out).parent.mkdir(parents=True, exist_ok=True)
    with CallLog(log_file, replayed=replay is not None) as log:
        language_model = LanguageModel(spending, asked or None, log)
        count = write(out, reader.predict(split, limit, language_model))
    note = reader.note(language_model, cut_off)
    notes.write(out, notes.Note(view=reader.view, language_model=note))
    lost = {"unparsed": note.unparsed, "refused": note.refused, "truncated": note.truncated}
    if any(lost.values()):
        named = ", ".join(f"{number:,} {name}" for name, number in lost.items() if number)
        print_note(f"of {note.spent.calls:,} replies {named}: these give no answer")
    return count
