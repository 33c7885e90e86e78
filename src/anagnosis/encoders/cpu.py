"""Features of devices, and settings of threads for torch; importing this module does not load torch."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from anagnosis.errors import missing_extra

if TYPE_CHECKING:
    import torch

# Settings of the environment that OpenMP reads once, when torch is loaded.
CALM_THREADS = {"GOMP_SPINCOUNT": "0", "KMP_BLOCKTIME": "0"}


def calm_threads() -> None:
    """Let idle OpenMP threads sleep instead of spin, unless the user chose otherwise. Call it before torch is loaded.

    A recurrent reader runs thousands of small parallel regions. With a busy neighbour on the machine, threads
    that spin at the end of each made two threads twenty times slower than one (design/training.md).
    """
    for name, value in CALM_THREADS.items():
        os.environ.setdefault(name, value)


def ready_for_torch(purpose: str) -> None:
    """Make torch ready to be loaded, or say how to get it."""
    from importlib.util import find_spec

    if find_spec("torch") is None:
        raise missing_extra("torch", "train", purpose)
    calm_threads()


def fast_bfloat16() -> bool:
    """Whether this CPU has instructions that multiply bfloat16 matrices faster than float32 ones.

    Without them bfloat16 took 2.6 to 4.2 times as long as float32 (design/training.md).
    """
    import torch

    # Both names are private to torch; if they disappear, the result is False.
    tests = ("_is_amx_tile_supported", "_is_avx512_bf16_supported")
    return any(getattr(torch.cpu, name, bool)() for name in tests)


def precision(wanted: str, device: torch.device) -> str:
    """The precision on this device, "float32" or "bfloat16", for "auto" or one of these."""
    import torch

    if wanted != "auto":
        return wanted
    if device.type == "cuda":
        return "bfloat16" if torch.cuda.is_bf16_supported(including_emulation=False) else "float32"
    return "bfloat16" if device.type == "cpu" and fast_bfloat16() else "float32"
