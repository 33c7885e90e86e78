"""What there is, by name: formats, datasets, readers, measures, recipes."""

from __future__ import annotations

from typing import Any

from anagnosis.paths import PathLike

# Tables whose entries describe themselves.
DESCRIBED = {"datasets": "anagnosis.datasets.definition", "measures": "anagnosis.evaluation.measures.measure"}

# Others: the module with their tables, which map names to modules or functions that describe themselves.
LISTED = {
    "formats": ("documents.formats", "FORMATS", "UNMARKED"),
    "readers": ("readers", "READERS"),
    "retrieval_measures": ("evaluation.retrieval", "RETRIEVAL_MEASURES"),
}

# What is added to each line of a table.
JUDGES = {"retrieval_measures": " (a search's ranking: evaluate-search)"}


def described(table: str) -> dict[str, str]:
    """name → what it is in one line.

    table: formats, datasets, readers, recipes, measures (of predictions) or retrieval_measures (of rankings).
    """
    import importlib

    from anagnosis.recipes import load as recipes
    from anagnosis.registry import headline, names

    if table == "recipes":
        return {name: recipes.headline(name) for name in recipes.names()}
    if table in DESCRIBED:
        return importlib.import_module(DESCRIBED[table]).described()
    module, *tables = LISTED[table]
    listing = importlib.import_module(f"anagnosis.{module}")
    entries: dict[str, str] = {}
    for name in tables:
        entries |= getattr(listing, name)
    group = f"anagnosis.{table}"
    lines = {name: headline(entries, group, name) for name in names(entries, group)}
    return {name: f"{line}{JUDGES.get(table, '')}" for name, line in lines.items()}


def recipe(name: PathLike) -> dict[str, Any]:
    """A recipe as plain data."""
    from anagnosis.recipes import load as recipes

    return recipes.load(name)


def recipe_text(name: str) -> str:
    """A recipe that comes with anagnosis as its TOML text, comments and all."""
    from anagnosis.recipes import load as recipes

    return recipes.text(name)
