"""What docs/ generates is current: commands, the table of recipes, and the tables of results."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", DOCS / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_page_is_current(generate: ModuleType) -> None:
    stale = [path.name for path, text in generate.pages() if path.read_text("utf-8") != text]
    assert not stale, "run `make docs`"


def test_every_table_of_a_data_file_is_on_a_page(generate: ModuleType) -> None:
    named = {
        name for page in DOCS.glob("*.md") for _, name, _ in generate.MARKED.findall(page.read_text("utf-8"))
    }
    files = (DOCS / "figures").glob("*.json")
    parts = {f"{file.stem}#{part}" for file in files for part in json.loads(file.read_text("utf-8"))}
    assert named == parts | {"recipes"}


def test_every_figure_of_a_data_file_is_on_its_page(generate: ModuleType) -> None:
    """Joining tables loses no cell but those of `LEFT_OUT` and of pairs that the data files alone have.

    What stands twice in the data may stand once.
    """
    for file in (DOCS / "figures").glob("*.json"):
        for part, tables in json.loads(file.read_text("utf-8")).items():
            shown = tidy(generate.table(f"{file.stem}#{part}"))
            unshown = first_over_others(generate.ranked(tables))
            for table in tables:
                for row in table["rows"]:
                    if table["columns"][0] == "pair" and row[0] in unshown:
                        continue
                    for column, cell in zip(table["columns"], row, strict=True):
                        if column not in (*generate.LEFT_OUT, "pair"):
                            assert tidy(cell) in shown, f"{file.name}#{part}: {cell}"


def first_over_others(systems: list[str]) -> set[str]:
    """The pairs of the first system and each but the next. systems: in the order of their ranks."""
    return {f"{systems[0]} {word} {other}" for other in systems[2:] for word in ("over", "–")}


def tidy(text: str) -> str:
    return text.replace("&lt; ", "&lt;").replace("&gt; ", "&gt;")


def test_tables_of_one_subject_become_one(generate: ModuleType) -> None:
    tables = [
        {
            "columns": ["system", "test accuracy (%)", "time", "parts"],
            "rows": [["a", "1.0", "", "9"], ["b", "2.0", "3 s", "9"]],
        },
        {"columns": ["system", "rank", "accuracy (%)"], "rows": [["b", "1", "2.0"], ["a", "2", "1.0"]]},
    ]
    first, second = generate.joined(tables)
    assert first == {
        "columns": ["system", "test accuracy (%)"],
        "rows": [["b", "2.0"], ["a", "1.0"]],
        "note": "All rows: parts 9.",
    }
    assert (second["columns"], second["rows"]) == (["system", "time"], [["b", "3 s"]])
