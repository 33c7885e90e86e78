"""Versions and deletions: which of the documents with one id stays."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from anagnosis.datasets.build.resolving import overruled

EVENTS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), max_size=30)


def one_by_one(events: list[tuple[int, int]]) -> tuple[set[int], set[int]]:
    """(deleted, superseded) places, by walking through what was read."""
    deleted: set[int] = set()
    here: dict[int, list[int]] = {}
    for place, (ident, version) in enumerate(events):
        if version:
            here.setdefault(ident, []).append(place)
        else:
            deleted |= set(here.pop(ident, ()))
    superseded = {
        place
        for places in here.values()
        for place in places
        if place != max(places, key=lambda each: (events[each][1], each))
    }
    return deleted, superseded


@given(EVENTS)
def test_the_newest_version_after_the_last_deletion_stays(events: list[tuple[int, int]]) -> None:
    ids = np.array([ident for ident, _ in events], np.uint64)
    versions = np.array([version for _, version in events], np.int64)
    deleted, superseded = overruled(ids, versions)
    assert (set(np.flatnonzero(deleted).tolist()), set(np.flatnonzero(superseded).tolist())) == one_by_one(
        events
    )
