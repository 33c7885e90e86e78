"""`anagnosis label`: draw, collect and read what people answer or label."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import Any

import click

from anagnosis import api
from anagnosis.cli import messages, output_options
from anagnosis.cli.output_options import JSON, QUIET
from anagnosis.cli.verbs import call, command

PAGES = "pages"  # the folder of a study, where none is named
# What `api.label` takes to read sheets; the rest is for a draw.
_READ = ("out", "replace")
_DRAWN = ("kind", "draw", "only", "seed", "split", "view", "people", "knowledge", "texts", "idle")


@click.group(
    params=[QUIET],
    epilog="\b\nExample:\n  anagnosis label draw built/tiny --only tiny-a --people ann,bea\n"
    "  anagnosis label collect built/tiny pages --out people.jsonl",
)
def label() -> None:
    """Have people answer or label questions.

    Answers: to cloze questions, or yes, no or maybe; predictions for `agreement` and `score`. Skills: which a question
    requires; a file of labels for --labels. Decisions (PubMedQA, Algorithm 1): annotator 1 sees the long answer,
    annotator 2 does not; their disagreements are listed for discussion, and questions without agreement removed.
    """


@command(
    api.label,
    """
anagnosis label draw built/clicr --draw 30 --people experts=ann --people novices=bea,cleo
anagnosis label draw built/pqal --kind answers --draw 30 --view reasoning-free --people ann,bea
anagnosis label draw built/pqa --draw 100 --people ann,bea
anagnosis label draw built/clicr --kind skills --draw 100 --people ann --sheets skills/
""",
    JSON,
    without=_READ,
    optional=["sheets"],
)
def draw(as_json: bool, **given: Any) -> None:
    """Draw questions by seed, and write a page for each person.

    A page is opened from disk in any browser, and saves a file, which `label collect` reads.
    """
    if not given["people"]:
        raise click.UsageError("name the people with --people")
    sheets = given["sheets"] = given["sheets"] or PAGES
    drawn = call(api.label, given)
    if as_json:
        output_options.print_json(drawn)
    elif not messages.quiet():
        what = "give each person their page, and put the files that they save beside the pages"
        print(f"{len(drawn.ids):,} drawn; {what}")
        then = f"anagnosis label read {quote(given['dataset'])} --sheets {quote(sheets)}"
        messages.wrote(sheets, then)


@command(
    api.label,
    """
anagnosis label read built/pqa --sheets pages/                       # lists what was answered differently
anagnosis label read built/pqa --sheets pages/ --out built/labelled  # after the discussion
""",
    JSON,
    without=_DRAWN,
)
def read(as_json: bool, **given: Any) -> None:
    """Read sheets or pages that people filled in.

    Write the agreed labels as a dataset. The kind is that of the draw.
    """
    from anagnosis import labelling
    from anagnosis.labelling.drawn import any_drawn

    sheets, out = given["sheets"], given["out"]
    record = call(api.label, given)
    if as_json:
        shown = {name: getattr(record, name) for name in record.__dataclass_fields__}
        output_options.print_json({**shown, "dataset": out} if "dataset" in shown else shown)
    elif not messages.quiet():
        of_kind = labelling.find(any_drawn(Path(sheets)).kind)
        _print(of_kind.summary(record), out)


@command(
    api.collect,
    "anagnosis label collect built/tiny pages/ --out people.jsonl   # what people saved and gave back",
    JSON,
)
def collect(as_json: bool, **given: Any) -> None:
    from anagnosis.labelling import collecting

    record, out = call(api.collect, given), given["out"]
    if as_json:
        output_options.print_json(record)
    elif not messages.quiet():
        _print(collecting.summary(record), out)


for _each in (draw, collect, read):
    label.add_command(_each)


def _print(lines: list[str], out: str | None) -> None:
    print(*lines, sep="\n")
    if out is not None:
        messages.wrote(out)
