"""Contextual vectors of texts from another program: HDF5, one array a text.

    12345/question      float [pieces, width], float16, float32 or float64: the question of instance 12345
    12345/context       its context
    12345/long_answer   its long answer, for a reader that gets it instead of the context

All arrays of a file have the same width. An array without rows is a text without words. Average several layers (ELMo)
before you write them. We check and read an array together with its instance.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from anagnosis.array_types import Floats32
from anagnosis.errors import InputError, missing_extra
from anagnosis.io.files import display_name
from anagnosis.io.paths import PathLike

LARGEST = 1 << 26  # numbers of an array: a text of 65,536 pieces by 1,024
REMEDY = "write one float array [pieces, width] a text"


class GivenTexts:
    """Arrays of vectors by key. Links lead nowhere, and an array in another file is none."""

    def __init__(self, path: PathLike) -> None:
        self.path, self._name = Path(path).expanduser(), display_name(path)
        if not self.path.is_file():
            raise InputError("no such file", str(path), "check the path of vectors")
        try:
            import h5py

            self._file: Any = h5py.File(self.path, "r")
        except ImportError as missing:
            raise missing_extra("h5py", "hdf5", "reading contextual vectors") from missing
        except OSError as fault:
            raise InputError(f"no HDF5 file ({fault})", self._name, "write it again") from fault

    def shape(self, key: str) -> tuple[int, int]:
        """(pieces, width) of a text. InputError: the text is missing, or its array has another shape."""
        shape = self._array(key).shape or ()
        if len(shape) != 2 or not shape[1] or shape[0] * shape[1] > LARGEST:
            raise InputError(f"{key!r} is an array {list(shape)}", self._name, REMEDY)
        return shape

    def vectors(self, key: str) -> Floats32:
        """float32 [pieces, width] of a text. InputError: the array is not float, or has a value that is not finite."""
        self.shape(key)
        try:
            array = self._array(key)[...]
        except OSError as fault:
            raise InputError(f"{key!r} cannot be read ({fault})", self._name, "write it again") from fault
        with np.errstate(over="ignore"):
            vectors = array.astype(np.float32)
        if array.dtype.kind != "f" or not np.isfinite(vectors).all():
            raise InputError(f"{key!r} holds what is no finite float ({array.dtype})", self._name, REMEDY)
        return vectors

    def _array(self, key: str) -> Any:
        """The unread array of a text."""
        place: Any = self._file
        for name in key.split("/"):
            link = place.get(name, getlink=True) if hasattr(place, "keys") else None
            place = place[name] if type(link).__name__ == "HardLink" else None
        if not hasattr(place, "is_virtual") or place.is_virtual or place.external:
            raise InputError(f"no vectors of {key!r}", self._name, "write them into the file")
        return place
