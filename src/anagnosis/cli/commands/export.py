"""`anagnosis export`: a dataset as the authors' files, or one view of it for any trainer or language model."""

from __future__ import annotations

import shlex
from typing import Any

import click

from anagnosis.cli import messages, output_options


@click.command(
    epilog="\b\nExample:\n  anagnosis export built/mine --layout biomrc --setting A --out out/\n"
    "  anagnosis export built/full --layout bioread --setting local-unk --out out/\n"
    "  anagnosis export built/mine --layout parquet --view names --out out/\n"
    "  anagnosis export built/mine --layout lm-eval --out tasks/\n"
    "  anagnosis export built/clicr --layout ga-reader --view plain --out files/"
)
@click.argument("dataset", metavar="DATASET_FOLDER")
@click.option(
    "--layout",
    help="biomrc, bioread, clicr, pubmedqa, bioasq, pubmedqa-folds, parquet, jsonl, lm-eval, arpa, ga-reader, "
    "sa-reader, cnn (default: the authors' of these instances).",
)
@click.option(
    "--setting",
    help="biomrc: A (default) or B. bioread: local or global, or local-unk or global-unk, which write UNK for rare "
    "words. pubmedqa: the subset, L, U or A (default: all). "
    "bioasq: only the files of these batches.",
)
@click.option(
    "--view",
    help="For parquet and jsonl (default: global) and lm-eval (default: names): global, local, names, anonymous, "
    "marked or plain; of decisions reasoning-required (the default), reasoning-free or question-only. For ga-reader "
    "and sa-reader: marked (the default) or plain.",
)
@click.option("--compress", is_flag=True, help="biomrc, clicr, pubmedqa and bioasq: write .json.gz.")
@click.option("--out", required=True, type=click.Path(), help="The folder to write into.")
@output_options.REPLACE
@output_options.JSON
def export(
    dataset: str,
    layout: str | None,
    out: str,
    as_json: bool,
    **how: Any,
) -> None:
    """Write a dataset in another layout.

    biomrc, bioread, clicr, pubmedqa and bioasq give back, byte for byte, what `import` read; Setting B is derived from
    A. pubmedqa-folds writes the authors' test set and ten folds. lm-eval writes tasks for lm-evaluation-harness, whose
    logged samples can be scored. ga-reader, sa-reader and cnn write the files of CliCR's programs for those readers.
    arpa writes two language models of the train part.
    """
    from anagnosis import api
    from anagnosis.wording import counted

    written = api.export(dataset, out, layout=layout, **how)
    if as_json:
        output_options.print_json(
            [
                {"path": str(w.path), "instances": w.instances, "notes": w.notes, "replaced": w.replaced}
                for w in written
            ]
        )
        return
    if messages.quiet():
        return
    if not written:
        print("nothing to write: the dataset has no instances")
    for made in written:
        then = [_run(out, made.path.stem)] if layout == "lm-eval" and made is written[-1] else []
        messages.wrote(f"{made.path} ({counted(made.instances, 'instance')})", *then)
        messages.counts("  possible problems in other programs", made.notes)


def _run(folder: str, task: str) -> str:
    given = f"--include_path {shlex.quote(folder)} --tasks {task}"
    return f"lm_eval --model hf --model_args pretrained=MODEL {given} --log_samples --output_path samples"
