"""What several commands print besides their results: counts, written files, places of refusals."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from anagnosis.errors import InputError
from anagnosis.showing import masked_line

if TYPE_CHECKING:
    from anagnosis.documents.repairs import InputPlace
    from anagnosis.searching.records.paper import Unjoined

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


def lengthen() -> None:
    """Print all of it from now on, as with --full."""
    click.get_current_context().meta[_FULL] = True


def places(places: Sequence[InputPlace]) -> None:
    """Print the first places where something was refused or left out."""
    for place in places[: SHOWN_NAMES if shortened() else SHOWN_PLACES]:
        print(f"  {place.where}: {place.why}")


def left_out(places_of: Sequence[InputPlace]) -> None:
    """Print the first places where something was left out that was not refused."""
    if places_of:
        print("left out")
        places(places_of)


def unjoined(papers: Sequence[Unjoined]) -> None:
    """Print the number of papers of an index that might be part of one of several others, and the first of them."""
    if papers:
        print(f"{len(papers):,} stand alone: their identifiers belong to several papers")
    for each in papers[:SHOWN_PLACES]:
        print(f"  {masked_line(each.document)}: {masked_line(', '.join(each.shared))}")


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


def counts(label: str, values: Mapping[str, int], *, needed: bool = False) -> None:
    """Named counts, one a line, aligned; the largest on one line where a command prints what was asked.

    needed: print all in any case.
    """
    if not values:
        return
    if shortened() and not needed:
        largest = sorted(values, key=lambda name: -values[name])[:SHOWN_NAMES]
        named = ", ".join(f"{name} {values[name]:,}" for name in largest)
        more = len(values) - len(largest)
        print(f"{label}: {named}" + (f", {more:,} more names (--full)" if more else ""))
        return
    width = max(map(len, values))
    print(label)
    for name, count in values.items():
        print(f"  {name.ljust(width)}  {count:>12,}")


def repairs(values: Mapping[str, int]) -> None:
    """Files of folders that no format reads, then repairs and warnings."""
    files = {name: count for name, count in values.items() if name.startswith("file_not_read")}
    counts("files that were not read, by ending", files, needed=True)
    counts("repairs and warnings", {name: count for name, count in values.items() if name not in files})


def fail_on_refused_files(values: Mapping[str, int]) -> None:
    """End with an error (InputError) where a file could not be read, once all else is done."""
    if count := values.get("file_refused"):
        what = f"{count:,} file{'s' if count != 1 else ''} could not be read (all else is done)"
        raise InputError(what, "", "see the places above, or with --json, and remove or convert them")


def instances(kept: int, rows: Mapping[str, int]) -> None:
    """How many instances a dataset has, and each of its splits."""
    from anagnosis.wording import counted

    splits = ", ".join(f"{split} {number:,}" for split, number in rows.items())
    print(f"{counted(kept, 'instance')}: {splits or 'none'}")
