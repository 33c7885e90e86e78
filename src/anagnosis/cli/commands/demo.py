"""`anagnosis demo`: the main job from end to end on the bundled corpus."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

import click

from anagnosis.cli.output_options import QUIET, REPLACE

# The files of the corpus of which copies lie in {out}.
_COPIES = ("carried.pubtator", "carried.xml", "carried.nxml", "carried.tsv")
# {out}: the folder. PREDICT DATASET READER…: a prediction by each reader; ANSWERS: the files of the last ones.
_STEPS = """
build biomrc {out}/carried.pubtator --recipe biomrc-demo --out {out}/biomrc
check {out}/biomrc
show {out}/biomrc
PREDICT biomrc {readers}
compare {out}/biomrc ANSWERS
report {out}/biomrc ANSWERS --shortcuts --out {out}/report.html
build pubmedqa {out}/carried.xml --out {out}/pubmedqa
show {out}/pubmedqa --instance 99000054
annotate {out}/carried.nxml --full-text --terms {out}/carried.tsv --workers 1 --out {out}/annotated.jsonl
build bioread {out}/annotated.jsonl --recipe bioread-demo --out {out}/bioread
PREDICT bioread bioread:BASE1 bioread:BASE2 bioread:BASE3 bioread:BASE4
score {out}/bioread ANSWERS
build clicr {out}/annotated.jsonl --terms {out}/carried.tsv --recipe clicr-demo --out {out}/clicr
PREDICT clicr clicr:rand-entity clicr:maxfreq-entity
score {out}/clicr ANSWERS --measure exact-match --measure f1
"""
_QUESTION = "Does cold brew coffee raise gastric pH less than espresso?"
_SEARCH = f"""
index {{out}}/carried.pubtator {{out}}/carried.xml --out {{out}}/index
ask {{out}}/index "{_QUESTION}" --limit 2
"""
# What a question of each dataset is.
_BUILT = {
    "biomrc": "the hidden entity of a title",
    "pubmedqa": "yes, no or maybe",
    "bioread": "the hidden entity of a sentence",
    "clicr": "the hidden entity of a learning point",
}
_NEXT = """
Open {out}/report.html in a browser. Then take files of your own:

  anagnosis build biomrc FILES --out built/mine      # anagnosis build --help
  anagnosis index PAPERS --out built/papers          # anagnosis index --help
"""


@click.command(epilog="\b\nExample:\n  anagnosis demo", params=[REPLACE, QUIET])
@click.option("--out", default="demo", show_default=True, type=click.Path(), help="The folder to write into.")
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

    copies = {Path(out, name): carried().with_name(name) for name in _COPIES}
    # The copies mark the folder of an earlier demo, whose results this one replaces.
    replace = replace or all(_is_copy(path, source) for path, source in copies.items())
    for path, source in copies.items():
        outputs.output_file(path, replace=replace or _is_copy(path, source))
        write_bytes(path, source.read_bytes())
    readers = [*SHORTCUT_READERS["cloze"]]
    is_searched = find_spec("tantivy") is not None
    for step in _steps(_STEPS + _SEARCH * is_searched, out, " ".join(readers)):
        again = ["--replace"] if replace and "--out" in step and step[0] != "index" else []
        step = [*step, *again]
        print(f"\n$ anagnosis {shlex.join(step)}", flush=True)
        code = run(step)
        if code:
            sys.exit(code)
    files = [_predictions(out, "biomrc", reader) for reader in readers]
    for line in _last_screen(out, files, is_searched=is_searched):
        print(line)


def _steps(text: str, out: str, readers: str) -> Iterator[list[str]]:
    """The command lines, as lists of words."""
    answers = list[str]()
    for line in text.strip().splitlines():
        words = [word.format(out=out) for word in shlex.split(line.replace("{readers}", readers)) if word]
        if words and words[0] == "PREDICT":
            dataset = words[1]
            answers = [_predictions(out, dataset, reader) for reader in words[2:]]
            for reader, file in zip(words[2:], answers, strict=True):
                yield ["predict", reader, f"{out}/{dataset}", "--quiet", "--out", file]
        elif words:
            yield [one for word in words for one in (answers if word == "ANSWERS" else [word])]


def _predictions(out: str, dataset: str, reader: str) -> str:
    return f"{out}/{dataset}-{reader.rpartition(':')[2]}.jsonl"


def _last_screen(out: str, files: Sequence[str], *, is_searched: bool) -> Iterator[str]:
    """What was built, which reader of the first dataset is better, an answer: for 80 columns and 24 lines.

    files: predictions.
    """
    from anagnosis import api
    from anagnosis.evaluation.comparison import words
    from anagnosis.reports.renderers.numbers import cell_text
    from anagnosis.reports.systems.measured import shown
    from anagnosis.wording import counted, shortened

    yield f"\n{'=' * 80}\nThe demo built\n"
    for name, what in _BUILT.items():
        questions = counted(api.load(f"{out}/{name}").receipt.instances.kept, "question")
        yield f"{questions:>15}   {what:<37} {out}/{name}"
    (comparison,) = api.compare(f"{out}/biomrc", files).comparisons
    yield f"\nBest readers of {out}/biomrc: accuracy on test in %, with 95 % intervals\n"
    for own in comparison.ranking[:3]:
        yield f"{own.rank:>3}  {own.name:<36}{cell_text(shown(own.estimate), 'percent'):>20}"
    yield f"\n{words(comparison.differences[0], comparison)}.\n"
    if is_searched:
        (first,) = api.ask(f"{out}/index", _QUESTION, limit=1).evidence
        yield f"{_QUESTION}\n  {shortened(first.text, 70)}"
    else:
        yield 'To ask a collection of papers: pip install "anagnosis[search]"'
    yield _NEXT.rstrip().format(out=out)


def _is_copy(path: Path, source: Path) -> bool:
    return path.is_file() and path.read_bytes() == source.read_bytes()
