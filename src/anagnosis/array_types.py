"""Types of numpy arrays, by their elements; docstrings add the shape."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
Bools = NDArray[np.bool_]
Codes = NDArray[np.integer[Any]]
