"""Every test on the real data has a twin on text of our own, or says why it cannot have one."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.twins import ALONE, TWINS

TESTS = Path(__file__).parent


def functions(file: str) -> set[str]:
    tree = ast.parse((TESTS / file).read_text("utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def reads_the_real_data(test: str) -> bool:
    """Whether the function itself asks for the fixture `shared`."""
    file, _, name = test.partition("::")
    tree = ast.parse((TESTS / file).read_text("utf-8"))
    found = next(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == name)
    return "shared" in {argument.arg for argument in found.args.args}


def test_every_collected_test_on_the_real_data_is_in_one_of_the_tables(
    request: pytest.FixtureRequest,
) -> None:
    found = {
        f"{item.path.relative_to(TESTS).as_posix()}::{item.originalname}"
        for item in request.session.items
        if isinstance(item, pytest.Function) and item.get_closest_marker("shared") is not None
    }
    assert found <= TWINS.keys() | ALONE.keys(), (
        "give each a twin in tests/twins.py, or the reason why it has none"
    )
    assert not TWINS.keys() & ALONE.keys()


@pytest.mark.parametrize("test", [*TWINS, *ALONE])
def test_the_tables_name_tests_that_there_are(test: str) -> None:
    file, _, name = test.partition("::")
    assert name in functions(file)


@pytest.mark.parametrize("twin", sorted(set(TWINS.values())))
def test_a_twin_runs_without_the_real_data(twin: str) -> None:
    file, _, name = twin.partition("::")
    assert name in functions(file)
    assert not reads_the_real_data(twin)
