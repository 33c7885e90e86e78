"""Published results: the recipes' `[expected]` and the papers' tables say the same, number by number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from tests.recipes import people_cells
from tests.recipes.published_cells import BIOREAD_TABLE_1, Cell, cells
from tests.rows import each_row

from anagnosis.datasets.clicr.layout import tables
from anagnosis.recipes import load as recipes

CELLS = list(cells())
OF_READERS = [name for name in recipes.names() if "reader" in recipes.load(name)]
LEARNING = [name for name in OF_READERS if "view" in recipes.load(name)]
OURS = "ours"
NOTE = "note"  # a remark on a row
PEOPLE = "people"
OF_PEOPLE = sorted({row.recipe for row in people_cells.ROWS})


def place(cell: Cell, recipe: Mapping[str, Any]) -> tuple[str, ...]:
    """Where in `[expected]` a cell stands: under its view in a recipe that serves several."""
    at = tuple(cell.view.split("."))
    return (*at, cell.column) if at[0] in recipe["expected"] else (cell.column,)


def printed(table: Mapping[str, Any], at: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], float]]:
    """Every published number of an `[expected]` table with its place."""
    for key, value in table.items():
        if isinstance(value, Mapping):
            if key != OURS:
                yield from printed(value, (*at, key))
        elif key != NOTE:
            yield (*at, key), value


@each_row("cell", CELLS, ids=lambda cell: f"{cell.table}-{cell.row}-{cell.view}-{cell.column}")
def test_every_cell_of_the_papers_has_its_recipes(cell: Cell) -> None:
    for name in cell.recipes:
        recipe = recipes.load(name)
        assert dict(printed(recipe["expected"]))[place(cell, recipe)] == cell.value, name
        at = cell.view.partition(".")[0]
        assert at in recipe["expected"] or recipe.get("view", cell.view) == cell.view, name


@each_row("name", OF_READERS)
def test_every_expected_number_of_a_reader_is_a_cell_of_a_paper(name: str) -> None:
    recipe = recipes.load(name)
    of_papers = {place(cell, recipe): cell.value for cell in CELLS if name in cell.recipes}
    assert dict(printed(recipe.get("expected", {}))) == of_papers


@pytest.mark.parametrize("name", BIOREAD_TABLE_1)
def test_every_expected_number_of_a_bioread_dataset_is_a_cell_of_table_1_or_of_people(name: str) -> None:
    recipe = recipes.load(name)
    of_paper = {place(cell, recipe): cell.value for cell in CELLS if name in cell.recipes}
    assert dict(printed(recipe["expected"])) == of_paper
    assert sum(at[0] != PEOPLE for at in of_paper) == 40


@pytest.mark.parametrize("name", OF_PEOPLE)
def test_every_expected_number_of_people_is_a_cell_of_a_paper(name: str) -> None:
    recipe = recipes.load(name)
    of_papers = {place(cell, recipe)[1:]: cell.value for cell in CELLS if cell.view.startswith(f"{PEOPLE}.")}
    here = {at for row in people_cells.ROWS if row.recipe == name for at in [tuple(row.at.split("."))]}
    expected = dict(printed(recipe["expected"][PEOPLE]))
    assert expected == {at: value for at, value in of_papers.items() if at[:-1] in here}


def test_no_other_recipe_has_people() -> None:
    with_people = [name for name in recipes.names() if PEOPLE in recipes.load(name).get("expected", {})]
    assert with_people == OF_PEOPLE


@each_row("row", people_cells.ROWS, ids=lambda row: f"{row.paper}-{row.at}")
def test_a_share_is_one_that_so_many_people_and_questions_can_give_or_is_known_not_to_be(
    row: people_cells.Row,
) -> None:
    for column, value in row.values.items():
        if column in people_cells.SHARES:
            possible = people_cells.IMPOSSIBLE.get((row.at, column), (value, value))
            assert people_cells.nearest_shares(value, row.people, row.questions) == possible


def test_what_is_impossible_for_three_people_is_49_of_60_for_two() -> None:
    assert people_cells.nearest_shares(81.67, 2, 30) == (81.67, 81.67)
    assert people_cells.nearest_shares(0.0, 3, 30) == (0.0, 0.0)
    assert people_cells.nearest_shares(100.0, 3, 30) == (100.0, 100.0)


def test_the_shares_of_bioreads_people_follow_from_one_solution_in_whole_numbers() -> None:
    rows = {row.at: row.values for row in people_cells.ROWS if row.recipe == "bioread"}
    for number, counts in enumerate(people_cells.BIOREAD_COUNTS, 1):
        own = rows[f"non-expert-{number}"]
        fitting = [
            (answered, right)
            for answered in range(1, 31)
            for right in range(answered + 1)
            if round(100 * answered / 30, 2) == own["answered"]
            and round(100 * right / answered, 2) == own["accuracy_left_out"]
        ]
        assert fitting == [counts]
    answered, right = zip(*people_cells.BIOREAD_COUNTS, strict=True)
    assert round(100 * sum(right) / 90, 2) == rows["non-experts"]["accuracy"]
    assert round(100 * sum(answered) / 90, 2) == rows["non-experts"]["answered"]
    of_answered = [100 * r / a for a, r in people_cells.BIOREAD_COUNTS]
    assert round(sum(of_answered) / 3, 2) == rows["non-experts"]["accuracy_left_out"]
    assert round(68.01 - 21.11, 2) == 46.90  # what BIOMRC prints


def test_every_expected_number_of_clicr_is_a_cell_of_its_tables_and_of_its_published_sizes() -> None:
    expected = dict(printed(recipes.load("clicr")["expected"]))
    assert expected == {place(c, recipes.load("clicr")): c.value for c in CELLS if "clicr" in c.recipes}
    sizes = tables()["clicr"]
    same = {"reports": "reports", "passage_tokens": "tokens", "distinct_answers_extended": "distinct_names"}
    same |= {name: name for name in ("word_types", "entity_types", "distinct_answers")}
    assert {name: expected[(name,)] for name in same} == {
        n: sizes.case_reports[size] for n, size in same.items()
    }
    types = dict(zip(("problem", "treatment", "test"), ("problem", "treatment", "test_answers"), strict=True))
    assert {each: expected[(types[each],)] / 100 for each in types} == sizes.answer_types
    assert expected[("answers_in_passage",)] / 100 == sizes.case_reports["in_passage"]
    parts = ("train", "dev", "test")
    assert [expected[(part, "instances")] for part in parts] == [
        sizes.columns[part].instances for part in parts
    ]


@each_row("name", LEARNING)
def test_ours_is_measured_or_says_why_it_is_not(name: str) -> None:
    """A recipe without published figures has nothing that ours could stand beside."""
    expected = recipes.load(name).get("expected")
    if expected is not None:
        ours = dict(expected[OURS])
        reason = ours.pop("missing", None)
        assert isinstance(reason, str) != bool(ours)
        assert all(isinstance(value, float | int) for value in ours.values())


@each_row("name", [name for name in LEARNING if "embedding" in recipes.load(name) and "biomrc" in name])
def test_the_sizes_of_a_recurrent_reader_give_the_published_number_of_parameters(name: str) -> None:
    """Two GRUs in two directions, their four start states, and the embeddings as printed (in hundredths of M)."""
    recipe = recipes.load(name)
    width, hidden, printed_sizes = recipe["embedding"], recipe["hidden"], recipe["expected"]
    besides = 12 * width * hidden + 12 * hidden**2 + 28 * hidden
    assert printed_sizes["word_parameters"] + besides == pytest.approx(
        printed_sizes["parameters"], abs=10_000
    )


@pytest.mark.parametrize("name", [name for name in LEARNING if "masked-encoder" in name and "biomrc" in name])
def test_the_head_of_a_masked_encoder_gives_the_published_number_of_parameters(name: str) -> None:
    """1536 → hidden → 1 with SciBERT's 768 numbers a vector, printed in thousands."""
    recipe = recipes.load(name)
    count = 1536 * recipe["hidden"] + 2 * recipe["hidden"] + 1
    for view in ("global", "local"):
        assert round(count, -3) == recipe["expected"][view]["parameters"]
