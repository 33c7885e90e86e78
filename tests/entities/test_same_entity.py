"""Which names are the same."""

from __future__ import annotations

import pytest

from anagnosis.entities.same_entity import alike, plain
from tests.rows import each_row


@each_row(
    ("one", "other"),
    [
        ("IL-2", "il 2"),
        ("TNF-α", "TNF alpha"),
        ("the kinases", "Kinase"),
        ("deficiency of vitamin", "vitamin deficiency"),
        ("therapies", "therapy"),
        ("processes", "process"),
        ("Aicardi-Goutières", "Aicardi Goutieres"),
        ("Wilson's disease", "Wilson disease"),
    ],
)
def test_two_ways_of_writing_one_name(one: str, other: str) -> None:
    assert plain(one) == plain(other)


@pytest.mark.parametrize(("one", "other"), [("IL-2", "IL-12"), ("2 IL", "IL 2"), ("virus", "viru")])
def test_two_names_stay_two(one: str, other: str) -> None:
    assert plain(one) != plain(other)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [("haemophilia", "hemophilia", True), ("interleukin12", "interleukin13", False), ("abc", "abd", False)],
)
def test_spelling(one: str, other: str, same: bool) -> None:
    assert alike(one, other) is same
