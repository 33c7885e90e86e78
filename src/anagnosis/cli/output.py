"""Standard output and standard error while a command runs: what is printed is masked, and their faults are named.

Nothing that a file holds may steer the terminal, whoever prints it; so every text passes `masked` here. A full disk
behind standard output is an InputError, a reader who went away ends the command, and standard error that takes no more
is left alone: nobody reads it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager, suppress
from typing import Any, TextIO, cast

from anagnosis.io.paths import naming_faults
from anagnosis.showing import masked


class UnreadError(Exception):
    """Nobody reads our output any more, as behind `| head`."""


class Printed:
    """A text stream that masks what is written. unmasked: the stream beneath, for who has masked already."""

    def __init__(self, unmasked: TextIO) -> None:
        self.unmasked = unmasked

    def write(self, text: str) -> int:
        """Write it masked."""
        with self.naming_faults():
            self.unmasked.write(masked(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write each masked."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Hand over what waits."""
        with self.naming_faults():
            self.unmasked.flush()

    @contextmanager
    def naming_faults(self) -> Generator[None]:
        """Of what is written beneath."""
        try:
            with naming_faults("standard output", "free some space, or write elsewhere", "writing"):
                yield
        except BrokenPipeError as fault:
            raise UnreadError from fault

    def __getattr__(self, name: str) -> Any:
        return getattr(self.unmasked, name)


class PrintedAside(Printed):
    """Standard error: the same, and its own faults end nothing."""

    @contextmanager
    def naming_faults(self) -> Generator[None]:
        """They are left alone."""
        with suppress(OSError):
            yield


@contextmanager
def printing() -> Generator[None]:
    """Mask both streams for the block, where they are not masked already."""
    before = sys.stdout, sys.stderr
    mask_streams()
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def mask_streams() -> None:
    """Mask both streams from now on."""
    if not isinstance(sys.stdout, Printed):
        sys.stdout = cast(TextIO, Printed(sys.stdout))
    if not isinstance(sys.stderr, Printed):
        sys.stderr = cast(TextIO, PrintedAside(sys.stderr))


def open_closed_streams() -> bool:
    """Give the numbers of closed streams to the null device, or a file that is opened next would be printed into.

    False where standard output is among them. Standard input stays None, and is refused where it is read.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free: this one
    if sys.stderr is None:  # pyright: ignore[reportUnnecessaryComparison]  (it was closed)
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace")
    if sys.stdout is None:  # pyright: ignore[reportUnnecessaryComparison]  (it was closed)
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", errors="backslashreplace")
        return False
    return True


def give_up() -> None:
    """Send what waits for standard output nowhere: Python would complain once more at its end."""
    with suppress(OSError, ValueError):  # of a test's stream, which has no number
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
