"""Find an implementation by its name.

A table is a plain dict from a name to "module:attribute" (or "module"), so that listing names loads nothing. Other
packages add to four of them (formats, datasets, readers, measures) by entry points (group `anagnosis.<table>`), which
we read only for an unknown name or a list. A package that does not load causes an error when it is used by name, but
never in a list.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
from collections.abc import Mapping
from importlib.abc import InspectLoader
from typing import Any

from anagnosis.errors import InputError, unknown_name


def find(
    table: Mapping[str, str],
    name: str,
    kind: str,
    *,
    group: str = "",
    aliases: Mapping[str, str] | None = None,
) -> Any:
    """Import and return the object that `name` stands for.

    kind: the noun for the error ("format"). group: of the entry points that add to the table, "" where none do.
    aliases: other names of entries, which the error for an unknown name may offer.
    """
    if name in table:
        return load(table[name])
    foreign = _entry_points(group, table) if group else {}
    if name in foreign:
        return referenced(foreign[name])
    raise unknown_name(kind, name, [*table, *foreign], aliases=aliases)


def known(table: Mapping[str, str], group: str) -> dict[str, str]:
    """Name → import path: the table in its order, then entry points by name; imports nothing."""
    return {**table, **dict(sorted(_entry_points(group, table).items()))}


def is_known(table: Mapping[str, str], group: str, name: str) -> bool:
    """Whether `find` has something of that name; imports nothing."""
    return name in table or name in _entry_points(group, table)


def headline(path: str) -> str:
    """The first line of the docstring of what is at an import path, read from its source; imports nothing.

    "" if there is none, or if another package's source cannot be read.
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


def _entry_points(group: str, table: Mapping[str, str]) -> dict[str, str]:
    from importlib.metadata import entry_points

    points: dict[str, str] = {}
    for point in entry_points(group=group):
        if point.name in table or points.get(point.name, point.value) != point.value:
            what = f"the name {point.name!r} is given twice"
            raise InputError(what, f"entry points {group}", "rename one of them")
        points[point.name] = point.value
    return points
