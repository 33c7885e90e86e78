"""The view in which people answered, by the notes beside their files (`label --collect` writes them)."""

from __future__ import annotations

from collections.abc import Sequence

from anagnosis.errors import InputError
from anagnosis.files import display_name
from anagnosis.paths import PathLike
from anagnosis.predictions import notes


def people_view(files: Sequence[PathLike]) -> str | None:
    """The one view of all files whose notes name one; None where none does. InputError: they name two."""
    found: dict[str, PathLike] = {}
    for file in files:
        if view := notes.read(file).view:
            found.setdefault(view, file)
    if len(found) > 1:
        listed = "; ".join(f"{display_name(file)}: {view}" for view, file in found.items())
        what = f"the people answered in different views ({listed})"
        raise InputError(
            what, "", "give the files of one view, and those of another in a command of their own"
        )
    return next(iter(found), None)
