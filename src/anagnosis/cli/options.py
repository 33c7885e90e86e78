"""Options that several commands share, and how results are printed.

A command names the options that it uses itself. `how` has the others, for the verb's arguments of the same names.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from anagnosis.cli.numbers import WholeNumber

if TYPE_CHECKING:
    from anagnosis.documents.repairs import Place
    from anagnosis.outputs import Output

F = TypeVar("F", bound=Callable[..., Any])

SHOWN_PLACES = 10
# Those of `evaluation/protocols.py`, whose tables take time to load; a test holds the two together.
PROTOCOLS = (
    "expected",
    "answer",
    "fixed",
    "official",
    "as-published",
    "thesis",
    "organisers-2",
    "organisers-3",
    "organisers-5",
    "organisers-8",
    "organisers-9",
    "fuzzy-90",
    "same-name",
    "fuzzy-90-QRatio",
    "fuzzy-90-ratio",
    "fuzzy-90-partial_ratio",
    "fuzzy-90-token_sort_ratio",
    "fuzzy-90-token_set_ratio",
)
_WRITTEN = ("out", "hard", "runs", "sheets", "kept")  # parameters that name what a command writes


class ViewName(click.ParamType):  # pyright: ignore[reportMissingTypeArgument]  (generic in new releases of click alone)
    """A view of any kind of dataset. The kinds are looked up when a name is given: to load them takes time."""

    name = "view"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        known = _views()
        if value not in known:
            self.fail(f"{value!r} is not one of {', '.join(map(repr, known))}.", param, ctx)
        return value

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(view) for view in _views() if view.startswith(incomplete)]


def _views() -> list[str]:
    from anagnosis.datasets.kinds.table import every_view

    return every_view()


JSON = click.option("--json", "as_json", is_flag=True, help="Print plain data instead of text.")


OUT = click.option(
    "--out", type=click.Path(), help="Write .html, .md, .tex, .csv, .json or .txt instead of printing."
)
REPLACE = click.option(
    "--replace",
    is_flag=True,
    help="Overwrite another file, or an existing dataset or run.",
)
ACCEPT_TRUNCATED = click.option(
    "--accept-truncated",
    is_flag=True,
    help="Use the complete part of a truncated input, and count the input (default: an error).",
)
SPECIALTIES = click.option(
    "--specialties",
    type=click.Path(),
    metavar="FILE",
    help="A table of id and specialty, for articles whose journal names no subject.",
)
REFERENCES = click.option(
    "--references", is_flag=True, help="With the bodies of JATS articles and their reference lists."
)
UNIT = click.option(
    "--unit",
    type=click.Choice(["document", "instance"]),
    default="document",
    show_default=True,
    help="What counts as independent: instances of one document share its abstract.",
)


MEASURE = click.option(
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="Score by this measure; again for several. `anagnosis measures` lists them (default: those of the kind).",
)
VECTORS = click.option(
    "--vectors",
    metavar="FILE",
    help="A word2vec file (text or binary), by which embedding-average compares answers.",
)
LABELS = click.option(
    "--labels",
    metavar="FILE",
    help="CSV or JSON lines with id and columns of labels to break results down by (reasoning, skills, …).",
)


def matching(function: F) -> F:
    """Options for how predictions are matched with a dataset; they have the names of the verbs' arguments."""
    for option in (
        click.option(
            "--any-dataset",
            "check_fingerprint",
            is_flag=True,
            callback=lambda context, parameter, given: not given,
            help="Accept lines that carry another dataset's fingerprint.",
        ),
        click.option(
            "--view",
            type=ViewName(),
            metavar="NAME",
            help="The view that the systems read, for the signature (global, local, names, …).",
        ),
        click.option(
            "--protocol",
            type=click.Choice(PROTOCOLS),
            metavar="NAME",
            help="Cloze: expected (ties by expectation from the scores; default), answer (the answer field) or "
            "as-published (as CliCR's program counts). Decisions: fixed (labels; default) or official (as the "
            "authors' program counts). Exact answers: thesis (default), organisers-2, -3, -5, -8 or -9, fuzzy-90 "
            "or same-name.",
        ),
        click.option("--split", help="train, dev, test, or all of them (default: the one the ids lie in)."),
    ):
        function = option(function)
    return function


def scoring(function: F) -> F:
    """Arguments and options of the commands that score systems on a dataset."""
    for option in (
        UNIT,
        matching,
        click.argument("files", nargs=-1, required=True, metavar="SYSTEM..."),
        click.argument("dataset", metavar="DATASET_FOLDER"),
    ):
        function = option(function)
    return function


def draws(function: F) -> F:
    """Seed and number of the draws of a randomisation."""
    function = click.option(
        "--draws",
        type=WholeNumber(1),
        default=10_000,
        show_default=True,
        help="Number of swaps and resamples.",
    )(function)
    return click.option(
        "--seed",
        type=WholeNumber(),
        default=0,
        show_default=True,
        help="Seed of the randomisation and bootstrap.",
    )(function)


def assignments(what: str) -> Callable[[F], F]:
    """`--set` of a dataset or reader."""
    return click.option(
        "--set",
        "assigned",
        multiple=True,
        metavar="KEY=VALUE",
        help=f"Change one key of the {what}'s recipe.",
    )


def settings(what: str) -> Callable[[F], F]:
    """`--recipe` and `--set` of a dataset or reader."""

    def decorate(function: F) -> F:
        function = assignments(what)(function)
        return click.option(
            "--recipe",
            metavar="NAME|FILE",
            help=f"A recipe of the {what}; `anagnosis recipes` lists those that come with it.",
        )(function)

    return decorate


def assigned(pairs: Sequence[str]) -> dict[str, Any]:
    """`--set` options as data."""
    from anagnosis.recipes.load import assignments

    return assignments(pairs)


def trained_on(function: F) -> F:
    """`--data` and `--dev` of a training."""
    function = click.option(
        "--dev", metavar="DATASET_FOLDER", help="Evaluate on the dev part of this dataset instead."
    )(function)
    return click.option(
        "--data", metavar="DATASET_FOLDER", required=True, help="The dataset to train and evaluate on."
    )(function)


def device(function: F) -> F:
    """`--device`, `--threads` and `--kept`: where a reader that learns computes, and what it keeps."""
    for option in (
        click.option(
            "--kept",
            type=click.Path(),
            help="Where the vectors of a frozen encoder are kept (default: .kept beside the run folder).",
        ),
        click.option(
            "--threads", type=WholeNumber(1), help="Number of processor threads (default: one per core)."
        ),
        click.option("--device", help="auto (the default), cpu, cuda, cuda:N or mps."),
    ):
        function = option(function)
    return function


def with_encoder(pairs: Sequence[str], encoder: str | None) -> dict[str, Any]:
    """`--set` options and `--encoder` as data."""
    return {**assigned(pairs), **({"encoder": encoder} if encoder is not None else {})}


def input_options(function: F) -> F:
    """`--format` and `--encoding` of files of documents."""
    function = click.option(
        "--encoding", metavar="NAME", help="Encoding of the files, if not UTF-8 or marked UTF-16."
    )(function)
    return click.option(
        "--format", metavar="NAME", help="Format of the files (default: detected from the first bytes)."
    )(function)


def filtering(function: F) -> F:
    """`--section`, `--since`, `--until`, `--journal` and `--type`: which passages of an index count."""
    for option in (
        click.option(
            "--type",
            "types",
            multiple=True,
            metavar="NAME",
            help="A type of publication, as the papers' records name it. Repeatable.",
        ),
        click.option(
            "--journal",
            "journals",
            multiple=True,
            metavar="NAME",
            help="The journal's whole name. Repeatable.",
        ),
        click.option(
            "--until",
            default="",
            metavar="DATE",
            help="Published on or before this date: 2020, 2020-03 or 2020-03-11.",
        ),
        click.option("--since", default="", metavar="DATE", help="Published on or after this date."),
        click.option(
            "--section",
            "sections",
            multiple=True,
            metavar="NAME",
            help="abstract, background, methods, results, conclusion, figure, … Repeatable.",
        ),
    ):
        function = option(function)
    return function


def expanding(function: F) -> F:
    """`--no-synonyms` and `--without`: which names join a question's words."""
    for option in (
        click.option(
            "--without",
            multiple=True,
            metavar="NAME",
            help="Do not search for this name too; or leave these words of the question alone. Repeatable.",
        ),
        click.option(
            "--no-synonyms",
            is_flag=True,
            help="Search for the question's words alone, without other spellings and names.",
        ),
    ):
        function = option(function)
    return function


RANKING = click.option(
    "--ranking",
    metavar="NAME",
    help="lexical, dense, hybrid or reranked (default: hybrid where an index has vectors, else lexical).",
)


SORT = click.option(
    "--sort",
    type=click.Choice(["score", "date"]),
    default="score",
    show_default=True,
    help="By date: the latest papers with all words of the question.",
)
ENCODER = click.option(
    "--encoder",
    metavar="NAME|FOLDER",
    help="The encoder of an index's vectors, if it was moved.",
)


def answering(function: F) -> F:
    """`--readers`, `--encoder`, `--device`, `--threads`: what a collection is asked with."""
    for option in (
        click.option(
            "--threads",
            type=WholeNumber(1),
            help="Number of processor threads for readers (default: one per core).",
        ),
        click.option(
            "--device",
            default="auto",
            show_default=True,
            help="Where readers compute: cpu, cuda, cuda:N or mps.",
        ),
        ENCODER,
        click.option(
            "--readers",
            metavar="FOLDER",
            help="Trained readers: evidence/, stance/, names/ and question-type/ in it, or one of these folders.",
        ),
    ):
        function = option(function)
    return function


def refuse_both(as_json: bool, out: str | None) -> None:
    """`--json` prints, so a file for it would stay away unseen."""
    if as_json and out is not None:
        raise click.UsageError("--json prints and --out writes: leave one of them out")


def print_json(data: Any) -> None:
    """Plain data as JSON on standard output, keys in their order."""
    import dataclasses
    import json

    import msgspec

    from anagnosis.masking import escaped_json

    def plain(value: Any) -> Any:
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return dataclasses.asdict(value)
        if isinstance(value, msgspec.Struct):
            return msgspec.to_builtins(value)
        return str(value)

    print(escaped_json(json.dumps(data, ensure_ascii=False, indent=2, default=plain)))


def output_file(out: str | None, *, replace: bool) -> Output | None:
    """The file of --out, refused before any work where it may not be written; None without --out.

    All that this command was given besides may name a file that it reads.
    """
    if out is None:
        return None
    from anagnosis import reports

    given = click.get_current_context().params
    values = [value for name, value in given.items() if name not in _WRITTEN]
    several = [value if isinstance(value, tuple) else (value,) for value in values]
    inputs = [one for value in several for one in value if isinstance(one, str)]
    return reports.output_file(out, inputs=inputs, replace=replace)


def give(record: object, out: Output | None, *, as_json: bool) -> None:
    """A record into a file, as a report or data, or on standard output for people or as data."""
    if out is not None:
        from anagnosis.reports import save

        wrote(str(save(record, out.path, inputs=out.inputs, replace=out.replace)))
    elif as_json:
        from anagnosis.reports.records import as_json as printed

        print(printed(record), end="")
    else:
        from anagnosis.reports.records import report
        from anagnosis.reports.renderers.terminal import show

        show(report(record), sys.stdout)


def places(places: Sequence[Place]) -> None:
    """Print the first places where something was refused or left out."""
    for place in places[:SHOWN_PLACES]:
        print(f"  {place.where}: {place.why}")


def quiet() -> bool:
    """Whether a command that wrote a file or folder is to say nothing of it."""
    return bool(os.environ.get("ANAGNOSIS_QUIET"))


def wrote(what: str, *then: str) -> None:
    """Say what was written and what can be done next, unless `--quiet` was given."""
    if quiet():
        return
    print(f"wrote {what}")
    for line in then:
        print(f"  next: {line}")


def readable_split(rows: Mapping[str, int]) -> str:
    """The split to hint at: test where it has rows, else dev, else train."""
    return next((split for split in ("test", "dev", "train") if rows.get(split)), "test")


def split_option(rows: Mapping[str, int]) -> str:
    """` --split dev` where a reader's usual split, test, is not there."""
    split = readable_split(rows)
    return "" if split == "test" else f" --split {split}"


def counts(label: str, values: Mapping[str, int]) -> None:
    """Named counts, one a line, aligned."""
    if not values:
        return
    width = max(map(len, values))
    print(label)
    for name, count in values.items():
        print(f"  {name.ljust(width)}  {count:>12,}")


def instances(kept: int, rows: Mapping[str, int]) -> None:
    """How many instances a dataset has, and each of its splits."""
    from anagnosis.wording import counted

    splits = ", ".join(f"{split} {number:,}" for split, number in rows.items())
    print(f"{counted(kept, 'instance')}: {splits or 'none'}")
