"""Which entries match a query, as an array of numbers.

The library lists matches one by one, which takes a second for two million, or adds up numbers over them. So each entry
has a slot, a number that no other one has, and one bit in one of the fields BITS:

    slot 0    bits_0 = 1
    slot 51   bits_0 = 2 to the power of 51
    slot 52   bits_1 = 1
    slot 208  bits_0 = 1, in the next bucket

The sums of these fields over the matches in a bucket of 208 slots are the bits of these matches: a million come in
some 40 ms. The passages of a document have consecutive slots. A slot is never used again, so an index that is often
written has more free slots than others (paper_numbers.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tantivy import Query, Searcher

    from anagnosis.array_types import Longs
    from anagnosis.searching.engines.embedded.queries import Queries

SLOT = "slot"
BITS = ("bits_0", "bits_1", "bits_2", "bits_3")  # a sum takes a microsecond, and an empty field memory
_PER_SUM = 52  # bits of a floating-point number, as the library adds it up
_BUCKET = _PER_SUM * len(BITS)
_BUCKETS = 60_000  # at once; the library refuses more than 65,000
_SUMS: dict[str, Any] = {
    SLOT: {
        "histogram": {"field": SLOT, "interval": _BUCKET, "min_doc_count": 1},
        "aggs": {field: {"sum": {"field": field}} for field in BITS},
    }
}


def slot_values(slot: int) -> tuple[tuple[str, int], ...]:
    """(field, value) of the entry with a slot."""
    field, bit = divmod(slot % _BUCKET, _PER_SUM)
    return (SLOT, slot), (BITS[field], 1 << bit)


def free_slot(searcher: Searcher, queries: Queries) -> int:
    """The first slot that no entry has, nor any later one."""
    found: Any = searcher.aggregate(queries.every(), {"last": {"max": {"field": SLOT}}})
    last = found["last"]["value"]
    return 0 if last is None else int(last) + 1


def matching_slots(searcher: Searcher, queries: Queries, query: Query, size: int) -> Longs:
    """The slots of a query's passages, rising. size: a slot that is free, as are all later ones."""
    import numpy as np

    together = _BUCKETS * _BUCKET
    parts: list[Longs] = []
    for begin in range(0, max(1, size), together):
        part = queries.of_slots(query, begin, begin + together - 1) if size > together else query
        found: Any = searcher.aggregate(part, _SUMS)
        buckets = found[SLOT]["buckets"]
        numbers = np.array([(one["key"] - begin) // _BUCKET for one in buckets], np.int64)
        sums = np.array([[one[field]["value"] for field in BITS] for one in buckets], np.float64)
        words = sums.reshape(len(buckets), len(BITS), 1).astype("<u8").view(np.uint8)
        bits = np.unpackbits(words, axis=2, bitorder="little")[:, :, :_PER_SUM]
        there = np.zeros((min(size - begin, together) // _BUCKET + 1, _BUCKET), np.bool_)
        there[numbers] = bits.reshape(len(buckets), _BUCKET)
        parts.append(np.flatnonzero(there) + begin)
    return parts[0] if len(parts) == 1 else np.concatenate(parts)
