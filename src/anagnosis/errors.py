"""Errors of users, as one exception: what, where, and what to do.

Every mistake that a user can correct is an InputError. The command line prints it as one line and exits with code 2.
Any other exception is a bug, shows its traceback and exits with code 1.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from contextvars import ContextVar

from anagnosis.showing import masked

ON_COMMAND_LINE = ContextVar("ON_COMMAND_LINE", default=False)  # where faults name options, not arguments


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
        return masked(" ".join(line.split()))


class ArgumentError(InputError):
    """A value that a verb's parameter does not take; `where` is the parameter's name, which the command line spells as
    its option.
    """


class TruncatedError(InputError):
    """An input that breaks off: it is incomplete, or unreadable behind `where`.

    A streaming function gives everything before the break, then raises this.
    """


class DamagedError(InputError):
    """A file of ours that changed after we wrote it, so no mistake in the user's request.

    The command line treats it as any InputError; a server answers with its error page.
    """


class UnavailableError(InputError):
    """A server that does not answer just now, so no mistake in the user's request either."""


def unknown_name(
    kind: str, name: str, known: Iterable[str], where: str = "", aliases: Iterable[str] | None = None
) -> InputError:
    """The error for a name that no table has, with the nearest known names; aliases: other names that are offered."""
    choices = sorted(known)
    folded = {choice.casefold(): choice for choice in (*choices, *(aliases or {}))}
    near = [folded[each] for each in difflib.get_close_matches(name.casefold(), folded, n=3)]
    remedy = f"did you mean {' or '.join(near)}?" if near else f"known: {', '.join(choices) or 'none'}"
    return InputError(f"unknown {kind} {name!r}", where, remedy)


def missing_extra(package: str, extra: str, purpose: str) -> InputError:
    """The error for an optional dependency that is not installed."""
    return InputError(
        f"{purpose} needs {package}, which is not installed", "", f'pip install "anagnosis[{extra}]"'
    )
