"""What of versions stays; a build or an import without an instance is an error and leaves what was there."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.articles import abstract, article, text
from tests.builds import contents

from anagnosis import api
from anagnosis.corpus import carried
from anagnosis.datasets.build.resolving import overruled
from anagnosis.documents.repairs import Repairs
from anagnosis.errors import InputError
from anagnosis.io.counts import MOST

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


def spaced(path: Path) -> Path:
    """The carried documents with blanks where tabs belong."""
    path.write_bytes(carried().read_bytes().replace(b"\t", b"    "))
    return path


def test_blanks_instead_of_tabs_are_the_reason_and_no_rule_alone(tmp_path: Path) -> None:
    with pytest.raises(InputError) as told:
        api.build("biomrc", [spaced(tmp_path / "spaced.pubtator")], tmp_path / "out", workers=1)
    said = str(told.value)
    assert re.match(r"no instance could be built: of \d+ documents too_few_mentions dropped \d+", said)
    assert "; first at spaced.pubtator:1: a row that is no mention: id, start" in said
    assert "; correct the input, " in said


def test_a_build_of_nothing_leaves_no_folder_and_the_dataset_that_was_there(tmp_path: Path) -> None:
    source = spaced(tmp_path / "spaced.pubtator")
    with pytest.raises(InputError):
        api.build("biomrc", [source], tmp_path / "out", workers=1)
    assert not (tmp_path / "out").exists()
    api.build("biomrc", [carried()], tmp_path / "out", workers=1)
    before = contents(tmp_path / "out")
    with pytest.raises(InputError, match="no instance could be built"):
        api.build("biomrc", [source], tmp_path / "out", workers=1, replace=True)
    assert contents(tmp_path / "out") == before


def test_the_first_hundred_places_stay_each_once() -> None:
    repairs = Repairs()
    for number in range(3 * MOST):
        repairs.note("a:1", "no tabs")
        repairs.refuse(f"a:{number}", "not closed")
    assert (len(set(repairs.refusals)), len(repairs.refusals), repairs.refused) == (MOST, MOST, 3 * MOST)
    assert repairs.left_out == [("a:1", "no tabs")]


@pytest.mark.parametrize("block_bytes", [1, 8 << 20])
def test_a_paper_that_is_dropped_spells_no_type(block_bytes: int, tmp_path: Path) -> None:
    first = article(ident="1")
    again = article(body=abstract(["[[drug 8|chemical|MESH:D8]]", 2, 2, 1, 1]), ident="1")
    last = article(body=abstract([8, 2, 2, 1, 1]), ident="2")
    (tmp_path / "a.pubtator").write_bytes(text(first, again, last))
    api.build("biomrc", [tmp_path / "a.pubtator"], tmp_path / "out", workers=1, block_bytes=block_bytes)
    found = pq.read_table(tmp_path / "out/entities.parquet").to_pylist()
    assert {row["key"]: row["type"] for row in found}["chemical/MESH:D8"] == "Chemical"
