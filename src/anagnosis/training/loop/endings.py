"""What ends a training before its time: errors of its values, and too little memory."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Generator, Sequence

import torch

from anagnosis.errors import InputError


class TrialError(InputError):
    """An error of one training's values, such as too little memory. A search continues with other values."""


# Messages of torch's allocators that raise no exception class of their own.
_NO_MEMORY = ("can't allocate memory", "DefaultCPUAllocator", "out of memory")
TRAIN = "--set tokens={}"
PREDICT = "--tokens {}"


@contextlib.contextmanager
def within_memory(where: str, remedy: str, what: str = "out of memory") -> Generator[None]:
    """Raise TrialError with this remedy when memory runs out."""
    try:
        yield
        return
    except (torch.OutOfMemoryError, MemoryError):
        pass
    except RuntimeError as fault:
        if not any(sign in str(fault) for sign in _NO_MEMORY):
            raise
    # Raised outside the handlers, so that the tensors of the fault's frames are free.
    gc.collect()
    raise TrialError(what, where, remedy)


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
        remedy = (
            f"train a smaller model{anew} (a smaller hidden, for one), or leave that instance out (--limit)"
        )
        return within_memory(doing, remedy, f"out of memory: one instance of {longest:,} tokens does not fit")
    most = max(1, min(tokens, longest * len(sizes)) // 2)
    remedy = f"take less at once with {option.format(most)} (it is {tokens})"
    return within_memory(f"{doing}, {len(sizes)} instances of up to {longest:,} tokens", remedy)
