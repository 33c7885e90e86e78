"""The command line: commands by subject, loaded when one is called; each parses, calls one verb of api, prints.

Exit codes: 0 done, 1 a bug (with its traceback), 2 a mistake of the user (one line), 130 interrupted.
"""

from __future__ import annotations

import importlib
import io
import os
import sys
from typing import Any

import click

from anagnosis.cli.output import UnreadError, give_up, mask_streams, open_closed_streams
from anagnosis.cli.output_options import QUIET
from anagnosis.encoders.cpu import calm_threads
from anagnosis.errors import ON_COMMAND_LINE, InputError
from anagnosis.version import __version__

# Group in the help → name → (module of its commands, what it does in one line).
GROUPS = {
    "Build": {
        "demo": ("demo", "Build, predict, compare and report on the bundled corpus."),
        "build": ("datasets", "Build a dataset from documents, with a receipt."),
        "import": ("datasets", "Read the authors' files into a dataset."),
        "export": ("datasets", "Write a dataset as the authors' files, or one view of it."),
        "sample": ("datasets", "Draw a smaller dataset inside each split (LITE, TINY)."),
        "convert": ("documents", "Convert documents from one format to another."),
        "annotate": ("documents", "Find the entities of vocabularies in documents."),
        "terms": ("documents", "Store a vocabulary, or describe a stored one."),
        "vectors": ("training", "Train word vectors on documents or datasets."),
    },
    "Read and score": {
        "train": ("training", "Train a reader into a run folder."),
        "phases": ("training", "Scores of each phase of a training."),
        "tune": ("training", "Search for a reader's settings on the development part."),
        "predict": ("training", "Answer a split by a reader or a run folder."),
        "score": ("scoring", "Scores of predictions, with intervals and breakdowns."),
        "compare": ("scoring", "Paired tests: is the difference real?"),
        "protocols": ("scoring", "Exact answers under every protocol and measure, in one table."),
        "submit": ("scoring", "Answers as a submission to BioASQ, checked."),
        "agreement": ("scoring", "Agreement and accuracy of people."),
        "label": ("label", "Have people label or answer questions."),
        "report": ("scoring", "Everything about some predictions as a page, table or data."),
        "leaderboard": ("leaderboard", "Withhold answers, or check and rank submissions."),
    },
    "Search and ask": {
        "index": ("searching", "Index papers as a collection to search."),
        "search": ("searching", "The passages of a collection that fit a question."),
        "ask": ("searching", "The sentences of a collection that fit a question best."),
        "export-results": ("searching", "Papers of a collection as RIS, BibTeX, CSV or JSON lines."),
        "serve": ("searching", "A page and a JSON API to search and ask a collection."),
        "evaluate-search": ("scoring", "How good rankings are: nDCG, MAP, recall, paired tests."),
    },
    "Look up": {
        "show": ("datasets", "Statistics and drops of a dataset, or one instance."),
        "check": ("datasets", "Verify every file and instance of a dataset, or an index."),
        "datasets": ("tables", "List the datasets."),
        "recipes": ("tables", "List the recipes, or print one."),
        "readers": ("tables", "List the readers."),
        "measures": ("tables", "List the measures."),
        "formats": ("tables", "List the formats of documents."),
    },
}
_CLOSED = "standard output: is closed; send it to a file, or to /dev/null"
COMMANDS = {name: entry for group in GROUPS.values() for name, entry in group.items()}


class Commands(click.Group):
    """A group that imports a command only when it is called or its own help is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"anagnosis.cli.commands.{COMMANDS[cmd_name][0]}")
        name = "import_" if cmd_name == "import" else cmd_name.replace("-", "_")
        found: click.Command = getattr(module, name)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            from anagnosis.errors import unknown_name

            raise unknown_name("command", args[0], COMMANDS)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as fault:
            # click itself would end in 1, which says that there is a bug.
            raise UnreadError from fault

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, COMMANDS))
        for group, commands in GROUPS.items():
            with formatter.section(group):
                formatter.write_dl([(name.ljust(width), summary) for name, (_, summary) in commands.items()])


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    params=[QUIET],
)
@click.version_option(__version__, prog_name="anagnosis")
def cli() -> None:
    """Machine reading of biomedical papers: documents, datasets, readers, predictions, reports.

    \b
    Start with:
      anagnosis demo
      anagnosis build biomrc corpus.pubtator.gz --out built/mine
    """


def main() -> None:
    """The `anagnosis` program."""
    # Arrow's own allocator keeps what it once had: half as much memory again, and no faster here.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    calm_threads()
    is_open = open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        # A terminal that is not UTF-8 gets \u2192 for an arrow, not a traceback.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    mask_streams()
    sys.exit(run(sys.argv[1:]) if is_open else _refused(_CLOSED))


def run(arguments: list[str]) -> int:
    """Run one command line; gives the exit code. An exception that is no user's mistake passes through."""
    mask_streams()
    code = _code(arguments)
    try:
        sys.stdout.flush()
    except (InputError, UnreadError):  # what a failed write has left
        give_up()
    return code


def _code(arguments: list[str]) -> int:
    before = ON_COMMAND_LINE.set(True)
    try:
        code = 0
        try:
            cli.main(arguments, prog_name="anagnosis", standalone_mode=False)
        except SystemExit as ended:
            code = int(ended.code or 0)
        sys.stdout.flush()
        return code
    except InputError as fault:
        return _refused(str(fault))
    except click.exceptions.NoArgsIsHelpError as fault:
        fault.show()
        return 2
    except click.UsageError as fault:
        command = fault.ctx.command_path if fault.ctx else "anagnosis"
        is_text = isinstance(fault, click.NoSuchOption) and fault.option_name[:2] != "--"
        remedy = "put -- before a text that begins with a minus sign, or see" if is_text else "see"
        return _refused(f"{fault.format_message().rstrip('.')}; {remedy} `{command} --help`")
    except click.ClickException as fault:
        return _refused(fault.format_message())
    except (KeyboardInterrupt, click.Abort):
        _refused("interrupted; nothing is half written, and the same command can be given again")
        return 130
    except UnreadError:
        return 0
    finally:
        ON_COMMAND_LINE.reset(before)


def _refused(line: str) -> int:
    print(f"anagnosis: {' '.join(line.split())}", file=sys.stderr)
    return 2
