"""Find an implementation by its name.

A table is a plain dict from a name to "module:attribute" (or "module"), so that listing names loads nothing.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
from collections.abc import Mapping
from importlib.abc import InspectLoader
from typing import Any

from anagnosis.errors import InputError, unknown_name


def find(table: Mapping[str, str], name: str, kind: str, aliases: Mapping[str, str] | None = None) -> Any:
    """Import and return the object that `name` stands for.

    kind: the noun for the error ("format"). aliases: other names of entries, which the error for an unknown name may
    offer.
    """
    if name not in table:
        raise unknown_name(kind, name, table, aliases=aliases)
    return load(table[name])


def headline(path: str) -> str:
    """The first line of the docstring of what is at an import path, read from its source; imports nothing.

    "" if there is none.
    """
    module, _, attribute = path.partition(":")
    try:
        spec = importlib.util.find_spec(module)
        source = spec.loader.get_source(module) if spec and isinstance(spec.loader, InspectLoader) else None
        definition: Any = ast.parse(source or "")
    except (ImportError, SyntaxError, ValueError):
        return ""
    if attribute:
        kinds = (ast.FunctionDef, ast.ClassDef)
        definition = next(
            (node for node in definition.body if isinstance(node, kinds) and node.name == attribute), None
        )
    return ((definition and ast.get_docstring(definition)) or "").partition("\n")[0]


def load(path: str) -> Any:
    """The object at "module:attribute", or the module; imported now."""
    module, _, attribute = path.partition(":")
    loaded = importlib.import_module(module)
    return getattr(loaded, attribute) if attribute else loaded


def referenced(path: str) -> Any:
    """The object at a "module:attribute" that a record names, such as a kind; InputError: it does not load."""
    try:
        return load(path)
    except (ImportError, AttributeError) as fault:
        raise InputError(f"does not load: {fault}", path, "update or remove its package") from fault
