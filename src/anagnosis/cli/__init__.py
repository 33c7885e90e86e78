"""The command line: commands by subject, loaded when one is called; each parses, calls one verb of api, prints.

Exit codes: 0 done, 1 a bug (with its traceback), 2 a mistake of the user (one line), 130 interrupted.
"""

from __future__ import annotations

import functools
import importlib
import io
import os
import sys
from pathlib import Path
from typing import Any

import click

from anagnosis.cli.output import UnreadError, give_up, mask_streams, open_closed_streams, printing
from anagnosis.encoders.cpu import calm_threads
from anagnosis.errors import InputError
from anagnosis.version import __version__

# What a metavar says that an argument is → the kind of that folder (folders.py).
_FOLDERS = {
    "DATASET_FOLDER": "dataset",
    "INDEX_FOLDER": "index",
    "RUN_FOLDER": "run",
    "SEARCH_FOLDER": "search of settings",
}
# Group in the help → name → (module of its commands, what it does in one line).
GROUPS = {
    "Datasets": {
        "demo": ("demo", "Build, predict, compare and report on the bundled corpus."),
        "build": ("datasets", "Build a dataset from documents, with a receipt."),
        "import": ("datasets", "Read the authors' files into a dataset."),
        "export": ("datasets", "Write a dataset as the authors' files, or one view of it."),
        "sample": ("datasets", "Draw a smaller dataset inside each split (LITE, TINY)."),
        "show": ("datasets", "Statistics and drops of a dataset, or one instance."),
        "check": ("datasets", "Verify every file and instance of a dataset, or an index."),
        "datasets": ("tables", "List the datasets."),
        "recipes": ("tables", "List the recipes, or print one."),
    },
    "Readers and predictions": {
        "train": ("training", "Train a reader into a run folder."),
        "phases": ("training", "Scores of each phase of a training."),
        "tune": ("training", "Search for a reader's settings on the development part."),
        "predict": ("training", "Answer a split by a reader or a run folder."),
        "decide": ("training", "Calibrated yes, no or maybe of a trained reader, by a rule."),
        "calibrate": ("training", "Calibrate the probabilities of a trained reader of sentences."),
        "score": ("scoring", "Scores of predictions, with intervals and breakdowns."),
        "compare": ("scoring", "Paired tests: is the difference real?"),
        "protocols": ("scoring", "Exact answers under every protocol and measure, in one table."),
        "submit": ("scoring", "Answers as a submission to BioASQ, checked."),
        "agreement": ("scoring", "Agreement and accuracy of people."),
        "label": ("label", "Have people label or answer questions."),
        "report": ("scoring", "Everything about some predictions as a page, table or data."),
        "leaderboard": ("leaderboard", "Withhold answers, or check and rank submissions."),
        "readers": ("tables", "List the readers."),
        "measures": ("tables", "List the measures."),
    },
    "Collections": {
        "index": ("searching", "Index papers as a collection to search."),
        "search": ("searching", "The passages of a collection that fit a question."),
        "ask": ("searching", "The sentences of a collection that fit a question best."),
        "export-results": ("searching", "Papers of a collection as RIS, BibTeX, CSV or JSON lines."),
        "serve": ("searching", "A page and a JSON API to search and ask a collection."),
        "evaluate-search": ("scoring", "How good rankings are: nDCG, MAP, recall, paired tests."),
    },
    "Documents and vocabularies": {
        "convert": ("documents", "Convert documents from one format to another."),
        "annotate": ("documents", "Find the entities of vocabularies in documents."),
        "terms": ("documents", "Store a vocabulary, or look up its names and identifiers."),
        "vectors": ("training", "Train word vectors on documents or datasets."),
        "formats": ("tables", "List the formats of documents."),
    },
}
COMMANDS = {name: entry for group in GROUPS.values() for name, entry in group.items()}


QUIET = "Print results and errors only: no progress, no notes on written files."


def _quiet_option() -> click.Option:
    """`--quiet` behind the command's name, where it means the same as before it."""

    def set_quiet(ctx: click.Context, parameter: click.Parameter, given: bool) -> None:
        if given:
            os.environ["ANAGNOSIS_QUIET"] = "1"

    return click.Option(["-q", "--quiet"], is_flag=True, expose_value=False, callback=set_quiet, help=QUIET)


def _with_shared_parts(command: click.Command) -> None:
    """Give a command, or each command of a group, what all of ours have."""
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            _with_shared_parts(inner)
    if all(parameter.name != "quiet" for parameter in command.params):
        command.params.append(_quiet_option())
        _name_arguments(command)


def _name_arguments(command: click.Command) -> None:
    """Let a command that fails name its argument: as the command line has it, or as a folder of another kind."""
    callback = command.callback
    if callback is None:
        return

    @functools.wraps(callback)
    def call(*given: Any, **named: Any) -> Any:
        try:
            return callback(*given, **named)
        except (InputError, click.UsageError) as fault:
            from anagnosis.cli.verbs import spelled

            context = click.get_current_context()
            if (better := _other_folder(context) or spelled(fault, context)) is None:
                raise
            raise better from fault

    command.callback = call


def _other_folder(ctx: click.Context) -> InputError | None:
    from anagnosis.io.folders import kind_of, with_article

    for parameter in ctx.command.params:
        taken = [kind for word, kind in _FOLDERS.items() if word in (parameter.metavar or "")]
        value = ctx.params.get(parameter.name or "")
        if taken and isinstance(parameter, click.Argument) and isinstance(value, str):
            kind = kind_of(Path(value))
            if kind is not None and kind not in taken:
                what = (
                    f"is the folder of {with_article(kind)}, not of {' or '.join(map(with_article, taken))}"
                )
                return InputError(what, value, f"see `{ctx.command_path} --help`")
    return None


class Commands(click.Group):
    """A group that imports a command only when it is called or its own help is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"anagnosis.cli.commands.{COMMANDS[cmd_name][0]}")
        command: click.Command = getattr(
            module, {"import": "import_"}.get(cmd_name, cmd_name.replace("-", "_"))
        )
        _with_shared_parts(command)
        return command

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


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="anagnosis")
@click.option("-q", "--quiet", is_flag=True, help=QUIET)
def cli(quiet: bool) -> None:
    """Machine reading of biomedical papers: documents, datasets, readers, predictions, reports.

    \b
    Start with:
      anagnosis demo
      anagnosis build biomrc corpus.pubtator.gz --out built/mine
    """
    if quiet:
        os.environ["ANAGNOSIS_QUIET"] = "1"


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
    mask_streams()  # for good: a traceback quotes files too
    if not is_open:
        sys.exit(_refused("standard output: is closed; send it to a file, or to /dev/null"))
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command line; gives the exit code. An exception that is no user's mistake passes through."""
    with printing():
        code = _code(arguments)
        try:
            sys.stdout.flush()
        except (InputError, UnreadError):  # what a failed write has left
            give_up()
        return code


def _code(arguments: list[str]) -> int:
    try:
        return _called(arguments)
    except InputError as fault:
        return _refused(str(fault))
    except click.exceptions.NoArgsIsHelpError as fault:
        fault.show()
        return 2
    except click.UsageError as fault:
        command = fault.ctx.command_path if fault.ctx else "anagnosis"
        return _refused(f"{fault.format_message().rstrip('.')}; see `{command} --help`")
    except click.ClickException as fault:
        return _refused(fault.format_message())
    except (KeyboardInterrupt, click.Abort):
        print(
            "anagnosis: interrupted; nothing is half written, and the same command can be given again",
            file=sys.stderr,
        )
        return 130
    except UnreadError:
        return 0


def _called(arguments: list[str]) -> int:
    code = 0
    try:
        cli.main(arguments, prog_name="anagnosis", standalone_mode=False)
    except SystemExit as ended:
        code = int(ended.code or 0)
    sys.stdout.flush()
    return code


def _refused(line: str) -> int:
    print(f"anagnosis: {' '.join(line.split())}", file=sys.stderr)
    return 2
