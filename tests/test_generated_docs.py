"""What docs/ generates is current: commands, the table of recipes, and the tables of results."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType

import pytest

from anagnosis.recipes import load as recipes

DOCS = Path(__file__).resolve().parents[1] / "docs"


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
    """Joining tables loses no cell; what stands twice in the data may stand once."""
    for file in (DOCS / "figures").glob("*.json"):
        for part, tables in json.loads(file.read_text("utf-8")).items():
            shown = generate.table(f"{file.stem}#{part}").replace(" over ", " – ")
            for table in tables:
                for row in table["rows"]:
                    for cell in row:
                        text = cell.replace("&lt; ", "&lt;").replace("&gt; ", "&gt;").replace(" over ", " – ")
                        assert text in shown, f"{file.name}#{part}: {cell}"


def test_the_table_of_recipes_has_what_the_papers_print(generate: ModuleType) -> None:
    table = generate.recipe_table()
    assert all(f"| `{name}` |" in table for name in recipes.names())
    assert re.search(r"\| `biomrc-attention-sum-local` \|.* \| 66\.19 \|", table)
    assert re.search(r"\| `biomrc-masked-encoder-max` \|.* \| global 79\.97, local 79\.10 \|", table)
    assert re.search(r"\| `pubmedqa-shallow-features` \|.* \| 53\.88 / 36\.12 \|", table)
    assert re.search(r"\| `biomrc` \|.* \| 812,707 instances \|", table)


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
        "columns": ["system", "test accuracy (%)", "rank"],
        "rows": [["b", "2.0", "1"], ["a", "1.0", "2"]],
        "note": "All systems: parts 9.",
    }
    assert (second["columns"], second["rows"]) == (["system", "time"], [["b", "3 s"]])
