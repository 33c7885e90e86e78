"""Find an implementation by its name: a package's own table first, then other people's entry points.

A table is a plain dict from a name to "module:attribute" (or "module"), so that listing names loads nothing.
Entry points (group `anagnosis.<table>`) are looked at only when a name is unknown or a list is asked for; a
foreign package that does not load is reported when it is asked for by name, and never breaks a listing.
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
    table: Mapping[str, str], group: str, name: str, kind: str, aliases: Mapping[str, str] | None = None
) -> Any:
    """The object that `name` stands for, imported now.

    kind: the noun for the error ("format"); group: the entry points' group ("anagnosis.formats"). aliases: other names
    of entries, which the error for an unknown name may offer.
    """
    if name in table:
        return _load(table[name])
    foreign = _entry_points(group, table)
    if name in foreign:
        try:
            return _load(foreign[name])
        except Exception as fault:
            raise InputError(
                f"the {kind} {name!r} of another package does not load: {fault}",
                foreign[name],
                "update or remove that package",
            ) from fault
    raise unknown_name(kind, name, names(table, group), aliases=aliases)


def names(table: Mapping[str, str], group: str) -> list[str]:
    """Every known name, our own first, each list in its own order; nothing is imported."""
    return [*table, *sorted(_entry_points(group, table))]


def headline(table: Mapping[str, str], group: str, name: str) -> str:
    """The first line of what `name` stands for says of itself, read from its source: nothing is imported.

    Empty where there is none, or where a foreign package cannot be read.
    """
    module, _, attribute = (table.get(name) or _entry_points(group, table)[name]).partition(":")
    try:
        spec = importlib.util.find_spec(module)
        source = spec.loader.get_source(module) if spec and isinstance(spec.loader, InspectLoader) else None
        found: Any = ast.parse(source or "")
    except (ImportError, SyntaxError, ValueError):
        return ""
    if attribute:
        named = (ast.FunctionDef, ast.ClassDef)
        found = next((one for one in found.body if isinstance(one, named) and one.name == attribute), None)
    return ((found and ast.get_docstring(found)) or "").partition("\n")[0]


def _load(path: str) -> Any:
    module, _, attribute = path.partition(":")
    loaded = importlib.import_module(module)
    return getattr(loaded, attribute) if attribute else loaded


def _entry_points(group: str, table: Mapping[str, str]) -> dict[str, str]:
    from importlib.metadata import entry_points

    found: dict[str, str] = {}
    for point in entry_points(group=group):
        if point.name in table or found.get(point.name, point.value) != point.value:
            raise InputError(
                f"the name {point.name!r} is given twice", f"entry points {group}", "rename one of them"
            )
        found[point.name] = point.value
    return found
