"""Scan for the vectors nearest to a question: with many rows first by sign bits, then by exact products.

Exact products are those of the float32 question with the stored int8 numbers and their scale.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from anagnosis.array_types import AnyArray, Bools, Floats, Floats32, Longs, UInt64s
from anagnosis.searching.vectors import compact
from anagnosis.searching.vectors.reading import Vectors

# Up to so many rows we compute all exact products: that takes as long as the signs of ten times as many.
WHOLE = 50_000
# Rows that the signs select for exact products: at least so many, and so many for each wanted row.
LEAST, FOR_EACH = 2_000, 10
_BLOCK = 65_536  # rows whose signs we count at once; their data fit into a processor's cache
_WHOLE_BLOCK = 2_048
# Numbers of a vector for which 16 bits hold twice the highest sum, 2 · 15 a number; and below all sums of longer ones.
_SHORT, _FAR = 1_024, 1 << 22
# Decimals of scores. Scores that differ by less are ties, which the id breaks later.
DIGITS = 6


class Near(NamedTuple):
    """The nearest rows. rows: int64 [n], by falling score. scores: float64 [n], rounded to DIGITS."""

    rows: Longs
    scores: Floats


class Scan:
    """A scan of one commit's vectors."""

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors

    def nearest(self, question: Floats32, limit: int, allowed: Bools | None = None) -> Near:
        """The best `limit` rows, and all ties with the last one. allowed: bool [rows], None for all rows."""
        total = self._vectors.state.rows
        count = total if allowed is None else int(allowed.sum())
        wanted = max(LEAST, FOR_EACH * limit)
        if count > max(WHOLE, wanted):
            rows: Longs | None = self._by_signs(question, wanted, allowed)
        else:
            rows = None if allowed is None else np.flatnonzero(allowed)
        scores = self.scores(question, rows)
        if limit < len(scores):
            least = np.partition(scores, len(scores) - limit)[len(scores) - limit]
            best = np.flatnonzero(scores >= least)
        else:
            best = np.arange(len(scores))
        best = best[np.argsort(-scores[best], kind="stable")]
        return Near(best if rows is None else rows[best], scores[best])

    def scores(self, question: Floats32, rows: Longs | None = None) -> Floats:
        """float64 [rows]: exact scores. rows: None for all."""
        vectors = self._vectors
        vectors.verify(rows)
        count = vectors.state.rows if rows is None else len(rows)
        scores = np.empty(count, np.float64)
        for begin in range(0, count, _WHOLE_BLOCK):
            some = slice(begin, begin + _WHOLE_BLOCK) if rows is None else rows[begin : begin + _WHOLE_BLOCK]
            products = vectors.numbers[some].astype(np.float32) @ question
            scores[begin : begin + _WHOLE_BLOCK] = products * vectors.rows["scale"][some]
        return np.round(scores, DIGITS)

    def _by_signs(self, question: Floats32, wanted: int, allowed: Bools | None) -> Longs:
        """The best `wanted` rows by their signs, and all ties with the last one."""
        bits, middle = compact.planes(question)
        columns, ones = self._columns
        counts = np.empty(columns.shape[1], ones.dtype)
        size = min(_BLOCK, len(counts))
        both, some = np.empty(size, np.uint64), np.empty(size, np.uint8)
        doubled = int(2 * middle)
        for begin in range(0, len(counts), _BLOCK):
            block = counts[begin : begin + _BLOCK]
            both, some = both[: len(block)], some[: len(block)]
            block[:] = 0
            for plane in bits:
                block <<= 1
                for column, word in zip(columns, plane, strict=True):
                    np.bitwise_and(column[begin : begin + _BLOCK], word, out=both)
                    np.bitwise_count(both, out=some)
                    block += some
            # Twice the sum of u - middle where x > 0; the rest of the product is the same for all rows.
            block <<= 1
            block -= doubled * ones[begin : begin + _BLOCK]
        if allowed is not None:
            counts[~allowed] = np.iinfo(ones.dtype).min if ones.itemsize == 2 else -_FAR
        lowest = int(counts.min())
        best = np.cumsum(np.bincount(counts.astype(np.int32) - lowest)[::-1])
        least = lowest + len(best) - 1 - int(np.searchsorted(best, wanted))
        rows = np.flatnonzero(counts >= least)
        return rows if allowed is None else rows[allowed[rows]]

    @cached_property
    def _columns(self) -> tuple[UInt64s, AnyArray]:
        """Signs as uint64 [words, rows], one row for each word of a question, and the number of 1 bits [rows]."""
        columns = np.ascontiguousarray(self._vectors.signs.T)
        ones = np.zeros(columns.shape[1], np.int16 if self._vectors.state.width <= _SHORT else np.int32)
        for column in columns:
            ones += np.bitwise_count(column)
        return columns, ones
