"""Compact vectors: int8 numbers with one scale a vector, and one sign bit a number for a fast first scan.

A unit vector x is stored as round(x / s) with s = max|x| / 127: 8 bits a number. The scan compares its signs, bits of
x > 0, with the question's vector q in PLANES bits a number: with q ≈ step · (u - middle) and integer u,

    <q, sign x> ≈ step · (2 · sum of u where x > 0 - sum of u - middle · (2 · ones of x - width))

so that the scan only counts bits of `signs & plane` for each of a million vectors. Source: Gao and Long 2024,
"RaBitQ", 3.3 (the question in few bits, by planes), without its rotation (design/search.md).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anagnosis.array_types import Floats32, Int8s, UInt64s

PLANES = 4
_WORD = 64


class Small(NamedTuple):
    """Compact vectors. numbers: int8 [vectors, width]. scales: float32 [vectors]. signs: uint64 [vectors, words]."""

    numbers: Int8s
    scales: Floats32
    signs: UInt64s


def words(width: int) -> int:
    """The number of 64-bit words for the signs of a vector."""
    return -(-width // _WORD)


def small(vectors: Floats32) -> Small:
    """Compress vectors: float32 [vectors, width]."""
    scales = (np.abs(vectors).max(axis=1, initial=0) / 127).astype(np.float32)
    numbers = np.rint(vectors / np.where(scales, scales, 1)[:, None]).astype(np.int8)
    return Small(numbers, scales, signs(numbers))


def signs(numbers: Int8s) -> UInt64s:
    """Bits of numbers > 0: uint64 [vectors, words]. numbers: [vectors, width]."""
    count, width = numbers.shape
    bits = np.zeros((count, words(width) * _WORD), np.bool_)
    bits[:, :width] = numbers > 0
    return np.packbits(bits, axis=1, bitorder="little").view("<u8")


def planes(question: Floats32) -> tuple[UInt64s, float]:
    """A question's vector, float32 [width], in PLANES-bit integers: uint64 [PLANES, words], the highest bits first.

    And the integer that encodes 0.
    """
    highest = 2**PLANES - 1
    largest = float(np.abs(question).max(initial=0)) or 1.0
    whole = np.rint((question / largest + 1) * highest / 2).astype(np.uint8)
    shifts = range(PLANES - 1, -1, -1)
    bits = [signs(((whole >> shift) & 1).astype(np.int8)[None])[0] for shift in shifts]
    return np.stack(bits), highest / 2
