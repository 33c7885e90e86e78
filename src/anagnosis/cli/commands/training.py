"""Commands over readers: train, tune, phases, predict; and what they start from: vectors."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from shlex import quote
from typing import Any

import msgspec

from anagnosis import api
from anagnosis.cli import messages, output_options
from anagnosis.cli.output_options import JSON
from anagnosis.cli.verbs import call, command, printed, reported

# What is printed of a run.
_FACTS = [
    "folder.name", "facts.epochs", "facts.best_epoch", "facts.seconds", "facts.measure", "facts.dev_value",
    "facts.dev_accuracy", "facts.dev_loss", "facts.parameters",
]  # fmt: skip

phases = reported(api.phases, "anagnosis phases runs/pqa runs/pqa-single")


@command(
    api.predict,
    """
anagnosis predict neighbour-overlap built/mine --split test --out base4.jsonl
anagnosis predict runs/as built/mine --split test --out as.jsonl
anagnosis predict entity-prior built/mine --train-on built/large --out prior.jsonl
anagnosis predict prompted built/held --endpoint URL --model NAME --prompt factoid@1 --out llm.jsonl
""",
    JSON,
)
def predict(as_json: bool, **given: Any) -> None:
    out, replaced = given["out"], Path(given["out"]).exists()
    lines = call(api.predict, given)
    if as_json:
        asked = {"reader": given["reader"], "split": given["split"]}
        output_options.print_json({**asked, "lines": lines, "out": out, "replaced": replaced})
    else:
        files = len([*Path(out).glob("*.jsonl")]) if Path(out).is_dir() else 1
        what = f"{out} ({lines:,} lines{f' in {files} files' if files > 1 else ''})"
        messages.wrote(what, f"anagnosis score {quote(given['dataset'])} {quote(out)}")


vectors = printed(
    api.train_vectors,
    """
anagnosis vectors baseline/ --out vectors.bin
anagnosis vectors built/clicr baseline/ --recipe clicr-word-vectors --set threshold=5 --out words.bin
anagnosis train pubmedqa-bilstm --data built/pqal --set vectors=vectors.bin --out runs/bilstm --folds 10
""",
    shows="words dimension documents refused known tokens distinct repairs",
    then=lambda _, given: [
        f"anagnosis train RECIPE --data DATASET --set vectors={quote(given['out'])} --out RUN"
    ],
    name="vectors",
)


@command(
    api.train,
    """
anagnosis train biomrc-attention-sum-local --data built/mine --out runs/as
anagnosis train biomrc-masked-encoder-max --data built/mine --out runs/max --set encoder=models/minilm
anagnosis train pubmedqa-encoder-multiphase --data built/pqal --also built/pqa --folds 10 --out runs/pqa
""",
    JSON,
)
def train(as_json: bool, **given: Any) -> None:
    made = call(api.train, given)
    runs, data, out = made.runs, given["dataset"], given["out"]
    if as_json:
        facts = [{"folder": str(run.folder), **msgspec.to_builtins(run.facts)} for run in runs]
        output_options.print_json({"runs": facts})
    elif not messages.quiet():
        for run in runs:
            messages.fields(run, _FACTS)
        split = messages.split_option(api.load(data).sizes)
        to = "predictions.jsonl" if len(runs) == 1 else "predictions"
        messages.wrote(
            out,
            f"anagnosis predict {quote(out)} {quote(data)}{split} --out {to}",
            f"anagnosis report {quote(data)} {quote(out)} --out report.html",
        )


def _after_tuning(found: Any, given: Mapping[str, Any]) -> list[str]:
    if found.best is None:
        return []
    best = quote(str(found.folder / "best.toml"))
    return [f"anagnosis train {best} --data {quote(given['dataset'])} --out runs/best"]


tune = printed(
    api.tune,
    "anagnosis tune clicr-gated-attention --data built/mine --out runs/search --trials 20",
    shows="measure best.number:best_trial best.value trials",
    then=_after_tuning,
    data=lambda found, _: {"measure": found.measure, "trials": found.trials, "best": found.best},
)
