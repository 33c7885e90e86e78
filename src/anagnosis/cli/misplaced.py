"""Arguments in each other's place: `predict built/mine BASE4`, `search "does it help" built/index`.

A command's metavars name what each argument is. Where a command fails, `misplaced` looks at what its arguments really
are, and says which two to exchange, or which one is another kind of folder. A command that succeeds never comes here.
"""

from __future__ import annotations

import functools
import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import click

from anagnosis.errors import InputError


def _folder_of(kind: str) -> Callable[[str], bool]:
    """A folder of ours of this kind (folders.py)."""

    def recognised(value: str) -> bool:
        from anagnosis.folders import kind_of

        return kind_of(Path(value)) == kind

    return recognised


def _dataset_name(value: str) -> bool:
    from anagnosis.datasets import DATASETS

    return value in DATASETS


def _reader(value: str) -> bool:
    from anagnosis.readers import ALIASES, READERS

    return value in READERS or value in ALIASES


def _recipe(value: str) -> bool:
    from anagnosis.recipes.load import names

    return value in names() or (value.endswith(".toml") and Path(value).is_file())


def _predictions(value: str) -> bool:
    """A file, or NAME=FILE,FILE of several; a question may have a sign of equality in it too."""
    if ".jsonl" in value and Path(value).is_file():
        return _holds_predictions(value)
    _, several, files = value.partition("=")
    return bool(several) and all(".jsonl" in file or Path(file).exists() for file in files.split(","))


def _submission(value: str) -> bool:
    """The folder of one entry of a leaderboard."""
    from anagnosis.leaderboard.system_file import FILE

    return (Path(value) / FILE).is_file()


def _holds_predictions(value: str) -> bool:
    """Whether a file of JSON lines begins with answers, and with no paper."""
    from anagnosis.documents.formats.jsonl import sniff
    from anagnosis.files import open_input

    try:
        with open_input(value) as stream:
            head = stream.read1(1 << 16)
            return b'"answer"' in head and not sniff(head)
    except (InputError, OSError, EOFError):
        return False


# What a metavar means → how such a value is recognised. The order decides what a value is called.
RECOGNISED: dict[str, Callable[[str], bool]] = {
    "DATASET_FOLDER": _folder_of("dataset"),
    "INDEX_FOLDER": _folder_of("index"),
    "RUN_FOLDER": _folder_of("run"),
    "SEARCH_FOLDER": _folder_of("search of settings"),
    "DATASET": _dataset_name,
    "READER": _reader,
    "RECIPE": _recipe,
    "PREDICTIONS": _predictions,
    "SUBMISSION_FOLDER": _submission,
}
FOLDERS_AND_FILES = (
    "DATASET_FOLDER",
    "INDEX_FOLDER",
    "RUN_FOLDER",
    "SEARCH_FOLDER",
    "PREDICTIONS",
    "SUBMISSION_FOLDER",
)
# What a value is that none of these recognises.
OTHERWISE: dict[str, Callable[[str], bool]] = {
    "FILE": lambda value: Path(value).is_file(),
    "FOLDER": lambda value: Path(value).is_dir(),
    "QUESTION": lambda value: not Path(value).exists(),
}
CALLED = {
    "DATASET_FOLDER": "a dataset folder",
    "INDEX_FOLDER": "an index folder",
    "RUN_FOLDER": "a run folder",
    "SEARCH_FOLDER": "the folder of a search of settings",
    "DATASET": "the name of a dataset",
    "READER": "the name of a reader",
    "RECIPE": "a recipe",
    "PREDICTIONS": "a predictions file",
    "SUBMISSION_FOLDER": "the folder of a submission",
    "RUN_FILE": "a run file",
    "FILE": "an input file",
    "FOLDER": "a folder of input files",
    "QUESTION": "a question",
}
# A metavar that stands for several of these, and what else may lie behind one of them: a predictions file need not
# end in .jsonl, the name of a reader stands for its recipe of defaults, and the command reports a missing system.toml.
STANDS_FOR = {"SYSTEM": ("PREDICTIONS", "RUN_FOLDER")}
ALSO_TAKES = {
    "PREDICTIONS": ("FILE", "FOLDER"),
    "RUN_FILE": ("FILE", "PREDICTIONS"),
    "RECIPE": ("READER",),
    "SUBMISSION_FOLDER": ("FOLDER",),
}


@dataclass(slots=True)
class _Slot:
    """A parameter and what was given for it. option: "--data", or "" for an argument. wanted: words of CALLED."""

    option: str
    wanted: tuple[str, ...]
    values: list[str]

    def takes(self, value: str) -> bool:
        also = [word for wanted in self.wanted for word in ALSO_TAKES.get(wanted, ())]
        return not {*kinds(value)}.isdisjoint({*self.wanted, *also})


def explain(command: click.Command) -> None:
    """Let the command's failures name arguments that stand in each other's place."""
    callback = command.callback
    if callback is None:
        return

    @functools.wraps(callback)
    def call(*arguments: Any, **named: Any) -> Any:
        try:
            return callback(*arguments, **named)
        except (InputError, click.UsageError) as fault:
            better = misplaced(click.get_current_context())
            if better is None:
                raise
            raise better from fault

    command.callback = call


def misplaced(ctx: click.Context) -> InputError | None:
    """The error that names exchanged or mistaken arguments of a command that failed; None where each fits."""
    try:
        slots = list(_slots(ctx))
        wrong = [
            (slot, place)
            for slot in slots
            for place, value in enumerate(slot.values)
            if value and not slot.takes(value)
        ]
        return _exchanged(ctx, slots) or (_mistaken(ctx, *wrong[0]) if wrong else None)
    except (OSError, ValueError):
        return None  # the fault itself names what cannot even be looked at


def kinds(value: str) -> list[str]:
    """What a value can be, in words of CALLED."""
    for table in (RECOGNISED, OTHERWISE):
        if found := [word for word, is_one in table.items() if is_one(value)]:
            return found
    return []


def _slots(ctx: click.Context) -> Iterator[_Slot]:
    for parameter in ctx.command.params:
        wanted = _wanted(parameter)
        given = ctx.params.get(parameter.name or "")
        if wanted and given is not None:
            values: tuple[Any, ...] = given if isinstance(given, tuple) else (given,)
            option = parameter.opts[0] if isinstance(parameter, click.Option) else ""
            yield _Slot(option, wanted, [str(value) for value in values])


def _wanted(parameter: click.Parameter) -> tuple[str, ...]:
    """The words of CALLED that a metavar names; none for a parameter of which a value says nothing."""
    if isinstance(parameter, click.Argument) and parameter.name == "question":
        return ("QUESTION",)
    words = [word for word in re.split(r"[^A-Z_]+", parameter.metavar or "") if word]
    found = [known for word in words for known in STANDS_FOR.get(word, (word,))]
    # An option's FILE or FOLDER may be an output, which need not exist and can be anything.
    known = CALLED if isinstance(parameter, click.Argument) else RECOGNISED
    return tuple(found) if all(word in known for word in found) else ()


def _exchanged(ctx: click.Context, slots: Sequence[_Slot]) -> InputError | None:
    """Two values, each of which fits where the other one stands and not where it stands."""
    for one, other in combinations(slots, 2):
        for i, first in enumerate(one.values):
            for k, second in enumerate(other.values):
                if one.takes(first) or other.takes(second):
                    # In `compare a.jsonl b.jsonl built/mine` a.jsonl and built/mine alone do not fit.
                    continue
                if one.takes(second) and other.takes(first):
                    one.values[i], other.values[k] = second, first
                    wanted = CALLED[next(word for word in kinds(second) if word in one.wanted)]
                    return InputError(
                        f"stands where {wanted} is wanted, and {second} in its place",
                        first,
                        f"write {_line(ctx, slots)}",
                    )
    return None


def _mistaken(ctx: click.Context, slot: _Slot, place: int) -> InputError | None:
    """A folder or file that is something else of ours; of names and of what nobody recognises the fault says more."""
    from anagnosis import folders

    value = slot.values[place]
    if (found := kinds(value)[0]) not in FOLDERS_AND_FILES:
        return None
    wanted = " or ".join(CALLED[word] for word in slot.wanted)
    if folders.is_unfinished(Path(value)):
        maker = folders.MADE_BY[folders.kind_of(Path(value)) or ""]
        return InputError(
            f"is {CALLED[found]} that is unfinished, and `{ctx.command_path}` takes {wanted}",
            value,
            f"to finish it, give its {maker} command again",
        )
    return InputError(
        f"is {CALLED[found]}, where `{ctx.command_path}` takes {wanted}",
        value,
        f"see `{ctx.command_path} --help`",
    )


def _line(ctx: click.Context, slots: Sequence[_Slot]) -> str:
    """The command with these values, its other options left out."""
    words = ctx.command_path.split()
    for slot in sorted(slots, key=lambda slot: bool(slot.option)):
        for value in slot.values:
            words += [slot.option, value] if slot.option else [value]
    return f"{shlex.join(words)} …"
