"""Names near one that is not there; whatever the name, soon."""

from __future__ import annotations

import time

import pytest

pytest.importorskip("tantivy", reason="the extra search is not installed")

from anagnosis.searching.engines.embedded.printed import nearest

NAMES = ("the lancet", "the lancet infectious diseases", "journal of nursing", "nature", "nature genetics")


def test_shared_words_and_alike_letters_make_names_near() -> None:
    assert nearest("lancet", NAMES, 2) == ["the lancet", "the lancet infectious diseases"]
    assert nearest("natrue", NAMES, 1) == ["nature"]
    assert nearest("nurse journal", NAMES, 3) == ["journal of nursing"]
    assert nearest("quarks", NAMES, 3) == []
    assert nearest("lancet", NAMES, 0) == []


def test_many_long_names_take_no_long_time() -> None:
    begun = time.perf_counter()
    nearest(
        "journal of " * 30, (f"journal of {number} things {number * 7919}" for number in range(20_000)), 3
    )
    assert time.perf_counter() - begun < 3
