"""Run a notebook of docs/notebooks/, and write it as a page of the site with what its cells print.

    python docs/notebook.py docs/notebooks/NAME.ipynb … --out FOLDER

The cells run in this process, in an empty folder, so neither Jupyter nor a kernel is needed. A notebook is stored
without output; its page, FOLDER/NAME.md, has the output of the run.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import io
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("notebooks", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    for notebook in options.notebooks:
        with tempfile.TemporaryDirectory() as scratch:
            text = page(notebook, Path(scratch))
        (options.out / f"{notebook.stem}.md").write_text(text, "utf-8")


def page(notebook: Path, folder: Path) -> str:
    """The notebook as Markdown, run in `folder`."""
    parts: list[str] = []
    for cell, output in run(notebook, folder):
        source = "".join(cell["source"])
        parts.append(f"```python\n{source}\n```" if cell["cell_type"] == "code" else source)
        if output:
            parts.append(output)
    return "\n\n".join(parts) + "\n"


def run(notebook: Path, folder: Path) -> Iterator[tuple[dict[str, Any], str]]:
    """Each cell with its output as Markdown; an error of a cell is raised."""
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    names: dict[str, Any] = {"__name__": "__main__"}
    with contextlib.chdir(folder):
        for number, cell in enumerate(cells):
            where = f"{notebook.name}, cell {number}"
            yield cell, output(cell, names, where) if cell["cell_type"] == "code" else ""


def output(cell: dict[str, Any], names: dict[str, Any], where: str) -> str:
    """What a code cell prints, and its last expression: as HTML where that has a form for it."""
    tree = ast.parse("".join(cell["source"]), where)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    value = None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
        exec(compile(tree, where, "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), where, "eval"), names)
    text = printed.getvalue()
    parts = [f"```text\n{text.rstrip()}\n```"] if text.strip() else []
    if value is not None:
        html = getattr(value, "_repr_html_", None)
        parts.append(html() if html else f"```text\n{value!r}\n```")
    return "\n\n".join(parts)


if __name__ == "__main__":
    main()
