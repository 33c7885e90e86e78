"""Building a dataset in three phases: screen, resolve, write. A dataset's own part is a `Builder`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from anagnosis.documents.io.blocks import BLOCK


def _no_choices(recipe: Any) -> dict[str, Any]:
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Builder:
    """What makes a dataset. recipe: the class of its recipe (a msgspec.Struct).

    From documents: `screen(shard, recipe) -> Screening`. rules, instance_rules: their names, in the order of counting.
    choices: what the receipt states beside the recipe. spelled_out: the recipe as the folder keeps it. needs: what
    documents must have, for the error of a build without an instance; remedies: a rule, or the beginning of a reason
    of refusal → what that error advises where this is the cause. dated: the documents carry their dates.
    whole_articles: `screen` gets full texts with their reference lists, not titles and abstracts alone. takes_terms:
    where the user names vocabularies, `screen` gets a `Synonyms` as third argument. block_bytes: how much text a shard
    has. The recipe has the keys `split`, `split_weights`, `seed`, `since` and `drop_repeated_text`.

    From other files: `make(paths, recipe, spelled_out, out, replace=…) -> Dataset`.

    explain: `explain(inputs, ident, recipe)`, what happened to one document; None where nothing explains.
    """

    recipe: type[Any]
    screen: Callable[..., Any] | None = None
    make: Callable[..., Any] | None = None
    explain: Callable[..., Iterator[Any]] | None = None
    rules: tuple[str, ...] = ()
    instance_rules: tuple[str, ...] = ()
    choices: Callable[[Any], dict[str, Any]] = _no_choices
    spelled_out: Callable[[Any], dict[str, Any]] = msgspec.to_builtins
    needs: str = ""
    remedies: Mapping[str, str] = field(default_factory=dict[str, str])
    dated: bool = False
    whole_articles: bool = False
    takes_terms: bool = False
    block_bytes: int = BLOCK
