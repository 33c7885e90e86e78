"""The settings of a training of word vectors, as a recipe that `trains = "word-vectors"` writes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike
from anagnosis.recipes import load as recipes
from anagnosis.recipes.values import Positive, Width

Method = Literal["skip-gram", "cbow"]
Few = Annotated[int, msgspec.Meta(ge=1, le=1_000)]
Seed32 = Annotated[int, msgspec.Meta(ge=0, le=2**32 - 1)]

TRAINS = "trains"
TUNE = "tune"  # the ranges of a search
WORD_VECTORS = "word-vectors"  # the value of `trains` in a recipe of word vectors


class WordVectorSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """method: skip-gram predicts the words around a word, cbow a word from the mean of those around it.

    dimension: numbers of a vector. window: words looked at on each side. threshold: words that occur less often have no
    vector. negative: random words against which each word is trained. epochs: passes over all texts. seed: of draws.
    """

    method: Method = "skip-gram"
    dimension: Width = 200
    window: Few = 5
    threshold: Positive = 5
    negative: Few = 5
    epochs: Positive = 5
    seed: Seed32 = 0


def is_recipe(values: Mapping[str, Any]) -> bool:
    """Whether a recipe is one of word vectors."""
    return values.get(TRAINS) == WORD_VECTORS


def settings_of(values: Mapping[str, Any], where: str) -> WordVectorSettings:
    """The settings of a recipe of word vectors. InputError: lists all problems."""
    return recipes.configured(WordVectorSettings, values, where, apart=(TRAINS, TUNE))


def recipe_values(recipe: PathLike) -> dict[str, Any]:
    """The values of a recipe by its name or from a file. InputError: it is no recipe of word vectors."""
    values = recipes.load(recipe)
    if not is_recipe(values):
        raise InputError("is no recipe of word vectors", str(recipe), "choose one such as clicr-word-vectors")
    return values
