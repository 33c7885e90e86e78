"""Types of numpy arrays, by their elements; docstrings add the shape."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Floats16 = NDArray[np.float16]
Longs = NDArray[np.int64]
Ints = NDArray[np.int32]
Int8s = NDArray[np.int8]
UInt64s = NDArray[np.uint64]
Bools = NDArray[np.bool_]
Codes = NDArray[np.integer[Any]]
AnyArray = NDArray[Any]  # of any elements, such as those of a structured type
