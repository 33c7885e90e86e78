"""Contextual vectors of texts from another program: safetensors or HDF5, one array a text.

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
from safetensors import SafetensorError, safe_open

from anagnosis.array_types import Floats32
from anagnosis.errors import InputError, missing_extra
from anagnosis.io.files import display_name
from anagnosis.io.paths import PathLike

SAFETENSORS, HDF5 = (".safetensors",), (".h5", ".hdf5")
LARGEST = 1 << 26  # numbers of an array: a text of 65,536 pieces by 1,024
REMEDY = "write one float array [pieces, width] a text"


class GivenTexts:
    """Arrays of vectors by key. Links out of an HDF5 file lead nowhere, and arrays in other files are refused."""

    def __init__(self, path: PathLike) -> None:
        self.path = Path(path).expanduser()
        self._name = display_name(path)
        if not self.path.is_file():
            raise InputError("no such file", str(path), "check the path of vectors")
        if self.path.suffix not in (*SAFETENSORS, *HDF5):
            what = "the name's ending does not show the format of contextual vectors"
            raise InputError(what, str(path), "end it in .safetensors, .h5 or .hdf5")
        try:
            if self.path.suffix in SAFETENSORS:
                self._h5py: Any = None
                self._file: Any = safe_open(self.path, "np")
                self._keys = frozenset(self._file.keys())
            else:
                import h5py

                self._h5py = h5py
                self._file = h5py.File(self.path, "r")
        except ImportError as missing:
            raise missing_extra("h5py", "hdf5", "reading contextual vectors from HDF5") from missing
        except (SafetensorError, OSError) as fault:
            what = f"no file in the format of its ending, {self.path.suffix} ({fault})"
            raise InputError(what, self._name, "write it again") from fault

    def shape(self, key: str) -> tuple[int, int]:
        """(pieces, width) of a text. InputError: the text is missing, or its array has another shape."""
        array = self._array(key)
        shape = array.shape or () if self._h5py else tuple(array.get_shape())
        if len(shape) != 2 or not shape[1] or shape[0] * shape[1] > LARGEST:
            raise InputError(f"{key!r} is an array {list(shape)}", self._name, REMEDY)
        return shape[0], shape[1]

    def vectors(self, key: str) -> Floats32:
        """float32 [pieces, width] of a text. InputError: the array is not float, or has a value that is not finite."""
        self.shape(key)
        stored = self._array(key)
        try:
            array: Any = np.asarray(stored[...] if self._h5py else self._file.get_tensor(key))
        except OSError as fault:
            raise InputError(f"{key!r} cannot be read ({fault})", self._name, "write it again") from fault
        except TypeError as fault:  # numpy has no such type
            raise InputError(f"{key!r} holds {stored.get_dtype()}", self._name, REMEDY) from fault
        if array.dtype.kind != "f":
            raise InputError(f"{key!r} holds {array.dtype}", self._name, REMEDY)
        with np.errstate(over="ignore"):
            array = array.astype(np.float32)
        if not np.isfinite(array).all():
            raise InputError(f"{key!r} holds what is no finite number", self._name, REMEDY)
        return array

    def _array(self, key: str) -> Any:
        """The unread array of a text."""
        place: Any = self._file
        if self._h5py:
            for name in key.split("/"):
                in_file = isinstance(place, self._h5py.Group) and place.get(name, getlink=True)
                place = place[name] if isinstance(in_file, self._h5py.HardLink) else None
            place = place if isinstance(place, self._h5py.Dataset) else None
            if place is not None and (place.is_virtual or place.external):
                raise InputError(
                    f"{key!r} lies in another file", self._name, "write its numbers into this one"
                )
        else:
            place = place.get_slice(key) if key in self._keys else None
        if place is None:
            raise InputError(f"no vectors of {key!r}", self._name, "write them into the file")
        return place
