"""A module of a test's own, with entries of it in a table of names."""

from __future__ import annotations

from collections.abc import MutableMapping
from pathlib import Path

import pytest


def added(
    monkeypatch: pytest.MonkeyPatch,
    folder: Path,
    name: str,
    source: str,
    table: MutableMapping[str, str],
    **entries: str,
) -> None:
    """Write a module into a folder of the import path. entries: name in the table → attribute of the module."""
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.py").write_text(source, "utf-8")
    monkeypatch.syspath_prepend(folder)
    for entry, attribute in entries.items():
        monkeypatch.setitem(table, entry, f"{name}:{attribute}")
