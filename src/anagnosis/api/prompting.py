"""What `predict` does with the reader `prompted`: its log, its limits and its note."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anagnosis.api.options import refuse_options
from anagnosis.errors import InputError
from anagnosis.io.files import STANDARD_INPUT
from anagnosis.io.paths import PathLike

if TYPE_CHECKING:
    from anagnosis.datasets.folder.store import Dataset
    from anagnosis.predictions import Prediction

PROMPTED = "prompted"


def predict_prompted(
    dataset: Dataset,
    out: PathLike,
    write: Callable[[PathLike, Iterable[Prediction]], int],
    *,
    split: str,
    limit: int | None,
    seed: int,
    view: str | None,
    settings: Mapping[str, Any],
    train: Dataset | None,
    endpoint: str | None,
    model: str | None,
    prompts: Sequence[str],
    replay: PathLike | None,
    most_tokens: int | None,
    most_cost: float | None,
    prices: PathLike | None,
    key_env: str | None,
    cut_off: str | None,
) -> int:
    """Ask a model, or the log of an earlier run, and write its predictions with their note."""
    from anagnosis.io.paths import naming_faults
    from anagnosis.language_models.asking import LanguageModel
    from anagnosis.language_models.calls import CallLog
    from anagnosis.language_models.prompts import named, names
    from anagnosis.language_models.server import server
    from anagnosis.language_models.spending import Spending, price_of
    from anagnosis.predictions import notes
    from anagnosis.readers.prompted.reading import PromptedReader, Settings
    from anagnosis.recipes import load as recipes
    from anagnosis.searching.filters import is_date

    if not prompts:
        raise InputError("asks nothing", "--prompt", f"name a file, or one of {', '.join(names())}")
    if not model:
        raise InputError("names no model", "--model", "give the name by which the server knows it")
    if replay is not None:
        refuse_options(
            "--replay", endpoint=endpoint, key_env=key_env, most_tokens=most_tokens, most_cost=most_cost
        )
    elif endpoint is None:
        raise InputError("names no server", "--endpoint", "give its address, or a log with --replay")
    if cut_off is not None and not is_date(cut_off):
        raise InputError(f"{cut_off!r} is not a date", "--cut-off", "write YYYY, YYYY-MM or YYYY-MM-DD")
    if str(out) == STANDARD_INPUT:
        raise InputError("the log of replies lies beside the predictions", "--out", "name a file")
    how = recipes.configured(Settings, settings, f"reader {PROMPTED}")
    if train is not None and not how.examples:
        raise InputError("no examples are asked for", "--train-on", "leave it out, or give --set examples=3")
    spending = Spending(price_of(model, prices), most_tokens, most_cost)
    reader = PromptedReader(
        dataset, [*map(named, prompts)], how, model=model, view=view, seed=seed, train=train
    )
    dataset.parts(split)
    asked = server(endpoint, key_env, how.at_once, how.seconds) if endpoint is not None else None
    kept = notes.log_of(Path(out)) if replay is None else replay
    if replay is None:
        with naming_faults(str(out), "choose another --out", "writing"):
            Path(kept).parent.mkdir(parents=True, exist_ok=True)
    with CallLog(kept, replayed=replay is not None) as log:
        language_model = LanguageModel(spending, asked, log)
        count = write(out, reader.predict(split, limit, language_model))
    note = reader.note(language_model, cut_off or "")
    notes.write(out, notes.Note(view=reader.view, language_model=note))
    return count
