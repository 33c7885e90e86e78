"""What of versions stays; a build or an import without an instance is an error and leaves what was there."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builds import contents

from anagnosis import api
from anagnosis.corpus import carried
from anagnosis.datasets.build.resolving import overruled
from anagnosis.datasets.folder import receipt as receipts
from anagnosis.documents.repairs import KEPT_REFUSALS, Reason, Repairs, most_frequent
from anagnosis.errors import InputError

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
    assert re.search(
        r"the most frequent reason of refusal \([\d,]{3,} times, first at spaced\.pubtator:1\): "
        r"a line without tabs among the rows, whose columns tabs separate; correct the input",
        said,
    )


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


def test_places_are_listed_once_and_reasons_are_counted(tmp_path: Path) -> None:
    both = tmp_path / "both.pubtator"
    both.write_bytes(carried().read_bytes() + spaced(tmp_path / "spaced.pubtator").read_bytes())
    built = api.build("biomrc", [both], tmp_path / "out", workers=1)
    found = [(refusal.where, refusal.why) for refusal in built.receipt.refusals]
    assert len(found) == len(set(found)) > 30
    assert built.receipt.repairs["row_unreadable"] > len(found)


@pytest.mark.parametrize("layout", ["pubmedqa", "bioasq"])
def test_an_import_of_nothing_is_an_error_and_leaves_no_dataset(tmp_path: Path, layout: str) -> None:
    empty = {"pubmedqa": {}, "bioasq": {"questions": []}}[layout]
    (tmp_path / "a.json").write_text(json.dumps(empty))
    with pytest.raises(InputError, match=r"(there is no instance to write|no questions?)"):
        api.import_dataset(tmp_path / "a.json", tmp_path / "out", layout=layout, split="train")
    assert not (tmp_path / "out" / receipts.FILE).exists()


def test_reasons_that_differ_in_numbers_are_one_and_the_first_place_stays() -> None:
    repairs = Repairs()
    for number in range(3 * KEPT_REFUSALS):
        repairs.refuse(f"a:{number}", f"PMID {number}: not closed")
        repairs.note("a:1", "no tabs")
    repairs.note("a:2", "no tabs")
    assert list(repairs.reasons.values()) == [
        Reason(300, "a:0", "PMID 0: not closed"),
        Reason(301, "a:1", "no tabs"),
    ]
    assert most_frequent(repairs.reasons.values()) == (
        "the most frequent reason of refusal (301 times, first at a:1): no tabs"
    )
    assert len(set(repairs.refusals)) == len(repairs.refusals) == KEPT_REFUSALS
