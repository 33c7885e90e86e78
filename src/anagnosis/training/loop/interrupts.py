"""What ends a training before its time: signals, and errors of its values.

Signals are deferred: Ctrl-C, and the SIGTERM of a cluster that reclaims its machine, take effect between two steps.
"""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any

from anagnosis.errors import InputError

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class TrialError(InputError):
    """An error of one training's values, such as too little memory. A search continues with other values."""


class Interrupts:
    """A context in which the first signal only sets `received`; the second raises KeyboardInterrupt at once.

    Outside the main thread, where Python delivers no signals, the context changes nothing.
    """

    def __init__(self) -> None:
        self.received = False
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is threading.main_thread():
            self._before = {number: signal.signal(number, self._hear) for number in _SIGNALS}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _hear(self, number: int, frame: FrameType | None) -> None:
        if self.received:
            raise KeyboardInterrupt
        self.received = True
