"""Vectors made small: int8 numbers with a scale each, and one bit a number, by which most of them are left out.

A vector x of length one is kept as round(x / s) with s = max|x| / 127: 8 bits a number. Its signs, bits of x > 0, are
compared with a question's q in PLANES bits a number: with q ≈ step · (u - middle) and u whole,

    <q, sign x> ≈ step · (2 · sum of u where x > 0 - sum of u - middle · (2 · ones of x - width))

so that all that is done for each of a million vectors is to count bits of `signs & plane`. Source: Gao and Long 2024,
"RaBitQ", 3.3 (the question in few bits, by planes), without its rotation (design/search_vectors.md).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anagnosis.array_types import Floats32, Int8s, UInt64s

PLANES = 4
_WORD = 64


class Small(NamedTuple):
    """numbers: int8 [vectors, width]. scales: float32 [vectors]. signs: uint64 [vectors, words]."""

    numbers: Int8s
    scales: Floats32
    signs: UInt64s


def words(width: int) -> int:
    """Of 64 bits, that hold the signs of a vector."""
    return -(-width // _WORD)


def small(vectors: Floats32) -> Small:
    """float32 [vectors, width] as they are kept."""
    scales = (np.abs(vectors).max(axis=1, initial=0) / 127).astype(np.float32)
    numbers = np.rint(vectors / np.where(scales, scales, 1)[:, None]).astype(np.int8)
    return Small(numbers, scales, signs(numbers))


def signs(numbers: Int8s) -> UInt64s:
    """Which numbers are above nothing, [vectors, words]."""
    count, width = numbers.shape
    bits = np.zeros((count, words(width) * _WORD), np.bool_)
    bits[:, :width] = numbers > 0
    return np.packbits(bits, axis=1, bitorder="little").view("<u8")


class Planes(NamedTuple):
    """A question in whole numbers. bits: uint64 [PLANES, words], the highest first. middle: what stands for nothing."""

    bits: UInt64s
    middle: float


def planes(question: Floats32) -> Planes:
    """float32 [width]"""
    highest = 2**PLANES - 1
    largest = float(np.abs(question).max(initial=0)) or 1.0
    whole = np.rint((question / largest + 1) * highest / 2).astype(np.uint8)
    shifts = range(PLANES - 1, -1, -1)
    bits = [signs(((whole >> shift) & 1).astype(np.int8)[None])[0] for shift in shifts]
    return Planes(np.stack(bits), highest / 2)
