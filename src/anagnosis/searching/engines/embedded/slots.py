"""Which entries match a query, as an array of numbers.

The library lists matches one by one, which takes a second for two million, or adds up numbers over them. So each entry
has a slot and one bit in one of a few fields (`slot_fields.py`).

The sums of these fields over the matches in a bucket of 208 slots are the bits of these matches: a million come in
some 40 ms. The passages of a document have consecutive slots. A slot is never used again, so an index that is often
written has more free slots than others (paper_numbers.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from anagnosis.searching.engines.embedded.slot_fields import BITS, BUCKET, PER_SUM, SLOT

if TYPE_CHECKING:
    from tantivy import Query, Searcher

    from anagnosis.array_types import Longs
    from anagnosis.searching.engines.embedded.queries import Queries

_BUCKETS = 60_000  # at once; the library refuses more than 65,000
_SUMS: dict[str, Any] = {
    SLOT: {
        "histogram": {"field": SLOT, "interval": BUCKET, "min_doc_count": 1},
        "aggs": {field: {"sum": {"field": field}} for field in BITS},
    }
}


def free_slot(searcher: Searcher, queries: Queries) -> int:
    """The first slot that no entry has, nor any later one."""
    found: Any = searcher.aggregate(queries.every(), {"last": {"max": {"field": SLOT}}})
    last = found["last"]["value"]
    return 0 if last is None else int(last) + 1


def matching_slots(searcher: Searcher, queries: Queries, query: Query, size: int) -> Longs:
    """The slots of a query's passages, rising. size: a slot that is free, as are all later ones."""
    import numpy as np

    together = _BUCKETS * BUCKET
    parts: list[Longs] = []
    for begin in range(0, max(1, size), together):
        part = queries.of_slots(query, begin, begin + together - 1) if size > together else query
        found: Any = searcher.aggregate(part, _SUMS)
        buckets = found[SLOT]["buckets"]
        numbers = np.array([(one["key"] - begin) // BUCKET for one in buckets], np.int64)
        sums = np.array([[one[field]["value"] for field in BITS] for one in buckets], np.float64)
        words = sums.reshape(len(buckets), len(BITS), 1).astype("<u8").view(np.uint8)
        bits = np.unpackbits(words, axis=2, bitorder="little")[:, :, :PER_SUM]
        there = np.zeros((min(size - begin, together) // BUCKET + 1, BUCKET), np.bool_)
        there[numbers] = bits.reshape(len(buckets), BUCKET)
        parts.append(np.flatnonzero(there) + begin)
    return parts[0] if len(parts) == 1 else np.concatenate(parts)
