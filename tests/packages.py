"""A package of somebody else, as pip would leave it: modules and entry points in a folder of the import path."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def installed(folder: Path, name: str, source: str, points: Mapping[str, str]) -> Path:
    """One module `name` with its metadata. points: group of entry points → its lines ("toy = toy_format")."""
    metadata = folder / f"{name}-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", "utf-8")
    lines = "".join(f"[{group}]\n{entries}\n" for group, entries in points.items())
    (metadata / "entry_points.txt").write_text(lines, "utf-8")
    (folder / f"{name}.py").write_text(source, "utf-8")
    return folder
