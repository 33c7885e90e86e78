"""The device of a computation, its precision and its memory."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import hashlib
import os
import re
import sys
from collections.abc import Generator, Sequence
from contextlib import AbstractContextManager
from typing import Any

import torch

from anagnosis.encoders import cpu
from anagnosis.errors import InputError

DEVICES = "auto, cpu, cuda, cuda:N or mps"
# How a user lowers the number of tokens in memory at once.
TRAIN, PREDICT = "--set tokens={}", "--tokens {}"
# Of <malloc.h>.
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
# Messages of torch's allocators that raise no exception class of their own.
_NO_MEMORY = ("can't allocate memory", "DefaultCPUAllocator", "out of memory")


class Hardware:
    """What computes: a device, its precision, and threads of a CPU (None: torch's choice)."""

    def __init__(self, device: str = "auto", precision: str = "float32", threads: int | None = None) -> None:
        self.device = chosen(device)
        self._threads = threads
        hold_memory()
        self.bfloat16 = cpu.precision(precision, self.device) == "bfloat16"

    @property
    def threads(self) -> int | None:
        """The number of CPU threads; None on other devices."""
        return (self._threads or torch.get_num_threads()) if self.device.type == "cpu" else None

    @contextlib.contextmanager
    def computing(self) -> Generator[None]:
        """Use these threads, deterministic kernels and fresh generators; all are as before afterwards.

        On a CPU denormal values are 0, since they make it many times slower and contribute nothing.
        """
        is_gpu = self.device.type == "cuda"
        cuda = torch.cuda.device_count() if is_gpu or torch.cuda.is_initialized() else 0
        threads, mode = torch.get_num_threads(), torch.get_deterministic_debug_mode()
        memory: Any = getattr(torch.utils, "deterministic")  # noqa: B009  (a module that is also an object)
        filled = memory.fill_uninitialized_memory
        with torch.random.fork_rng(devices=range(cuda)):
            if self._threads is not None:
                torch.set_num_threads(self._threads)
            if is_gpu:
                os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
                torch.set_deterministic_debug_mode("warn")
                memory.fill_uninitialized_memory = False
            torch.set_flush_denormal(not is_gpu)
            try:
                yield
            finally:
                torch.set_flush_denormal(False)
                memory.fill_uninitialized_memory = filled
                torch.set_deterministic_debug_mode(mode)
                torch.set_num_threads(threads)

    def autocast(self) -> AbstractContextManager[Any]:
        """A context that multiplies in bfloat16 if the precision is bfloat16."""
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self.bfloat16)


def hold_memory() -> None:
    """Make the C library keep its memory, instead of asking the system for the same pages in every step.

    Each step makes a gradient as large as the table of word embeddings; new pages made that five times as slow. The
    setting holds until the process ends: the C library does not report the previous one.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, 1 << 30)
        mallopt(_TRIM_THRESHOLD, (1 << 31) - 1)


def chosen(name: str) -> torch.device:
    """The device of that name; "auto" is the GPU if there is one, else the CPU. InputError: no such device here."""
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if not re.fullmatch(r"cpu|mps|cuda(:\d+)?", name):
        raise InputError(f"unknown device {name!r}", "--device", f"choose {DEVICES}")
    try:
        torch.empty(0, device=name)
    except (RuntimeError, AssertionError) as fault:  # torch without CUDA asserts
        raise InputError(f"no device {name!r} here", "--device", "choose auto or cpu") from fault
    return torch.device(name)


def draw_anew(*numbers: int) -> None:
    """Seed torch's generators on every device. The seed depends on these numbers alone."""
    digest = hashlib.sha256(repr(numbers).encode()).digest()
    torch.manual_seed(int.from_bytes(digest[:8], "big") >> 1)


class TrialError(InputError):
    """An error of one training's values, such as too little memory. A search continues with other values."""


@contextlib.contextmanager
def within_memory(sizes: Sequence[int], tokens: int, option: str = TRAIN) -> Generator[None]:
    """TrialError when memory runs out for what is computed together.

    sizes: tokens of each instance, none where the model itself is made. tokens: the limit for all together. option: how
    a user lowers that limit.
    """
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
    most = min(tokens, max(sizes) * len(sizes)) if sizes else tokens
    at_once = f", {len(sizes)} instances at once" if sizes else ""
    remedy = f"take less at once with {option.format(max(1, most // 2))} (it is {tokens}), or a smaller model"
    raise TrialError(f"out of memory{at_once}", "", remedy)
