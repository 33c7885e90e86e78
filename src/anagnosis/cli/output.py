"""Standard output and standard error while a command runs: what is printed is masked, and their faults are named.

Nothing that a file holds may steer the terminal, whoever prints it; so every text passes `masked` here. A full disk
behind standard output is an InputError, a reader who went away ends the command, and standard error that takes no more
is left alone: nobody reads it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, TextIO

from anagnosis.errors import InputError
from anagnosis.io.paths import naming_faults
from anagnosis.showing import masked


class UnreadError(Exception):
    """Nobody reads our output any more, as behind `| head`."""


class Printed:
    """A text stream that masks what is written. unmasked: the stream beneath, for who has masked already.

    is_aside: it is standard error, whose own faults end nothing.
    """

    def __init__(self, unmasked: TextIO, *, is_aside: bool) -> None:
        self.unmasked, self.is_aside = unmasked, is_aside

    def write(self, text: str) -> int:
        """Write it masked."""
        self._named(self.unmasked.write, masked(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write each masked."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Hand over what waits."""
        self._named(self.unmasked.flush)

    def _named(self, function: Callable[..., Any], *given: str) -> None:
        """Call it; InputError, UnreadError: standard output takes no more."""
        try:
            with naming_faults("standard output", "free some space, or write elsewhere", "writing"):
                function(*given)
        except BrokenPipeError as fault:
            if not self.is_aside:
                raise UnreadError from fault
        except InputError:
            if not self.is_aside:
                raise

    def __getattr__(self, name: str) -> Any:
        return getattr(self.unmasked, name)


def mask_streams() -> None:
    """Mask both streams from now on: a traceback quotes files too."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if not isinstance(stream, Printed):
            setattr(sys, name, Printed(stream, is_aside=name == "stderr"))


def open_closed_streams() -> bool:
    """Give the numbers of closed streams to the null device, or a file that is opened next would be printed into.

    False where standard output is among them. Standard input stays None, and is refused where it is read.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free: this one
    is_open = sys.stdout is not None  # pyright: ignore[reportUnnecessaryComparison]  (it was closed)
    for number, name in ((1, "stdout"), (2, "stderr")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, "w", encoding="utf-8", errors="backslashreplace"))
    return is_open


def give_up() -> None:
    """Send what waits for standard output nowhere: Python would complain once more at its end."""
    with suppress(OSError, ValueError):  # of a test's stream, which has no number
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
