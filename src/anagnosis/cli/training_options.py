"""Options of the commands that build datasets and train readers: recipes, data, where they compute."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from anagnosis.cli.numbers import WholeNumber

F = TypeVar("F", bound=Callable[..., Any])


def assignments(what: str) -> Callable[[F], F]:
    """`--set` of a dataset or reader."""
    return click.option(
        "--set",
        "assigned",
        multiple=True,
        metavar="KEY=VALUE",
        help=f"Change one key of the {what}'s recipe.",
    )


def settings(what: str) -> Callable[[F], F]:
    """`--recipe` and `--set` of a dataset or reader."""

    def decorate(function: F) -> F:
        function = assignments(what)(function)
        return click.option(
            "--recipe",
            metavar="NAME|FILE",
            help=f"A recipe of the {what}; `anagnosis recipes` lists those that come with it.",
        )(function)

    return decorate


def assigned(pairs: Sequence[str]) -> dict[str, Any]:
    """`--set` options as data."""
    from anagnosis.recipes.load import assignments

    return assignments(pairs)


def with_encoder(pairs: Sequence[str], encoder: str | None) -> dict[str, Any]:
    """`--set` options and `--encoder` as data."""
    return {**assigned(pairs), **({"encoder": encoder} if encoder is not None else {})}


def trained_on(function: F) -> F:
    """`--data` and `--dev` of a training."""
    function = click.option(
        "--dev", metavar="DATASET_FOLDER", help="Evaluate on the dev part of this dataset instead."
    )(function)
    return click.option(
        "--data", metavar="DATASET_FOLDER", required=True, help="The dataset to train and evaluate on."
    )(function)


def device(function: F) -> F:
    """`--device`, `--threads` and `--kept`: where a reader that learns computes, and what it keeps."""
    for option in (
        click.option(
            "--kept",
            type=click.Path(),
            help="Where the vectors of a frozen encoder are kept (default: .kept beside the run folder).",
        ),
        click.option(
            "--threads", type=WholeNumber(1), help="Number of processor threads (default: one per core)."
        ),
        click.option("--device", help="auto (the default), cpu, cuda, cuda:N or mps."),
    ):
        function = option(function)
    return function
