"""The progress bar of long work: rate and time left, on standard error only.

On a terminal it draws a bar; elsewhere it writes a plain line every few seconds, none for shorter work. `--quiet` (or
ANAGNOSIS_QUIET=1) turns it off.
"""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from types import TracebackType
from typing import Any

from anagnosis.showing import masked_line, unmasked

PLAIN_EVERY = 5.0  # seconds


class Progress:
    """A count towards a total (unknown if None). Use it as a context manager; call `advance` after each step."""

    def __init__(self, label: str, total: int | None = None, unit: str = "documents") -> None:
        self.label = masked_line(label)
        self.total = total
        self.unit = unit
        self.done = 0
        self._started = time.monotonic()
        self._last = self._started
        self._quiet = bool(os.environ.get("ANAGNOSIS_QUIET"))
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Progress:
        if not self._quiet and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, SpinnerColumn, TextColumn
            from rich.progress import Progress as Bar

            self._bar = Bar(
                SpinnerColumn(),
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                TextColumn("{task.fields[count]}", markup=False),
                console=Console(file=unmasked(sys.stderr)),
                transient=True,
            )
            self._bar.start()
            self._task = self._bar.add_task(self.label, total=1.0, count="")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def advance(self, n: int = 1, share: float | None = None, note: str = "") -> None:
        """Count `n` more units. share: of all work that is done now, if the total is unknown.

        note: further text to show ("loss 1.234").
        """
        self.done += n
        now = time.monotonic()
        if share is None and self.total:
            share = self.done / self.total
        if self._bar is not None:
            self._bar.update(self._task, completed=share or 0.0, count=self._count(now, share, note))
        elif not self._quiet and now - self._last >= PLAIN_EVERY:
            self._last = now
            print(f"{self.label}: {self._count(now, share, note)}", file=sys.stderr, flush=True)

    def _count(self, now: float, share: float | None, note: str) -> str:
        passed = max(now - self._started, 1e-9)
        of = f" of {self.total:,}" if self.total is not None else ""
        left = f", {passed / share - passed:,.0f} s left" if share and share <= 1 else ""
        return f"{self.done:,}{of} {self.unit}, {self.done / passed:,.0f}/s{left}{note and ', '}{masked_line(note)}"


def print_note(line: str) -> None:
    """Print one line on standard error, unless quiet."""
    if not os.environ.get("ANAGNOSIS_QUIET"):
        print(masked_line(line), file=sys.stderr, flush=True)


class TextCounts(Counter[str]):
    """What happens to texts that are not read as they are → their number. kinds: in the report's order."""

    def __init__(self, *kinds: str) -> None:
        super().__init__(dict.fromkeys(kinds, 0))

    def report(self, part: str, without: Sequence[str] = ()) -> None:
        """Report a line for each count that is not 0. part: the split's name. without: kinds that stay unreported."""
        for what, number in self.items():
            if number and what not in without:
                print_note(f"{part}: {number:,} {what}")
