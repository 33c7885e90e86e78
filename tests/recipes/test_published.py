"""Published results: published_results.toml and the papers' tables say the same, number by number.

published_cells.tsv was typed from the papers, not from the recipes, a line a printed number. `view` is where a recipe
of several views has it, with points between; empty where the row is for any.

    BIOMRC    Stavropoulos et al. 2020, Tables 3 to 5, section 3.3. Setting A is the view `global`, B is `local`.
    BioRead   Pappas et al. 2018, Tables 1, 3 and 4, section 3. (a) is the view `local`, (b) is `global`. Of Table 4 the
              row of the whole training set is the last of Table 3. For 25 % the text has 51.51 on test.
    CliCR     Šuster and Daelemans 2018, Tables 2, 3 and 4.
    PubMedQA  Jin et al. 2019, Tables 4 to 8.
    thesis    The thesis behind BIOMRC, Tables 4.1 to 4.3 and 4.5.
    JPDRMM    Pappas and Androutsopoulos 2021, the authors' logs of 34 ablations on BioASQ 6B5.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from anagnosis.datasets.published_sets import published_sets
from anagnosis.recipes import load as recipes
from anagnosis.reports.systems.phases import published_results

RECIPES = {name: recipes.load(name) for name in recipes.names()}
PUBLISHED = published_results()
LEARNING = [name for name, recipe in RECIPES.items() if "reader" in recipe and "view" in recipe]
FREE = ("ours", "note")  # our measurements, a remark on a row


def printed(table: Mapping[str, Any], at: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], float]]:
    """Every published number of a recipe with its place."""
    for key, value in table.items():
        if key not in FREE:
            if isinstance(value, Mapping):
                yield from printed(value, (*at, key))
            else:
                yield (*at, key), value


def cells() -> dict[str, dict[tuple[str, ...], float]]:
    """Recipe → where it has a printed number → the number."""
    found: dict[str, dict[tuple[str, ...], float]] = defaultdict(dict)
    with Path(__file__).with_name("published_cells.tsv").open(encoding="utf-8") as stream:
        for cell in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE):
            for name in cell["recipes"].split(" "):
                at, recipe = tuple(cell["view"].split(".")), RECIPES[name]
                in_view = at[0] in PUBLISHED[name]
                assert in_view or recipe.get("view", at[0]) == at[0], (name, cell)
                found[name][(*at, cell["column"]) if in_view else (cell["column"],)] = float(cell["value"])
    return found


def test_the_numbers_of_the_papers_and_of_the_recipes_are_the_same() -> None:
    """Of other datasets than BioRead's and CliCR's, recipes hold more than tables of results; of these, some."""
    of_papers = cells()
    for name, recipe in RECIPES.items():
        expected, own = PUBLISHED.get(name, {}), of_papers.get(name, {})
        whole = "reader" in recipe or name in ("bioread", "bioread-lite", "clicr")
        some = {key: value for key, value in expected.items() if key in ("people", "answerability")}
        table = expected if whole else some
        assert dict(printed(table)) == own, name


def test_the_published_sizes_of_clicr_are_those_of_its_recipe() -> None:
    expected, sizes = dict(printed(PUBLISHED["clicr"])), published_sets()["clicr"]
    for part in ("train", "dev", "test"):
        assert expected[(part, "instances")] == sizes.columns[part].instances


def test_ours_is_measured_or_says_why_it_is_not() -> None:
    """A recipe without published figures has nothing that ours could stand beside."""
    for name in LEARNING:
        if (expected := PUBLISHED.get(name)) is not None:
            ours = dict(expected["ours"])
            reason = ours.pop("missing", None)
            assert isinstance(reason, str) != bool(ours), name
            assert all(isinstance(value, float | int) for value in ours.values()), name


def test_the_sizes_of_a_reader_of_biomrc_give_the_published_number_of_parameters() -> None:
    """Two GRUs in two directions, their four start states, and the embeddings as printed (in hundredths of M).

    Of a masked encoder 1536 → hidden → 1 with SciBERT's 768 numbers a vector, printed in thousands.
    """
    for name in LEARNING:
        recipe, hidden = RECIPES[name], RECIPES[name].get("hidden", 0)
        if "biomrc" in name and "embedding" in recipe:
            width, sizes = recipe["embedding"], PUBLISHED[name]
            besides = 12 * width * hidden + 12 * hidden**2 + 28 * hidden
            assert sizes["word_parameters"] + besides == pytest.approx(sizes["parameters"], abs=10_000), name
        elif "biomrc" in name and "masked-encoder" in name:
            count = round(1536 * hidden + 2 * hidden + 1, -3)
            for view in ("global", "local"):
                assert count == PUBLISHED[name][view]["parameters"], name
