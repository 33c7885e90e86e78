"""What commands print besides reports: the fields of a record, written files, what can be done next."""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import click
import msgspec

from anagnosis.errors import InputError
from anagnosis.showing import masked_line

if TYPE_CHECKING:
    from anagnosis.datasets.folder.receipt import Refusal
    from anagnosis.documents.repairs import InputPlace

SHOWN_PLACES = 10
SHOWN_NAMES = 3  # of counts, where a command prints what was asked only
_FULL = "anagnosis.full"  # in the context of a command that has --full
FULL = click.Option(
    ["--full"],
    is_flag=True,
    expose_value=False,
    callback=lambda context, _, value: context.meta.update({_FULL: value}),
    help="Print all: breakdowns, tests, every count and its place.",
)


def shortened() -> bool:
    """Whether the command prints what was asked only: it has --full, and that was not given."""
    context = click.get_current_context(silent=True)
    return context is not None and context.meta.get(_FULL) is False


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


def fields(record: object, names: Sequence[str]) -> None:
    """Print fields of a record by their names: texts and numbers (of 0 the first) on one line, others below.

    names: such as "receipt.documents.dropped", printed as "documents dropped", or "what:withheld", printed so; those
    that the record lacks are none. A SHA-256 is left out where a command prints what was asked only.
    """
    row = list[str]()
    has_number = False
    for name, _, called in (each.partition(":") for each in names):
        try:
            value: Any = attrgetter(name)(record)
        except AttributeError:
            continue
        label = called or name.removeprefix("receipt.").removeprefix("facts.")
        label = label.replace(".", " ").replace("_", " ")
        if isinstance(value, int):
            if value or not has_number:
                row.append(f"{label} {value:,}")
            has_number = True
        elif isinstance(value, float) and label.endswith("accuracy"):
            row.append(f"{label} {100 * value:.2f} %")
        elif isinstance(value, float):
            row.append(f"{label} {value:.4g}")
        elif isinstance(value, str | os.PathLike):
            if _is_shown(value):
                row.append(f"{label} {value}")
        elif value:
            _print_row(row)
            _several(label, value)
    _print_row(row)


def _print_row(row: list[str]) -> None:
    if row:
        print(", ".join(row))
    row.clear()


def _several(label: str, value: Any) -> None:
    """Print counts, places, or the fields of a record in a record."""
    if isinstance(value, Mapping):
        files = {name: count for name, count in value.items() if name.startswith("file_not_read")}
        counts("files that were not read, by ending", files, needed=True)
        counts(label, {name: count for name, count in value.items() if name not in files})
    elif isinstance(value, list | tuple):
        rows = [[part for part in _values(each) if part not in ("", (), [])] for each in value]
        shown = [[*filter(_is_shown, row)] for row in rows[: SHOWN_NAMES if shortened() else SHOWN_PLACES]]
        # A number would be that of the places, of which records keep the first hundred.
        print(f"{label}:" if shown == rows else f"{label} (--{'full' if shortened() else 'json'} has more):")
        for row in shown:
            print(f"  {': '.join(masked_line(str(part).removesuffix(': ')) for part in row)}")
    else:
        inner = (
            dataclasses.fields(value) if dataclasses.is_dataclass(value) else msgspec.structs.fields(value)
        )
        print(label)
        fields(value, [each.name for each in inner])


def _is_shown(part: object) -> bool:
    """Whether it is no SHA-256, or those are printed too."""
    return not (shortened() and re.fullmatch("[0-9a-f]{64}", str(part)))


def _values(each: Any) -> Sequence[Any]:
    """Of a place or another small record."""
    if isinstance(each, msgspec.Struct):
        return [
            ", ".join(one) if isinstance(one, list | tuple) else one for one in msgspec.structs.astuple(each)
        ]
    if dataclasses.is_dataclass(each) and not isinstance(each, type):
        return dataclasses.astuple(each)
    return each if isinstance(each, tuple) else (each,)


def counts(label: str, values: Mapping[str, Any], *, needed: bool = False) -> None:
    """Named counts or texts, one a line; few on one line, and where a command prints what was asked the largest.

    needed: print all in any case.
    """
    if not values:
        return
    if len(values) <= SHOWN_NAMES or (shortened() and not needed):
        shown = (
            [*values] if len(values) <= SHOWN_NAMES else sorted(values, key=lambda name: _size(values[name]))
        )
        named = ", ".join(f"{name} {_number(values[name])}" for name in shown[:SHOWN_NAMES])
        more = len(values) - SHOWN_NAMES
        print(f"{label}: {named}" + (f", {more:,} more names (--full)" if more > 0 else ""))
        return
    width = max(map(len, values))
    print(label)
    for name, value in values.items():
        print(f"  {name.ljust(width)}  {_number(value):>12}")


def _size(value: Any) -> int:
    """By which counts are sorted, the largest first; texts stay in their order."""
    return -value if isinstance(value, int) else 0


def _number(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def split_option(rows: Mapping[str, int]) -> str:
    """` --split dev` where a reader's usual split, test, is not there: else dev, else train."""
    split = next((split for split in ("test", "dev", "train") if rows.get(split)), "test")
    return "" if split == "test" else f" --split {split}"


def fail_on_refused_files(values: Mapping[str, int], places: Sequence[InputPlace | Refusal]) -> None:
    """End with an error (InputError) where a file could not be read, once all else is done.

    places: of what was refused; with --quiet, which prints none, the error names the first.
    """
    if count := values.get("file_refused"):
        what = f"{count:,} file{'s' if count != 1 else ''} could not be read (all else is done)"
        remedy = "see the places above, or with --json, and remove or convert them"
        if quiet() and places:
            what, remedy = f"{what}; first refused: {places[0].where}", places[0].why
        raise InputError(what, "", remedy)
