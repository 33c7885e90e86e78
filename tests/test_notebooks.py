"""The notebooks of docs/ run from beginning to end on the carried corpus, and are stored without output."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


@pytest.fixture(scope="module")
def notebook() -> ModuleType:
    spec = importlib.util.spec_from_file_location("notebook", FOLDER.parent / "notebook.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def written(path: Path, *cells: tuple[str, str]) -> Path:
    found: list[dict[str, Any]] = [{"cell_type": kind, "source": [text]} for kind, text in cells]
    path.write_text(json.dumps({"cells": found}), "utf-8")
    return path


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_something(notebook: ModuleType, path: Path, tmp_path: Path) -> None:
    pytest.importorskip("tantivy", reason="the extra search is not installed")
    text = notebook.page(path, tmp_path)
    cells = json.loads(path.read_text("utf-8"))["cells"]
    assert text.count("```python") == sum(cell["cell_type"] == "code" for cell in cells)
    assert text.count("```text") >= 3


def test_what_they_show_is_what_the_text_says(notebook: ModuleType, tmp_path: Path) -> None:
    pytest.importorskip("tantivy", reason="the extra search is not installed")
    answers = notebook.page(FOLDER / "papers_to_answers.ipynb", tmp_path)
    assert "cold brew raises gastric pH less than espresso does." in answers
    assert re.search(r"stuttering inherited.*?```text\n'nothing'\n", answers, re.DOTALL)


def test_a_cell_that_fails_is_named(notebook: ModuleType, tmp_path: Path) -> None:
    path = written(tmp_path / "x.ipynb", ("markdown", "# X"), ("code", "a = 1\na / 0"))
    with pytest.raises(ZeroDivisionError) as fault:
        notebook.page(path, tmp_path)
    assert str(fault.traceback[-1].path) == "x.ipynb, cell 1"


def test_output_is_what_is_printed_and_the_last_expression(notebook: ModuleType, tmp_path: Path) -> None:
    path = written(
        tmp_path / "x.ipynb",
        ("code", "class H:\n    def _repr_html_(self):\n        return '<b>x</b>'\nprint('said')\nH()"),
        ("code", "1 + 1"),
        ("code", "y = 3"),
    )
    outputs = [output for _, output in notebook.run(path, tmp_path)]
    assert outputs == ["```text\nsaid\n```\n\n<b>x</b>", "```text\n2\n```", ""]
