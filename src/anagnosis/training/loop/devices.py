"""The device of a computation, and its precision."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import os
import sys
from collections.abc import Generator, Iterable
from contextlib import AbstractContextManager
from typing import Any

import torch
from torch import Tensor

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
        self.bfloat16 = precision == "bfloat16" or (precision == "auto" and fast_bfloat16(self.device))

    @property
    def threads(self) -> int | None:
        """The number of CPU threads; None on other devices."""
        return (self._threads or torch.get_num_threads()) if self.device.type == "cpu" else None

    @contextlib.contextmanager
    def computing(self) -> Generator[None]:
        """Use these threads, deterministic kernels and fresh generators; all are as before afterwards."""
        before = torch.get_num_threads()
        with _generators_kept(self.device), _kernels(self.device):
            if self._threads is not None:
                torch.set_num_threads(self._threads)
            try:
                yield
            finally:
                torch.set_num_threads(before)

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
    kind, _, index = name.partition(":")
    if kind not in ("cpu", "cuda", "mps") or (index and not (kind == "cuda" and index.isdecimal())):
        raise InputError(f"unknown device {name!r}", "--device", f"choose {DEVICES}")
    count = {
        "cpu": 1,
        "cuda": torch.cuda.device_count() if torch.cuda.is_available() else 0,
        "mps": int(torch.backends.mps.is_available()),
    }[kind]
    if int(index or 0) >= count:
        here = f"{count} of that kind here" if count else "none of that kind here"
        raise InputError(f"no device {name!r}: {here}", "--device", "choose auto or cpu")
    return torch.device(name)


def fast_bfloat16(device: torch.device) -> bool:
    """Whether "auto" means bfloat16 on this device."""
    if device.type == "cuda":
        return torch.cuda.is_bf16_supported(including_emulation=False)
    return device.type == "cpu" and cpu.fast_bfloat16()


@contextlib.contextmanager
def _generators_kept(device: torch.device) -> Generator[None]:
    """Restore torch's generators afterwards: draw_anew seeds those of every device."""
    cuda = torch.cuda.device_count() if device.type == "cuda" or torch.cuda.is_initialized() else 0
    mps = torch.mps.get_rng_state() if device.type == "mps" else None
    with torch.random.fork_rng(devices=range(cuda)):
        try:
            yield
        finally:
            if mps is not None:
                torch.mps.set_rng_state(mps)


@contextlib.contextmanager
def _kernels(device: torch.device) -> Generator[None]:
    """Use deterministic kernels (a CPU's always are), and on a CPU take denormal values for 0.

    Denormal values make a CPU many times slower and contribute nothing. Both settings hold for the whole process, so
    this context resets them.
    """
    if device.type != "cuda":
        torch.set_flush_denormal(True)
        try:
            yield
        finally:
            torch.set_flush_denormal(False)
        return
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    before = (
        torch.are_deterministic_algorithms_enabled(),
        torch.is_deterministic_algorithms_warn_only_enabled(),
    )
    memory: Any = getattr(torch.utils, "deterministic")  # noqa: B009  (a module that is also an object)
    filled = memory.fill_uninitialized_memory
    torch.use_deterministic_algorithms(True, warn_only=True)
    memory.fill_uninitialized_memory = False
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(before[0], warn_only=before[1])
        memory.fill_uninitialized_memory = filled


def draw_anew(*numbers: int) -> None:
    """Seed torch's generators on every device. The seed depends on these numbers alone."""
    digest = hashlib.sha256(repr(numbers).encode()).digest()
    torch.manual_seed(int.from_bytes(digest[:8], "big") >> 1)


def placed(tensors: Iterable[Tensor]) -> list[Tensor]:
    """Copies of the tensors on the CPU."""
    return [tensor.detach().to("cpu", copy=True).contiguous() for tensor in tensors]
