"""Every benchmark asks for names that are there: none is run in tests, so a renamed function would go unnoticed."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

import pytest
from tests.rows import each_row

pytest.importorskip("torch", reason="the extra train is not installed")

FOLDER = Path(__file__).parents[2] / "benchmarks"
FILES = sorted(FOLDER.glob("*.py"))


def test_there_are_benchmarks() -> None:
    assert len(FILES) > 20


@each_row("path", FILES, ids=lambda path: path.stem)
def test_what_a_benchmark_imports_of_ours_is_there(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.partition(".")[0] == "anagnosis":
                    import_module(alias.name)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "anagnosis":
            module = import_module(node.module or "")
            for alias in node.names:
                if not hasattr(module, alias.name):
                    import_module(f"{node.module}.{alias.name}")
