"""`--out`, `--replace`, `--json` and `--quiet`: where a command's results go."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

from anagnosis.cli.messages import shortened, wrote

# Parameters that name what a command writes, and the text of a question.
_NOT_READ = ("out", "hard", "runs", "sheets", "kept", "question")
JSON = click.Option(["--json", "as_json"], is_flag=True, help="Print plain data instead of text.")
OUT = click.Option(
    ["--out"],
    type=click.Path(),
    help="Write .html, .md, .tex, .csv, .parquet, .json or .txt instead of printing.",
)
REPLACE = click.Option(
    ["--replace"], is_flag=True, help="Overwrite another file, or an existing dataset or run."
)
QUIET = click.Option(
    ["-q", "--quiet"],
    is_flag=True,
    expose_value=False,
    callback=lambda context, _, given: os.environ.update({"ANAGNOSIS_QUIET": "1"} if given else {}),
    help="Print results and errors only: no progress, no notes on written files.",
)


def refuse_both(as_json: bool, out: str | None) -> None:
    """`--json` prints, so a file for it would stay away unseen."""
    if as_json and out is not None:
        raise click.UsageError("--json prints and --out writes: leave one of them out")


def print_json(data: Any) -> None:
    """Plain data as JSON on standard output, keys in their order."""
    import json

    import msgspec

    from anagnosis.showing import escaped_json

    plain = msgspec.to_builtins(data, enc_hook=str, str_keys=True)
    print(escaped_json(json.dumps(plain, ensure_ascii=False, indent=2)))


def output_file(out: str | None, *, replace: bool) -> Path | None:
    """The file of --out, refused before any work where it may not be written; None without --out.

    What it reads is named by its arguments, but for a question, and by options that are paths.
    """
    if out is None:
        return None
    from anagnosis import reports

    context = click.get_current_context()
    read = [
        each.name
        for each in context.command.params
        if isinstance(each, click.Argument) or isinstance(each.type, click.Path)
    ]
    values = [context.params[name] for name in read if name and name not in _NOT_READ]
    several = [value if isinstance(value, tuple) else (value,) for value in values]
    inputs = [one for value in several for one in value if one and isinstance(one, str)]
    return reports.output_file(out, inputs=inputs, replace=replace)


def give(record: object, out: Path | None, *, as_json: bool) -> None:
    """A record into a file, as a report or data, or on standard output for people or as data."""
    if out is not None:
        from anagnosis.reports import save

        wrote(str(save(record, out, replace=True)))  # it was checked before
    elif as_json:
        from anagnosis.reports.records import as_json as printed

        print(printed(record), end="")
    else:
        from anagnosis.reports.records import report
        from anagnosis.reports.renderers.text import show
        from anagnosis.reports.report import brief

        found = report(record)
        show(brief(found) if shortened() else found, sys.stdout)
