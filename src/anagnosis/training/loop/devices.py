"""The device of a computation, its precision, and the processes that share a training.

One process needs nothing but torch. Accelerate leads several (`accelerate launch`, `torchrun`): all compose the same
batches, each takes its share, and they add up the gradients, so that a step equals that of one process. The main
process alone writes; all must see the same run folder.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import os
import sys
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Any, TypeVar

import torch
from torch import Tensor

from anagnosis.encoders import cpu
from anagnosis.errors import InputError, missing_extra

T = TypeVar("T")

DEVICES = "auto, cpu, cuda, cuda:N or mps"
# Of <malloc.h>.
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3


class Processes:
    """The processes that share the work. rank: the number of this process. size: the number of processes."""

    def __init__(self, device: str = "auto", precision: str = "float32", threads: int | None = None) -> None:
        self.rank = 0
        self.size = processes()
        self._accelerator: Any = None
        if self.size > 1:
            self._accelerator = _accelerator(device)
            self.rank = int(self._accelerator.process_index)
            self.device: torch.device = self._accelerator.device
            if self.rank:
                os.environ["ANAGNOSIS_QUIET"] = "1"  # the main process alone reports
        else:
            self.device = chosen(device)
        self._threads = threads
        hold_memory()
        self.bfloat16 = precision == "bfloat16" or (precision == "auto" and fast_bfloat16(self.device))

    @property
    def main(self) -> bool:
        """Whether this process writes and reports."""
        return self.rank == 0

    @property
    def threads(self) -> int | None:
        """Number of CPU threads of this process; None on other devices."""
        return (self._threads or torch.get_num_threads()) if self.device.type == "cpu" else None

    @contextlib.contextmanager
    def computing(self) -> Generator[None]:
        """Use the team's threads, kernels and generators; restore the process's settings afterwards."""
        before = torch.get_num_threads()
        with _generators_kept(self.device), _kernels(self.device):
            if self._threads is not None:
                torch.set_num_threads(self._threads)
            try:
                yield
            finally:
                torch.set_num_threads(before)

    def autocast(self) -> AbstractContextManager[Any]:
        """A context that multiplies in bfloat16 if the team's precision is bfloat16."""
        if not self.bfloat16:
            return contextlib.nullcontext()
        return torch.autocast(self.device.type, torch.bfloat16)

    def wait(self) -> None:
        """Wait for all processes."""
        if self._accelerator is not None:
            self._accelerator.wait_for_everyone()

    def first(self, work: Callable[[], T]) -> T:
        """Run `work` in the main process and return its result in all processes; the others wait for it."""
        if self._accelerator is None:
            return work()
        from accelerate.utils import broadcast_object_list

        result: list[Any] = [work() if self.main else None]
        broadcast_object_list(result)
        return result[0]

    def add_up(self, tensors: Sequence[Tensor]) -> None:
        """Replace each tensor by its sum over all processes, in one exchange."""
        if self._accelerator is None:
            return
        joined = self._accelerator.reduce(
            torch.cat([tensor.reshape(-1) for tensor in tensors]), reduction="sum"
        )
        place = 0
        for tensor in tensors:
            tensor.copy_(joined[place : place + tensor.numel()].view_as(tensor))
            place += tensor.numel()

    def gathered(self, items: list[Any]) -> list[Any]:
        """The items of all processes, in the order of the processes."""
        if self._accelerator is None:
            return items
        from accelerate.utils import gather_object

        return gather_object(items)


def hold_memory() -> None:
    """Make the C library keep its memory, instead of asking the system for the same pages in every step.

    Each step makes a gradient as large as the table of word embeddings; new pages made that five times as slow. The
    setting holds until the process ends: the C library does not report the previous one.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, 1 << 30)
        mallopt(_TRIM_THRESHOLD, (1 << 31) - 1)


def processes() -> int:
    """The number of processes that share the work, as the launcher sets it."""
    return int(os.environ.get("WORLD_SIZE", "1"))


def leads() -> bool:
    """Whether this is the main process, which writes and reports."""
    return processes() == 1 or os.environ.get("RANK", "0") == "0"


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


def _accelerator(device: str) -> Any:
    try:
        from accelerate import Accelerator, InitProcessGroupKwargs
    except ModuleNotFoundError as fault:
        raise missing_extra("accelerate", "train", "training with several processes") from fault
    if device not in ("auto", "cpu", "cuda"):
        raise InputError(
            f"several processes cannot share {device!r}",
            "--device",
            "choose auto, cpu or cuda; accelerate deals them",
        )
    # The first pass of a frozen encoder may take hours, for which the others wait. A process that fails leaves nobody
    # waiting: its connections break, and the launcher ends the others.
    patient = InitProcessGroupKwargs(timeout=timedelta(days=7))
    return Accelerator(cpu=device == "cpu", kwargs_handlers=[patient])
