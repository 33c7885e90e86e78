"""What ends a training before its time: signals, errors of its values, and too little memory.

Signals are deferred: Ctrl-C, and the SIGTERM of a cluster that reclaims its machine, take effect between two steps.
"""

from __future__ import annotations

import contextlib
import gc
import signal
import threading
from collections.abc import Generator, Sequence
from types import FrameType, TracebackType
from typing import Any

import torch

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


# Messages of torch's allocators that raise no exception class of their own.
_NO_MEMORY = ("can't allocate memory", "DefaultCPUAllocator", "out of memory")
TRAIN = "--set tokens={}"
PREDICT = "--tokens {}"


@contextlib.contextmanager
def within_memory(where: str, remedy: str, what: str = "out of memory") -> Generator[None]:
    """Raise TrialError with this remedy when memory runs out."""
    error = None
    try:
        yield
    except (torch.OutOfMemoryError, MemoryError, RuntimeError) as fault:
        plain = not isinstance(fault, (torch.OutOfMemoryError, MemoryError))
        if plain and not any(sign in str(fault) for sign in _NO_MEMORY):
            raise
        error = TrialError(what, where, remedy)
    if error is not None:
        # Raised outside the handler, so that the tensors of the fault's frames are free.
        gc.collect()
        raise error


def at_once(
    doing: str, sizes: Sequence[int], tokens: int, option: str = TRAIN
) -> contextlib.AbstractContextManager[None]:
    """`within_memory` for instances that are computed together.

    sizes: tokens of each instance. tokens: the limit for all together. option: how a user lowers that limit. It cannot
    make a single instance smaller; there only a smaller model helps, or leaving the instance out.
    """
    longest = max(sizes)
    if len(sizes) == 1:
        anew = " with --replace" if option == TRAIN else ""
        return within_memory(
            doing,
            f"train a smaller model{anew} (a smaller hidden, for one), or leave that instance out (--limit)",
            f"out of memory: one instance of {longest:,} tokens does not fit",
        )
    most = max(1, min(tokens, longest * len(sizes)) // 2)
    return within_memory(
        f"{doing}, {len(sizes)} instances of up to {longest:,} tokens",
        f"take less at once with {option.format(most)} (it is {tokens})",
    )
