"""The progress of long work: rate and time left, on standard error only.

On a terminal it is one line that changes; elsewhere a line every few seconds, none for shorter work. `--quiet` (or
ANAGNOSIS_QUIET=1) turns it off.
"""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from shutil import get_terminal_size

from anagnosis.showing import masked_line, unmasked

PLAIN_EVERY = 5.0  # seconds
_DRAWN_EVERY = 0.2
_ERASED = "\r\x1b[K"  # the line


class Progress:
    """A count towards a total (unknown if None). Use it as a context manager; call `advance` after each step."""

    def __init__(self, label: str, total: int | None = None, unit: str = "documents") -> None:
        self.label = masked_line(label)
        self.total = total
        self.unit = unit
        self.done = 0
        self._started = self._last = time.monotonic()
        self._quiet = bool(os.environ.get("ANAGNOSIS_QUIET"))
        self._drawn = sys.stderr.isatty() and not self._quiet

    def __enter__(self) -> Progress:
        self._draw(self.label)
        return self

    def __exit__(self, *_: object) -> None:
        self._draw("")

    def _draw(self, line: str) -> None:
        if self._drawn:
            shown = _ERASED + line[: get_terminal_size().columns - 1]
            print(shown, end="", file=unmasked(sys.stderr), flush=True)

    def advance(self, n: int = 1, share: float | None = None, note: str = "") -> None:
        """Count `n` more units. share: of all work that is done now, if the total is unknown.

        note: further text to show ("loss 1.234").
        """
        self.done += n
        now = time.monotonic()
        if self._quiet or now - self._last < (_DRAWN_EVERY if self._drawn else PLAIN_EVERY):
            return
        self._last, passed = now, max(now - self._started, 1e-9)
        if share is None and self.total:
            share = self.done / self.total
        of = f" of {self.total:,}" if self.total is not None else ""
        left = f", {passed / share - passed:,.0f} s left" if share and share <= 1 else ""
        rate = f"{self.done / passed:,.0f}/s"
        line = f"{self.label}: {self.done:,}{of} {self.unit}, {rate}{left}{note and ', '}{masked_line(note)}"
        self._draw(line)
        if not self._drawn:
            print(line, file=sys.stderr, flush=True)


def print_note(line: str) -> None:
    """Print one line on standard error, unless quiet."""
    if not os.environ.get("ANAGNOSIS_QUIET"):
        # What a progress line leaves of itself would stand before it.
        erased = _ERASED if sys.stderr.isatty() else ""
        print(f"{erased}{masked_line(line)}", file=unmasked(sys.stderr), flush=True)


class TextCounts(Counter[str]):
    """What happens to texts that are not read as they are → their number. kinds: in the report's order."""

    def __init__(self, *kinds: str) -> None:
        super().__init__(dict.fromkeys(kinds, 0))

    def report(self, part: str, without: Sequence[str] = ()) -> None:
        """Report a line for each count that is not 0. part: the split's name. without: kinds that stay unreported."""
        for what, number in self.items():
            if number and what not in without:
                print_note(f"{part}: {number:,} {what}")
