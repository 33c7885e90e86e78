"""design/hostile_input.md names every limit with the constant that holds it: each is there, with that value."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[1] / "design" / "hostile_input.md"
ROW = re.compile(r"^\| (.+?) \| ([\d,]+)( [KM]iB)? .*?\| `([\w/]+)\.py` `(_?[A-Z][A-Z_]+)` \|", re.MULTILINE)
UNITS = {"": 1, " KiB": 1 << 10, " MiB": 1 << 20}
ROWS = ROW.findall(PAGE.read_text())


def test_the_page_has_its_rows() -> None:
    assert len(ROWS) > 30
    assert PAGE.read_text().count(".py` `") == len(ROWS) + 1  # `shortened` is a function


@pytest.mark.parametrize(("what", "number", "unit", "module", "name"), ROWS, ids=[row[0] for row in ROWS])
def test_a_limit_is_what_the_page_says(what: str, number: str, unit: str, module: str, name: str) -> None:
    value = getattr(import_module(f"anagnosis.{module.replace('/', '.')}"), name)
    assert value == int(number.replace(",", "")) * UNITS[unit], what
