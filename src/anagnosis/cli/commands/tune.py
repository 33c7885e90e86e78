"""`anagnosis tune`: search for a reader's settings on the development part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from anagnosis.cli import messages, output_options, training_options
from anagnosis.cli.numbers import WholeNumber

if TYPE_CHECKING:
    from anagnosis.evaluation.measures.measure import Measure
    from anagnosis.training.ngram_size import SizeSearch
    from anagnosis.training.tuning import Search, Trial


@click.command(
    epilog="\b\nExample:\n  anagnosis tune clicr-gated-attention --data built/mine --out runs/search --trials 20\n"
    "  anagnosis tune neighbour-overlap --data built/mine --measure accuracy\n"
    "  anagnosis tune clicr-word-vectors --data built/clicr --set threshold=5 --out runs/vectors --trials 20"
)
@click.argument("recipe", metavar="RECIPE")
@training_options.trained_on
@click.option("--out", type=click.Path(), help="The folder to write trials and the best recipe into.")
@click.option("--trials", type=WholeNumber(1), help="Number of trials, earlier calls included.")
@click.option("--seed", type=WholeNumber(), help="Seed of the random search (default: 0).")
@training_options.assignments("reader")
@click.option("--encoder", metavar="NAME|FOLDER", help="The encoder of a reader that has one.")
@training_options.device
@click.option("--limit", type=WholeNumber(1), help="Only this many first instances of each part.")
@click.option(
    "--measure",
    metavar="NAME",
    help="Compare the trials by this measure (default: [tune]'s, else the recipe's stop, else accuracy).",
)
@output_options.JSON
def tune(
    recipe: str,
    data: str,
    out: str | None,
    assigned: tuple[str, ...],
    encoder: str | None,
    as_json: bool,
    **how: Any,
) -> None:
    """Choose the settings of RECIPE's reader on the dev part.

    For a reader that learns, by random search over the ranges of the recipe's [tune] table. The same command
    continues the search, and more --trials extend it. For a reader that does not learn, the command tries n = 2 … 6.
    Of word vectors, each trial trains some on the train part, and sim-entity answers the dev part with them.
    """
    from anagnosis import api, readers

    found = api.tune(recipe, data, out, settings=training_options.with_encoder(assigned, encoder), **how)
    from anagnosis.training.ngram_size import SizeSearch

    if isinstance(found, SizeSearch):
        known = readers.canonical(recipe) in readers.READERS
        _show_sizes(found, recipe if known else api.recipe(recipe)["reader"], data, as_json=as_json)
    elif as_json:
        output_options.print_json(
            {
                "measure": found.measure,
                "trials": [_row(trial) for trial in found.trials],
                "best": found.best and _row(found.best),
                "levels": found.levels,
            }
        )
    else:
        _show_search(found, data)


def _show_sizes(search: SizeSearch, reader: str, data: str, *, as_json: bool) -> None:
    from anagnosis.evaluation.measures.measure import named

    best, measure = search.best, named(search.measure)
    if as_json:
        trials = [{"n": one.n, "value": one.value} for one in search.trials]
        output_options.print_json(
            {"measure": search.measure, "instances": search.instances, "trials": trials, "best": best.n}
        )
        return
    for one in search.trials:
        mark = "  best" if one is best else ""
        value = "no value" if one.value is None else _measured(one.value, measure)
        print(f"n = {one.n}  {measure.called} {value} of {search.instances:,} dev instances{mark}")
    print(f"  next: anagnosis predict {reader} {data} --set n={best.n} --out predictions.jsonl")


def _show_search(search: Search, data: str) -> None:
    if messages.quiet():
        return
    from anagnosis.evaluation.measures.measure import named

    measure = named(search.measure)
    for trial in search.trials:
        values = ", ".join(f"{key} {_value(value)}" for key, value in trial.values.items())
        if trial.value is None:
            print(f"trial {trial.number}  {values}: {trial.fault}")
        else:
            mark = "  best" if trial is search.best else ""
            print(f"trial {trial.number}  {measure.called} {_measured(trial.value, measure)}  {values}{mark}")
    if search.best is not None and search.best.value is not None:
        from anagnosis.training.runs.baseline_levels import sentence

        if level := sentence(search.levels, search.best.value):
            print(f"  {level}")
        messages.wrote(str(search.folder / "best.toml"), search.next_command(data))


def _measured(value: float, measure: Measure) -> str:
    return f"{100 * value:6.2f} %" if measure.unit == "percent" else f"{value:.4f}"


def _value(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _row(trial: Trial) -> dict[str, object]:
    return {
        "number": trial.number,
        "values": trial.values,
        "value": trial.value,
        "epochs": trial.epochs,
        "seconds": trial.seconds,
        "fault": trial.fault,
    }
