"""A memory-mapped .npy file of float16 vectors, read row by row on request."""

from __future__ import annotations

import io
import mmap
from pathlib import Path

import numpy as np

from anagnosis.array_types import Floats16, Longs
from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike

# After reading so many bytes we release their pages, which stay in the system's file cache.
GIVE_BACK = 1 << 28


def header(vectors: int, width: int) -> bytes:
    """The header of a .npy file of so many float16 vectors."""
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        stream, {"descr": "<f2", "fortran_order": False, "shape": (vectors, width)}
    )
    return stream.getvalue()


class Features:
    """Vectors by row."""

    def __init__(self, path: PathLike) -> None:
        try:
            with Path(path).open("rb") as stream:
                version = np.lib.format.read_magic(stream)
                if version != (1, 0):
                    raise ValueError(f"version {version}")
                shape, _, dtype = np.lib.format.read_array_header_1_0(stream)
                start = stream.tell()
                self._map = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
            numbers = shape[0] * shape[1]
            flat = np.frombuffer(self._map, dtype, numbers, start) if numbers else np.empty(0, dtype)
            self._vectors: Floats16 = flat.reshape(shape)
        except (OSError, ValueError) as fault:
            raise InputError(
                f"no readable features ({fault})",
                str(path),
                "were they moved or removed? give the same command again: they are computed anew",
            ) from fault
        self._read = 0

    @property
    def width(self) -> int:
        return self._vectors.shape[1]

    def rows(self, numbers: Longs) -> Floats16:
        """float16 [numbers, width], a copy."""
        vectors = self._vectors[numbers]
        self._read += vectors.nbytes
        if self._read > GIVE_BACK and hasattr(mmap, "MADV_DONTNEED"):
            self._map.madvise(mmap.MADV_DONTNEED)
            self._read = 0
        return vectors
