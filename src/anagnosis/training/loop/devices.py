"""The device of a computation, and its precision."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import os
import re
import sys
from collections.abc import Generator
from contextlib import AbstractContextManager
from typing import Any

import torch

from anagnosis.encoders import cpu
from anagnosis.errors import InputError

DEVICES = "auto, cpu, cuda, cuda:N or mps"
# Of <malloc.h>.
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3


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
        """Use these threads, deterministic kernels and fresh generators; all are as before afterwards."""
        before = torch.get_num_threads()
        cuda = torch.cuda.device_count() if self.device.type == "cuda" or torch.cuda.is_initialized() else 0
        mps = torch.mps.get_rng_state() if self.device.type == "mps" else None
        with torch.random.fork_rng(devices=range(cuda)), _kernels(self.device):
            if self._threads is not None:
                torch.set_num_threads(self._threads)
            try:
                yield
            finally:
                torch.set_num_threads(before)
                if mps is not None:
                    torch.mps.set_rng_state(mps)

    def autocast(self) -> AbstractContextManager[Any]:
        """A context that multiplies in bfloat16 if the precision is bfloat16."""
        if not self.bfloat16:
            return contextlib.nullcontext()
        return torch.autocast(self.device.type, torch.bfloat16)


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


@contextlib.contextmanager
def _kernels(device: torch.device) -> Generator[None]:
    """Use deterministic kernels (a CPU's always are), and on a CPU take denormal values for 0.

    Denormal values make a CPU many times slower and contribute nothing. Both settings hold for the whole process.
    """
    if device.type != "cuda":
        torch.set_flush_denormal(True)
        try:
            yield
        finally:
            torch.set_flush_denormal(False)
        return
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    before = torch.get_deterministic_debug_mode()
    memory: Any = getattr(torch.utils, "deterministic")  # noqa: B009  (a module that is also an object)
    filled = memory.fill_uninitialized_memory
    torch.set_deterministic_debug_mode("warn")
    memory.fill_uninitialized_memory = False
    try:
        yield
    finally:
        torch.set_deterministic_debug_mode(before)
        memory.fill_uninitialized_memory = filled


def draw_anew(*numbers: int) -> None:
    """Seed torch's generators on every device. The seed depends on these numbers alone."""
    digest = hashlib.sha256(repr(numbers).encode()).digest()
    torch.manual_seed(int.from_bytes(digest[:8], "big") >> 1)
