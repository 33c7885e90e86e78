"""`anagnosis vectors`: train word vectors on documents, or on a dataset's train part."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from anagnosis.cli import input_options, messages, output_options
from anagnosis.cli.numbers import WholeNumber


@click.command(
    epilog="\b\nExample:\n  anagnosis vectors baseline/ --out vectors.bin\n"
    "  anagnosis vectors built/clicr baseline/ --recipe clicr-word-vectors --threshold 5 --out words.bin\n"
    "  anagnosis train pubmedqa-bilstm --data built/pqal --set vectors=vectors.bin --out runs/bilstm --folds 10"
)
@click.argument("documents", nargs=-1, required=True, metavar="FILE|FOLDER|DATASET_FOLDER|-...")
@click.option(
    "--out", required=True, type=click.Path(), help="The word2vec file: binary as .bin, text as .txt or .vec."
)
@click.option(
    "--recipe", metavar="NAME|FILE", help="A recipe of word vectors, which the options below override."
)
@click.option(
    "--method",
    type=click.Choice(["skip-gram", "cbow"]),
    help="Predict the words around a word (skip-gram, the default) or the word from them (cbow).",
)
@click.option("--dimension", type=WholeNumber(1, 65_536), help="Numbers per vector (default: 200).")
@click.option("--window", type=WholeNumber(1), help="Context words on each side (default: 5).")
@click.option("--epochs", type=WholeNumber(1), help="Passes over all texts (default: 5).")
@click.option(
    "--threshold", type=WholeNumber(1), help="Words less frequent than this get no vector (default: 5)."
)
@click.option(
    "--negative", type=WholeNumber(1), help="Random words against which each word is trained (default: 5)."
)
@click.option("--seed", type=WholeNumber(0, 2**32 - 1), help="Seed of the training (default: 0).")
@click.option(
    "--workers",
    type=WholeNumber(1),
    default=1,
    show_default=True,
    help="Number of threads. Several are faster, but the bytes then differ from run to run.",
)
@input_options.format_and_encoding
@output_options.REPLACE
@output_options.JSON
def vectors(
    documents: tuple[str, ...],
    out: str,
    as_json: bool,
    **how: Any,
) -> None:
    """Train word vectors, for readers that start from them, on documents of any format and on the train parts of
    datasets: cloze questions, and questions with sentences to choose from (by gensim).
    """
    from anagnosis import api

    made = api.train_vectors(documents, out, **how)
    if as_json:
        output_options.print_json(made)
        return
    if messages.quiet():
        return
    print(f"{made.words:,} words of {made.dimension} numbers, from {made.documents:,} documents")
    print(f"{made.known:,} of {made.tokens:,} words read have a vector, of {made.distinct:,} different ones")
    if made.refused:
        print(f"{made.refused:,} documents could not be read")
    messages.counts("repairs and warnings", made.repairs)
    if made.known * 2 < made.tokens:
        print("fewer than half of the words read have a vector; a lower --threshold gives more of them one")
    messages.wrote(out, _next(documents, out))


def _next(documents: tuple[str, ...], out: str) -> str:
    """What to try with the vectors: on the first dataset that they were trained on, or on one that starts from them."""
    from anagnosis import api
    from anagnosis.datasets.definition import next_with_vectors
    from anagnosis.io.folder_names import RECEIPT

    for path in documents:
        if (Path(path) / RECEIPT).is_file():
            dataset = api.load(path)
            assert dataset.kind.running_text is not None  # else it is refused before
            usual = dataset.kind.running_text.next_command
            return next_with_vectors(dataset.recipe, usual).format(out=path, split="", vectors=out)
    return f"anagnosis train pubmedqa-bilstm --data DATASET --set vectors={out} --out RUN"
