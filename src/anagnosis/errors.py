"""What a user did wrong, said once: what, where, and what to do.

One exception for every mistake that a user can mend. The command line prints it as one line and exits
with code 2; a bug is any other exception, shows its traceback and exits with code 1.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class InputError(Exception):
    """A mistake in what the user gave: a file, a record, an option, a recipe.

    what: the fault, in words a user knows ("mention ends at 913, text has 880 characters").
    where: the file and line, the record and field, or the option ("corpus.pubtator.gz:1204").
    remedy: what to do about it ("drop it with --refuse-broken"); may be empty.
    """

    def __init__(self, what: str, where: str = "", remedy: str = "") -> None:
        self.what = what
        self.where = where
        self.remedy = remedy
        super().__init__(what, where, remedy)

    def __str__(self) -> str:
        line = f"{self.where}: {self.what}" if self.where else self.what
        if self.remedy:
            line = f"{line}; {self.remedy}"
        return " ".join(line.split())


def unknown_name(kind: str, name: str, known: Iterable[str], where: str = "") -> InputError:
    """The error for a name that no table has, with the nearest known ones."""
    choices = sorted(known)
    near = difflib.get_close_matches(name, choices, n=3, cutoff=0.5)
    remedy = f"did you mean {' or '.join(near)}?" if near else f"known: {', '.join(choices) or 'none'}"
    return InputError(f"unknown {kind} {name!r}", where, remedy)


def missing_extra(package: str, extra: str, purpose: str) -> InputError:
    """The error for an optional dependency that is not installed."""
    return InputError(
        f"{purpose} needs {package}, which is not installed", "", f'pip install "anagnosis[{extra}]"'
    )
