"""Cloze instances read back from Arrow columns.

Nested columns are read as flat lists, a batch at a time, so that no row becomes dictionaries on its way. Neighbours
of one document have the same passage and often hundreds of mentions; what is equal in two rows running is made once.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, repeat
from typing import Any, cast

import numpy as np
import pyarrow as pa

from anagnosis.datasets.arrays import to_numbers
from anagnosis.datasets.kinds.cloze_instance import ANSWER_COLUMNS, Candidate, ClozeInstance, PassageMention


def instances(batch: pa.RecordBatch | pa.Table) -> Iterator[ClozeInstance]:
    """The instances of a batch of CLOZE_SCHEMA, with or without ANSWER_COLUMNS."""
    if isinstance(batch, pa.Table):
        for each in batch.to_batches():
            yield from instances(each)
        return
    if not batch.num_rows:
        return
    plain = (batch.column(name).to_pylist() for name in ("id", "document", "date", "passage", "question"))
    texts = (_texts(batch.column(name)) for name in ("answers", "labels"))
    known = (
        _texts(batch.column(name)) if name in batch.schema.names else repeat(()) for name in ANSWER_COLUMNS
    )
    rows = zip(
        *plain,
        _mentions(batch.column("mentions")),
        _mentions(batch.column("question_mentions")),
        _candidates(batch.column("candidates")),
        batch.column("answer").to_pylist(),
        *texts,
        *known,
    )
    for row in rows:
        yield ClozeInstance(*row)


def _mentions(column: pa.Array) -> Iterator[tuple[PassageMention, ...]]:
    """list<struct<spans: list<struct<start, end>>, candidate>>"""
    spans, candidates = _fields(column)
    starts, ends = map(_numbers, _fields(spans))
    begins, numbers = _numbers(spans.offsets), _numbers(candidates)
    counts = np.diff(begins).tolist()  # spans of each mention
    last: tuple[list[int], ...] = ()
    made: tuple[PassageMention, ...] = ()
    for first, end in _ranges(column):
        low, high = begins[first], begins[end]
        row = (starts[low:high], ends[low:high], numbers[first:end], counts[first:end])
        if row != last:
            last = row
            made = tuple(
                [
                    PassageMention(
                        ((starts[a], ends[a]),) if b - a == 1 else tuple(zip(starts[a:b], ends[a:b])), number
                    )
                    for a, b, number in zip(begins[first:end], begins[first + 1 : end + 1], row[2])
                ]
            )
        yield made


def _candidates(column: pa.Array) -> Iterator[tuple[Candidate, ...]]:
    """list<struct<key, type, number, names: list<string>>>"""
    keys, types, numbers, names = _fields(column)
    flat: tuple[list[Any], ...] = (keys.to_pylist(), types.to_pylist(), _numbers(numbers))
    begins, surfaces = _numbers(names.offsets), names.values.to_pylist()
    counts = np.diff(begins).tolist()  # names of each candidate
    last: list[list[Any]] = []
    made: tuple[Candidate, ...] = ()
    for first, end in _ranges(column):
        row = [each[first:end] for each in (*flat, counts)]
        row.append(surfaces[begins[first] : begins[end]])
        if row != last:
            last = row
            called = [tuple(surfaces[a:b]) for a, b in zip(begins[first:end], begins[first + 1 : end + 1])]
            made = tuple(map(Candidate, *row[:3], called))
        yield made


def _texts(column: pa.Array) -> Iterator[tuple[str, ...]]:
    """list<string>"""
    values = cast(pa.ListArray, column).values.to_pylist()
    return (tuple(values[first:end]) for first, end in _ranges(column))


def _fields(column: pa.Array) -> list[Any]:
    """The columns of a list of structs."""
    return cast(pa.StructArray, cast(pa.ListArray, column).values).flatten()


def _ranges(column: pa.Array) -> Iterator[tuple[int, int]]:
    """The place of each list's first value and the end of its last one."""
    offsets = _numbers(cast(pa.ListArray, column).offsets)
    return pairwise(offsets)


def _numbers(array: pa.Array) -> list[int]:
    return to_numbers(array).tolist()
