"""Options of the commands that score systems: how predictions are matched, what is measured, how it is tested."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from anagnosis.cli.numbers import WholeNumber

F = TypeVar("F", bound=Callable[..., Any])

# Those of `evaluation/protocols.py`, whose tables take time to load; a test holds the two together.
PROTOCOLS = (
    "expected",
    "answer",
    "fixed",
    "official",
    "as-published",
    "thesis",
    "organisers-2",
    "organisers-3",
    "organisers-5",
    "organisers-8",
    "organisers-9",
    "fuzzy-90",
    "same-name",
    "fuzzy-90-QRatio",
    "fuzzy-90-ratio",
    "fuzzy-90-partial_ratio",
    "fuzzy-90-token_sort_ratio",
    "fuzzy-90-token_set_ratio",
)
DATASET = click.argument("dataset", metavar="DATASET_FOLDER")
SYSTEMS = click.argument("files", nargs=-1, required=True, metavar="SYSTEM...")
SPLIT = click.option("--split", help="train, dev, test, or all of them (default: the one the ids lie in).")
UNIT = click.option(
    "--unit",
    type=click.Choice(["document", "instance"]),
    default="document",
    show_default=True,
    help="What counts as independent: instances of one document share its abstract.",
)
MEASURE = click.option(
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="Score by this measure; again for several. `anagnosis measures` lists them (default: those of the kind).",
)
VECTORS = click.option(
    "--vectors",
    metavar="FILE",
    help="A word2vec file (text or binary), by which embedding-average compares answers.",
)
LABELS = click.option(
    "--labels",
    metavar="FILE",
    help="CSV or JSON lines with id and columns of labels to break results down by (reasoning, skills, …).",
)


class ViewName(click.ParamType):  # pyright: ignore[reportMissingTypeArgument]  (generic in new releases of click alone)
    """A view of any kind of dataset. The kinds are looked up when a name is given: to load them takes time."""

    name = "view"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        known = _views()
        if value not in known:
            self.fail(f"{value!r} is not one of {', '.join(map(repr, known))}.", param, ctx)
        return value

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(view) for view in _views() if view.startswith(incomplete)]


def matching(function: F) -> F:
    """Options for how predictions are matched with a dataset; they have the names of the verbs' arguments."""
    for option in (
        click.option(
            "--any-dataset",
            "check_fingerprint",
            is_flag=True,
            callback=lambda context, parameter, given: not given,
            help="Accept lines that carry another dataset's fingerprint.",
        ),
        click.option(
            "--view",
            type=ViewName(),
            metavar="NAME",
            help="The view that the systems read, for the signature (global, local, names, …).",
        ),
        click.option(
            "--protocol",
            type=click.Choice(PROTOCOLS),
            metavar="NAME",
            help="Cloze: expected (ties by expectation from the scores; default), answer (the answer field) or "
            "as-published (as CliCR's program counts). Decisions: fixed (labels; default) or official (as the "
            "authors' program counts). Exact answers: thesis (default), organisers-2, -3, -5, -8 or -9, fuzzy-90 "
            "or same-name.",
        ),
        SPLIT,
    ):
        function = option(function)
    return function


def scoring(function: F) -> F:
    """Arguments and options of the commands that score systems on a dataset."""
    for option in (
        UNIT,
        matching,
        SYSTEMS,
        DATASET,
    ):
        function = option(function)
    return function


def draws(function: F) -> F:
    """Seed and number of the draws of a randomisation."""
    function = click.option(
        "--draws",
        type=WholeNumber(1),
        default=10_000,
        show_default=True,
        help="Number of swaps and resamples.",
    )(function)
    return click.option(
        "--seed",
        type=WholeNumber(),
        default=0,
        show_default=True,
        help="Seed of the randomisation and bootstrap.",
    )(function)


def _views() -> list[str]:
    from anagnosis.datasets.kinds.table import every_view

    return every_view()
