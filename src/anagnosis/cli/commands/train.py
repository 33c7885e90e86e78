"""`anagnosis train`: train a reader into a run folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from anagnosis.cli import messages, output_options, training_options
from anagnosis.cli.numbers import WholeNumber

if TYPE_CHECKING:
    from anagnosis.training.runs.run import Run


@click.command(
    epilog="\b\nExample:\n  anagnosis train biomrc-attention-sum-local --data built/mine --out runs/as\n"
    "  anagnosis train biomrc-masked-encoder-max --data built/mine --out runs/max --encoder models/minilm\n"
    "  anagnosis train pubmedqa-encoder-multiphase --data built/pqal --also built/pqa --folds 10 --out runs/pqa\n"
    "  accelerate launch --num_processes 4 -m anagnosis train … the same"
)
@click.argument("recipe", metavar="RECIPE")
@training_options.trained_on
@click.option("--out", required=True, type=click.Path(), help="The run folder to write.")
@training_options.assignments("reader")
@click.option("--encoder", metavar="NAME|FOLDER", help="The encoder of a reader that has one.")
@click.option("--seeds", type=WholeNumber(1), help="Number of trainings, into OUT/seed-0, OUT/seed-1, …")
@click.option(
    "--folds",
    type=WholeNumber(1, 10),
    help="Cross validation: number of PubMedQA's ten folds to train, from the first.",
)
@click.option(
    "--also",
    multiple=True,
    type=click.Path(),
    metavar="FOLDER",
    help="A further dataset, for the phases of a schedule. Can be repeated.",
)
@training_options.device
@click.option("--limit", type=WholeNumber(1), help="Only this many first instances of each part.")
@output_options.REPLACE
@output_options.JSON
def train(
    recipe: str,
    data: str,
    out: str,
    assigned: tuple[str, ...],
    encoder: str | None,
    device: str | None,
    as_json: bool,
    **how: Any,
) -> None:
    """Train the reader of RECIPE on a dataset's train part, and evaluate it on dev.

    RECIPE is the name of one that comes with anagnosis, a TOML file, or a reader's name. After Ctrl-C the same
    command continues to the same weights; if memory ran out, add a smaller --set tokens=…. Each phase of a recipe has
    a folder in OUT. The command prints the last phase's runs, `anagnosis phases OUT` those of all phases.
    """
    from anagnosis import api

    made = api.train(
        recipe,
        data,
        out,
        settings=training_options.with_encoder(assigned, encoder),
        device=device or "auto",
        **how,
    )
    from anagnosis.training.loop.devices import leads
    from anagnosis.training.runs.baseline_levels import not_above, sentence
    from anagnosis.training.runs.run import Run

    if not leads():
        return
    runs = made.runs
    if as_json:
        found: dict[str, object] = {"runs": [{"folder": str(run.folder), **_facts(run)} for run in runs]}
        if not isinstance(made, Run):
            found |= {"mean": made.mean, "deviation": made.deviation, "levels": made.levels}
            found["not_above"] = not_above(made.levels, made.mean) if made.mean is not None else []
        output_options.print_json(found)
        return
    if messages.quiet():
        return
    for run in runs:
        print(_line(run))
        if isinstance(made, Run) and run.facts.measure is None and run.facts.dev_accuracy is not None:
            _print_levels(sentence(run.facts.levels, run.facts.dev_accuracy))
    if not isinstance(made, Run) and made.mean is not None:
        several = f"{len(runs)} {made.what}{'s' if len(runs) != 1 else ''}"
        print(f"{several}: {_on_dev(runs, made.mean, made.deviation)}")
        if all(run.facts.measure is None for run in runs):
            _print_levels(sentence(made.levels, made.mean))
    given = api.load(data)
    split = messages.readable_split(given.rows)
    messages.wrote(
        out,
        *(
            [f"anagnosis predict {out} {data} --split {split} --out predictions.jsonl"]
            if len(runs) == 1
            else []
        ),
        f"anagnosis report {data} {out} --out report.html",
    )


def _print_levels(line: str) -> None:
    if line:
        print(f"  {line}")


def _facts(run: Run) -> dict[str, object]:
    import msgspec

    from anagnosis.training.runs.baseline_levels import not_above

    accuracy = run.facts.dev_accuracy
    low = not_above(run.facts.levels, accuracy) if accuracy is not None else []
    return {**msgspec.to_builtins(run.facts), "not_above": low}


def _on_dev(runs: Sequence[Run], accuracy: float, deviation: float | None = None) -> str:
    """The mean of the measure that selected the runs' weights, before their accuracy, which exact answers lack."""
    from statistics import fmean

    from anagnosis.readers.learning import AnswerSettings

    value = _mean_value(runs)
    if isinstance(runs[0].config, AnswerSettings):
        return f"dev {value or f'loss {fmean(run.facts.dev_loss or 0.0 for run in runs):.4f}'}"
    spread = f", deviation {100 * deviation:.2f}" if deviation is not None else ""
    return f"dev {value}{value and ', '}accuracy {100 * accuracy:.2f} %{spread}"


def _mean_value(runs: Sequence[Run]) -> str:
    """The mean of the measure that selected the runs' weights; "" where accuracy or loss did."""
    from statistics import fmean

    from anagnosis.evaluation.measures.measure import named

    name, values = runs[0].facts.measure, [run.facts.dev_value for run in runs]
    if name is None:
        return ""
    known, measure = [value for value in values if value is not None], named(name)
    if len(known) < len(values):
        return f"{measure.called} without a value"
    mean = fmean(known)
    return f"{measure.called} {f'{100 * mean:.2f} %' if measure.unit == 'percent' else f'{mean:.4f}'}"


def _line(run: Run) -> str:
    facts = run.facts
    if not facts.epochs:
        return f"{run.folder.name}: not trained"
    kept = f", epoch {facts.best_epoch} kept" if facts.best_epoch not in (None, facts.epochs) else ""
    judged = ""
    if facts.dev_accuracy is not None:
        judged = f", {_on_dev([run], facts.dev_accuracy)}"
    seconds = facts.seconds or 0.0
    return (
        f"{run.folder.name}: {facts.epochs} epoch{'s' if facts.epochs != 1 else ''} of "
        f"{seconds:,.{0 if seconds >= 10 else 1}f} s{kept}{judged}, "
        f"{facts.parameters:,} parameters"
    )
