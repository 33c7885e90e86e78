"""docs/reliability.md names tests that there are, with as many cases as they have."""

from __future__ import annotations

import importlib
import math
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "reliability.md").read_text("utf-8")
ROW = re.compile(r"^\| .+ \| `(tests/[\w/]+\.py)::(\w+)` \| ([\d, ]+) \|$", re.MULTILINE)
ROWS = ROW.findall(PAGE)
# Parameters that say how often a test does the same thing.
REPEATED = ("kills", "faults", "times")
PARTS = ("Kills", "A full disk", "Damage", "Hostile input", "Load")


def cases(test: Any) -> str:
    """How many cases a test has; of one that repeats, how often, the slow ones after the others."""
    numbers: list[int] = []
    for mark in getattr(test, "pytestmark", []):
        if mark.name == "parametrize":
            values = list(mark.args[1])
            if mark.args[0] in REPEATED:
                return ", ".join(str(getattr(value, "values", (value,))[0]) for value in values)
            numbers.append(len(values))
    return str(math.prod(numbers))


@pytest.mark.parametrize(("file", "name", "count"), ROWS, ids=lambda part: part)
def test_a_row_names_a_test_with_as_many_cases_as_it_has(file: str, name: str, count: str) -> None:
    assert (ROOT / file).exists()
    module = importlib.import_module(file.removesuffix(".py").replace("/", "."))
    assert cases(getattr(module, name)) == count


def test_every_line_of_a_table_is_a_row_and_every_promise_has_some() -> None:
    lines = [line for line in PAGE.splitlines() if line.startswith("|")]
    heads = sum(line.startswith("| ---") for line in lines)
    assert len(ROWS) == len(lines) - 2 * heads
    for part in PARTS:
        assert ROW.search(PAGE.partition(f"\n## {part}\n")[2].partition("\n## ")[0]), part


def test_numbers_in_words_are_those_of_the_tables() -> None:
    from tests.api.test_arguments import HOSTILE, cases
    from tests.damage import FAULTS
    from tests.training.test_resuming import KINDS, STOPS

    assert f"{len(list(cases()))} parameters, {len(HOSTILE)} values each" in PAGE
    assert (len(KINDS), len(STOPS)) == (6, 4)
    assert set(re.findall(r"(\d+) faults", PAGE)) == {str(FAULTS)}
