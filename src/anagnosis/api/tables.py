"""What there is, by name: formats, datasets, readers, measures, recipes."""

from __future__ import annotations

from typing import Any

from anagnosis.io.paths import PathLike


def described(table: str) -> dict[str, str]:
    """name → what it is in one line.

    table: formats, datasets, readers, recipes, measures (of predictions) or retrieval_measures (of rankings).
    """
    from anagnosis.registry import headline, known

    if table == "recipes":
        from anagnosis.recipes import load as recipes

        return {name: recipes.headline(name) for name in recipes.names()}
    if table == "datasets":
        from anagnosis.datasets import definition

        return definition.described()
    if table == "measures":
        from anagnosis.evaluation.measures import measure

        return measure.described()
    if table == "retrieval_measures":
        from anagnosis.evaluation.retrieval import RETRIEVAL_MEASURES

        judges = "(a search's ranking: evaluate-search)"
        return {name: f"{headline(path)} {judges}" for name, path in RETRIEVAL_MEASURES.items()}
    if table == "formats":
        from anagnosis.documents.formats import FORMATS, UNMARKED
        from anagnosis.documents.formats.detect import GROUP

        entries = known({**FORMATS, **UNMARKED}, GROUP)
    else:
        from anagnosis.readers import GROUP, READERS

        entries = known(READERS, GROUP)
    return {name: headline(path) for name, path in entries.items()}


def recipe(name: PathLike) -> dict[str, Any]:
    """A recipe as plain data."""
    from anagnosis.recipes import load as recipes

    return recipes.load(name)


def recipe_text(name: str) -> str:
    """A recipe that comes with anagnosis as its TOML text, comments and all."""
    from anagnosis.recipes import load as recipes

    return recipes.text(name)
