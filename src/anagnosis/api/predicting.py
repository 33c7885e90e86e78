"""Verbs over readers: predict, tune."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anagnosis.api.datasets import load

if TYPE_CHECKING:
    from anagnosis.datasets.store import Dataset
    from anagnosis.readers.tune import Tried

PathLike = str | Path


def predict(
    reader: str,
    dataset: PathLike | Dataset,
    out: PathLike,
    *,
    split: str = "test",
    seed: int = 0,
    view: str = "global",
    recipe: PathLike | None = None,
    settings: Mapping[str, Any] | None = None,
    train_on: PathLike | Dataset | None = None,
    limit: int | None = None,
) -> int:
    """Run a reader over a split and write its predictions; gives the number of lines.

    settings: the reader's own options. train_on: the dataset on whose train part a reader that counts is fitted.
    """
    from anagnosis import predictions
    from anagnosis.readers.predict import predict as run

    options = {**_reader_recipe(recipe), **(settings or {})}
    training = load(train_on) if train_on is not None else None
    lines = run(
        load(dataset),
        reader,
        split=split,
        seed=seed,
        options=options,
        view=view,
        training=training,
        limit=limit,
    )
    return predictions.write(out, lines)


def tune(
    reader: str,
    dataset: PathLike | Dataset,
    *,
    split: str = "dev",
    recipe: PathLike | None = None,
    settings: Mapping[str, Any] | None = None,
) -> list[Tried]:
    """Try n = 2 … 6 on the development part, as both papers did; recipe and settings say the reader's other options."""
    from anagnosis.datasets import store
    from anagnosis.readers.tune import tune as run

    options = {**_reader_recipe(recipe), **(settings or {})}
    return run(store.instances(load(dataset), split), reader, options=options)


def _reader_recipe(recipe: PathLike | None) -> dict[str, Any]:
    from anagnosis.recipes import load as recipes

    return recipes.load(recipe) if recipe is not None else {}
