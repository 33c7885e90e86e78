from __future__ import annotations

import inspect

import pytest
from tests.readers.marked_instances import replaced
from tests.rows import each_row

from anagnosis.errors import InputError
from anagnosis.readers import ALIASES, READERS, canonical, find, of_dataset, paper_names
from anagnosis.readers.learning import Settings
from anagnosis.readers.predict import make_reader
from anagnosis.recipes import load as recipes


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
        ("BASE2", "last-entity"),
        ("base3+", "most-frequent-unless-alone"),
        ("BioMRC:base4", "neighbour-overlap"),
        ("BioRead:BASE2", "first-entity"),
        ("Neighbour-Overlap", "neighbour-overlap"),
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


def test_each_paper_numbers_its_own_baselines() -> None:
    assert paper_names("bioread")["most-frequent-entity"] == "BASE1"
    assert paper_names("biomrc")["most-frequent-entity"] == "BASE3"
    assert "neighbour-overlap" not in paper_names("bioread")
    assert paper_names("another")["neighbour-overlap"] == "BASE4"


# paper's name → recipe, options
PUBLISHED = {
    "biomrc:BASE1": ("biomrc-first-entity", {}),
    "biomrc:BASE2": ("biomrc-last-entity", {}),
    "biomrc:BASE3": ("biomrc-most-frequent-entity", {}),
    "biomrc:BASE3+": ("biomrc-most-frequent-unless-alone", {}),
    "biomrc:BASE4": ("biomrc-neighbour-overlap", {"n": 3}),
    "bioread:BASE1": ("bioread-most-frequent-entity", {}),
    "bioread:BASE2": ("bioread-first-entity", {}),
    "bioread:BASE3": ("bioread-last-entity", {}),
    "bioread:BASE4": ("bioread-ngram-occurrences", {"n": 2}),
}


@each_row("paper_name", PUBLISHED)
def test_a_recipe_holds_the_papers_reader_with_its_options(paper_name: str) -> None:
    name, options = PUBLISHED[paper_name]
    recipe = recipes.load(name)
    assert recipe == {"reader": ALIASES[paper_name], **options}
    reader = make_reader(recipe["reader"], recipe, training=lambda: ())
    assert len(reader(replaced("@entity1 @entity2", "XXXX of a kind"))) == 2


def test_every_alias_with_its_paper_has_a_recipe() -> None:
    assert set(PUBLISHED) == {alias for alias in ALIASES if ":" in alias and not alias.startswith("clicr:")}
    for alias in (alias for alias in ALIASES if alias.startswith("clicr:")):
        assert recipes.load(alias.replace(":", "-"))["reader"] == ALIASES[alias]
    assert {recipes.load(name)["reader"] for name, *_ in PUBLISHED.values()} <= set(READERS)
