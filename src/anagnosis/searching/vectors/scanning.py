"""Scan for the vectors nearest to a question: with many rows first by sign bits, then by exact products.

Exact products are those of the float32 question with the stored int8 numbers and their scale.
"""

from __future__ import annotations

import numpy as np

from anagnosis.array_types import Bools, Floats, Floats32, Longs
from anagnosis.searching.vectors import compact
from anagnosis.searching.vectors.reading import Vectors

# Up to so many rows we compute all exact products: that takes as long as the signs of ten times as many.
WHOLE = 50_000
# Rows that the signs select for exact products: at least so many, and so many for each wanted row.
LEAST, FOR_EACH = 2_000, 10
_BLOCK = 65_536  # rows whose signs we count at once; their data fit into a processor's cache
_WHOLE_BLOCK = 2_048
_FAR = 1 << 22  # further than all sums of 32 bits
# Decimals of scores. Scores that differ by less are ties, which the id breaks later.
DIGITS = 6


def nearest(
    vectors: Vectors, question: Floats32, limit: int, allowed: Bools | None = None
) -> tuple[Longs, Floats]:
    """The best `limit` rows and all ties with the last one: int64 [n], and their scores, rounded to DIGITS, falling.

    allowed: bool [rows], None for all rows.
    """
    total = vectors.state.rows
    count = total if allowed is None else int(allowed.sum())
    wanted = max(LEAST, FOR_EACH * limit)
    if count > max(WHOLE, wanted):
        rows: Longs | None = _by_signs(vectors, question, wanted, allowed)
    else:
        rows = None if allowed is None else np.flatnonzero(allowed)
    found = scores(vectors, question, rows)
    if limit < len(found):
        least = np.partition(found, len(found) - limit)[len(found) - limit]
        best = np.flatnonzero(found >= least)
    else:
        best = np.arange(len(found))
    best = best[np.argsort(-found[best], kind="stable")]
    return (best if rows is None else rows[best]), found[best]


def scores(vectors: Vectors, question: Floats32, rows: Longs | None = None) -> Floats:
    """float64 [rows]: exact scores. rows: None for all."""
    vectors.verify(rows)
    count = vectors.state.rows if rows is None else len(rows)
    found = np.empty(count, np.float64)
    for begin in range(0, count, _WHOLE_BLOCK):
        some = slice(begin, begin + _WHOLE_BLOCK) if rows is None else rows[begin : begin + _WHOLE_BLOCK]
        products = vectors.numbers[some].astype(np.float32) @ question
        found[begin : begin + _WHOLE_BLOCK] = products * vectors.rows["scale"][some]
    return np.round(found, DIGITS)


def _by_signs(vectors: Vectors, question: Floats32, wanted: int, allowed: Bools | None) -> Longs:
    """The best `wanted` rows by their signs, and all ties with the last one."""
    bits, middle = compact.planes(question)
    columns, ones = vectors.columns
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
