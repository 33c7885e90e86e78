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

from anagnosis.array_types import Floats32
from anagnosis.errors import InputError, missing_extra
from anagnosis.io.files import display_name
from anagnosis.io.paths import PathLike

SAFETENSORS, HDF5 = (".safetensors",), (".h5", ".hdf5")
LARGEST = 1 << 26  # numbers of an array: a text of 65,536 pieces by 1,024
REMEDY = "write one float array [pieces, width] a text"


class GivenTexts:
    """Arrays of vectors by key."""

    def __init__(self, path: PathLike) -> None:
        self.path = Path(path).expanduser()
        self._name = display_name(path)
        if not self.path.is_file():
            raise InputError("no such file", str(path), "check the path of vectors")
        if self.path.suffix in SAFETENSORS:
            self._file: Any = _safetensors(self.path)
        elif self.path.suffix in HDF5:
            self._file = _HDF5(self.path)
        else:
            raise InputError(
                "the name's ending does not show the format of contextual vectors",
                str(path),
                "end it in .safetensors, .h5 or .hdf5",
            )

    def shape(self, key: str) -> tuple[int, int]:
        """(pieces, width) of a text. InputError: the text is missing, or its array has another shape."""
        shape = self._file.shape(key)
        if shape is None:
            raise InputError(f"no vectors of {key!r}", self._name, "write them into the file")
        if len(shape) != 2 or not shape[1] or shape[0] * shape[1] > LARGEST:
            raise InputError(f"{key!r} is an array {list(shape)}", self._name, REMEDY)
        return shape[0], shape[1]

    def vectors(self, key: str) -> Floats32:
        """float32 [pieces, width] of a text. InputError: the array is not float, or has a value that is not finite."""
        self.shape(key)
        array: Any = np.asarray(self._file.array(key))
        if array.dtype.kind != "f":
            raise InputError(f"{key!r} holds {array.dtype}", self._name, REMEDY)
        with np.errstate(over="ignore"):
            array = array.astype(np.float32)
        if not np.isfinite(array).all():
            raise InputError(f"{key!r} holds what is no finite number", self._name, REMEDY)
        return array


class _Safetensors:
    def __init__(self, opened: Any, name: str) -> None:
        self._opened, self._name = opened, name
        self._keys = frozenset(opened.keys())

    def shape(self, key: str) -> tuple[int, ...] | None:
        return tuple(self._opened.get_slice(key).get_shape()) if key in self._keys else None

    def array(self, key: str) -> Any:
        try:
            return self._opened.get_tensor(key)
        except TypeError as fault:  # numpy has no such type
            dtype = self._opened.get_slice(key).get_dtype()
            raise InputError(f"{key!r} holds {dtype}", self._name, REMEDY) from fault


def _safetensors(path: Path) -> _Safetensors:
    try:
        from safetensors import SafetensorError, safe_open
    except ImportError as missing:
        raise missing_extra("safetensors", "train", "reading contextual vectors") from missing
    try:
        return _Safetensors(safe_open(path, "np"), path.name)
    except (SafetensorError, OSError) as fault:
        raise InputError(f"no safetensors file ({fault})", path.name, "write it again") from fault


class _HDF5:
    """An HDF5 file. It ignores links out of the file and refuses arrays in other files."""

    def __init__(self, path: Path) -> None:
        try:
            import h5py
        except ImportError as missing:
            raise missing_extra("h5py", "hdf5", "reading contextual vectors from HDF5") from missing
        self._h5py: Any = h5py
        self._name = path.name
        try:
            self._opened: Any = h5py.File(path, "r")
        except OSError as fault:
            raise InputError(f"no HDF5 file ({fault})", path.name, "write it again") from fault

    def shape(self, key: str) -> tuple[int, ...] | None:
        dataset = self._dataset(key)
        return None if dataset is None else dataset.shape or ()

    def array(self, key: str) -> Any:
        try:
            return self._dataset(key)[...]
        except OSError as fault:
            raise InputError(f"{key!r} cannot be read ({fault})", self._name, "write it again") from fault

    def _dataset(self, key: str) -> Any:
        place: Any = self._opened
        for name in key.split("/"):
            if not isinstance(place, self._h5py.Group) or not isinstance(
                place.get(name, getlink=True), self._h5py.HardLink
            ):
                return None
            place = place[name]
        if not isinstance(place, self._h5py.Dataset):
            return None
        if place.is_virtual or place.external:
            raise InputError(f"{key!r} lies in another file", self._name, "write its numbers into this one")
        return place
