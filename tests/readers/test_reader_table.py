from __future__ import annotations

import inspect
import subprocess
import sys

import pytest
from tests.rows import each_row

from anagnosis.errors import InputError
from anagnosis.readers import ALIASES, READERS, canonical, find, of_dataset, paper_names
from anagnosis.readers.learning import Settings


@each_row("name", READERS)
def test_every_reader_of_the_table_loads_and_says_what_it_does(name: str) -> None:
    entry = find(name)
    assert inspect.getdoc(entry)
    if hasattr(entry, "prepare"):
        assert issubclass(entry.Config, Settings)
        assert inspect.getdoc(entry.Config)
        assert callable(entry.restore)
    else:
        assert callable(entry)


def test_an_alias_stands_for_a_reader_of_the_table() -> None:
    assert set(ALIASES.values()) <= set(READERS)
    assert len({alias.casefold() for alias in ALIASES}) == len(ALIASES)
    assert not {alias.casefold() for alias in ALIASES} & set(READERS)


@each_row(
    ("name", "reader"),
    [
        ("BASE1", "first-entity"),
        ("base1", "first-entity"),
        ("BASE2", "last-entity"),
        ("Base3", "most-frequent-entity"),
        ("base3+", "most-frequent-unless-alone"),
        ("BASE4", "neighbour-overlap"),
        ("BioMRC:base4", "neighbour-overlap"),
        ("bioread:BASE1", "most-frequent-entity"),
        ("BioRead:BASE2", "first-entity"),
        ("bioread:base3", "last-entity"),
        ("BIOREAD:BASE4", "ngram-occurrences"),
        ("Neighbour-Overlap", "neighbour-overlap"),
        ("neighbour-overlap", "neighbour-overlap"),
        ("Somebody-Elses", "Somebody-Elses"),
    ],
)
def test_a_reader_is_known_by_its_paper_names_whatever_their_case(name: str, reader: str) -> None:
    assert canonical(name) == reader


@each_row(
    ("name", "dataset", "reader"),
    [
        ("BASE1", "bioread", "most-frequent-entity"),
        ("base4", "bioread", "ngram-occurrences"),
        ("biomrc:BASE1", "bioread", "first-entity"),
        ("BASE1", "biomrc", "first-entity"),
        ("BASE1", "", "first-entity"),
        ("BASE3+", "bioread", "most-frequent-unless-alone"),
        ("last-entity", "bioread", "last-entity"),
        ("Somebody-Elses", "bioread", "Somebody-Elses"),
    ],
)
def test_a_bare_alias_is_that_of_the_datasets_paper(name: str, dataset: str, reader: str) -> None:
    assert of_dataset(name, dataset) == reader


def test_an_unknown_reader_is_told_with_the_nearest_known() -> None:
    with pytest.raises(
        InputError,
        match=r"unknown reader 'neighbor-overlap'; did you mean neighbour-overlap\?",
    ):
        find("neighbor-overlap")


def test_listing_the_readers_loads_none_of_them() -> None:
    program = (
        "import sys, anagnosis.readers as r; r.names(); "
        "print([m for m in sys.modules if m.startswith('anagnosis.readers.') or m in ('numpy', 'pyarrow')])"
    )
    assert (
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
        == "[]\n"
    )


def test_each_paper_numbers_its_own_baselines() -> None:
    assert paper_names("bioread")["most-frequent-entity"] == "BASE1"
    assert paper_names("biomrc")["most-frequent-entity"] == "BASE3"
    assert "neighbour-overlap" not in paper_names("bioread")
    assert paper_names("another")["neighbour-overlap"] == "BASE4"
