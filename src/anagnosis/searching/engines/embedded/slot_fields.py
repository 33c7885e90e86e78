"""The fields of an index that number its entries.

Each entry has a slot, a number that no other one has, and one bit in one of the fields BITS:

    slot 0    bits_0 = 1
    slot 51   bits_0 = 2 to the power of 51
    slot 52   bits_1 = 1
    slot 208  bits_0 = 1, in the next bucket

`slots.py` says what for.
"""

from __future__ import annotations

SLOT = "slot"
BITS = ("bits_0", "bits_1", "bits_2", "bits_3")  # a sum takes a microsecond, and an empty field memory
PER_SUM = 52  # bits of a floating-point number, as the library adds it up
BUCKET = PER_SUM * len(BITS)


def slot_values(slot: int) -> tuple[tuple[str, int], ...]:
    """(field, value) of the entry with a slot."""
    field, bit = divmod(slot % BUCKET, PER_SUM)
    return (SLOT, slot), (BITS[field], 1 << bit)
