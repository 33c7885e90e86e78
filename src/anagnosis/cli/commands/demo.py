"""`anagnosis demo`: the main job from end to end on the bundled corpus."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import click

QUESTION = "Does cold brew coffee raise gastric pH less than espresso?"


@click.command(epilog="\b\nExample:\n  anagnosis demo")
@click.option("--out", default="demo", show_default=True, type=click.Path(), help="The folder to write into.")
@click.option("--replace", is_flag=True, help="Overwrite another file, or an existing dataset or run.")
def demo(out: str, replace: bool) -> None:
    """Build a dataset from the bundled corpus, run all baselines, compare them and write a report.

    Then build PubMedQA's kind of questions from citations, and show one; annotate full texts by a vocabulary, build
    BioRead's kind of questions from them and score its baselines; ask for entities of case reports' learning points, as
    CliCR does, and score its baselines; index abstracts and citations and ask a question.
    Each command is shown as you would type it; a copy of the corpus lies beside the results. Takes less than a minute
    and needs no network.
    """
    from anagnosis.cli import run
    from anagnosis.corpus import carried
    from anagnosis.datasets.shortcuts import SHORTCUT_READERS
    from anagnosis.io import outputs
    from anagnosis.io.files import write_bytes

    corpus, dataset, report = f"{out}/carried.pubtator", f"{out}/biomrc", f"{out}/report.html"
    citations, decisions, index = f"{out}/carried.xml", f"{out}/pubmedqa", f"{out}/index"
    articles, terms = f"{out}/carried.nxml", f"{out}/carried.tsv"
    annotated, windows, queries = f"{out}/annotated.jsonl", f"{out}/bioread", f"{out}/clicr"
    copies = {
        corpus: carried(),
        citations: carried("medline"),
        articles: carried("jats"),
        terms: carried("terms-tsv"),
    }
    # The copies mark the folder of an earlier demo, whose results this one replaces.
    replace = replace or all(_is_copy(Path(path), source) for path, source in copies.items())
    again = ["--replace"] if replace else []
    for path, source in copies.items():
        outputs.output_file(path, replace=replace or _is_copy(Path(path), source))
        write_bytes(path, source.read_bytes())
    readers = [*SHORTCUT_READERS["cloze"]]
    files = [f"{out}/{reader}.jsonl" for reader in readers]
    baselines = [f"bioread:BASE{number}" for number in range(1, 5)]
    answers = [f"{windows}-{baseline[-5:]}.jsonl" for baseline in baselines]
    simple = ["clicr:rand-entity", "clicr:maxfreq-entity"]
    texts = [f"{queries}-{baseline[6:]}.jsonl" for baseline in simple]
    steps = [
        ["build", "biomrc", corpus, "--recipe", "biomrc-demo", *again, "--out", dataset],
        ["check", dataset],
        ["show", dataset],
        *(
            ["predict", reader, dataset, "--quiet", *again, "--out", file]
            for reader, file in zip(readers, files, strict=True)
        ),
        ["compare", dataset, *files],
        ["report", dataset, *files, "--shortcuts", *again, "--out", report],
        ["build", "pubmedqa", citations, *again, "--out", decisions],
        ["show", decisions, "--instance", "99000054"],
        [
            "annotate",
            articles,
            "--full-text",
            "--terms",
            terms,
            "--workers",
            "1",
            *again,
            "--out",
            annotated,
        ],
        ["build", "bioread", annotated, "--recipe", "bioread-demo", *again, "--out", windows],
        *(
            ["predict", baseline, windows, "--quiet", *again, "--out", file]
            for baseline, file in zip(baselines, answers, strict=True)
        ),
        ["score", windows, *answers],
        ["build", "clicr", annotated, "--terms", terms, "--recipe", "clicr-demo", *again, "--out", queries],
        *(
            ["predict", baseline, queries, "--quiet", *again, "--out", file]
            for baseline, file in zip(simple, texts, strict=True)
        ),
        ["score", queries, *texts, "--measure", "exact-match", "--measure", "f1"],
    ]
    if find_spec("tantivy") is not None:
        steps += [["index", corpus, citations, "--out", index], ["ask", index, QUESTION, "--limit", "2"]]
    for step in steps:
        print(f"\n$ anagnosis {shlex.join(step)}", flush=True)
        code = run(step)
        if code:
            sys.exit(code)
    if find_spec("tantivy") is None:
        print('\nTo ask a collection of papers: pip install "anagnosis[search]"')
    for sentence in _summary([dataset, decisions, windows, queries], files):
        print(f"\n{sentence}")
    print(f"\nNext: open {report} in a browser, then build from your own files (anagnosis build --help).")


def _summary(datasets: Sequence[str], files: Sequence[str]) -> tuple[str, str]:
    """What was built, and which reader of the first dataset is better."""
    from anagnosis import api
    from anagnosis.evaluation.comparison import words
    from anagnosis.wording import counted

    built = [
        f"{counted(api.load(folder).receipt.instances.kept, 'question')} in {folder}" for folder in datasets
    ]
    (comparison,) = api.compare(datasets[0], files).comparisons
    return f"Built: {', '.join(built)}.", (
        f"Of {len(files)} readers of {datasets[0]}, {words(comparison.differences[0], comparison)}."
    )


def _is_copy(path: Path, source: Path) -> bool:
    return path.is_file() and path.read_bytes() == source.read_bytes()
