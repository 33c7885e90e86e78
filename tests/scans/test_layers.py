"""The floors hold: for imports as they are written, and for the tables that find implementations by name."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import grimp
from tests.rows import each_row

from anagnosis import registry

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "src/anagnosis").rglob("*.py"))


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__")


@cache
def tables() -> dict[str, dict[str, str]]:
    """Every module-level dict of import paths into this package, as "module:NAME", read without importing."""
    found: dict[str, dict[str, str]] = {}
    for path in SOURCES:
        for statement in ast.parse(path.read_text(encoding="utf-8")).body:
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict() as display):
                    pass
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.Dict() as display):
                    pass
                case _:
                    continue
            try:
                table = ast.literal_eval(display)
            except ValueError:
                continue
            values = list(table.values())
            if values and all(isinstance(value, str) and value.startswith("anagnosis.") for value in values):
                found[f"{module_name(path)}:{name}"] = table
    return found


def entries() -> Iterator[tuple[str, str, str]]:
    for place, table in tables().items():
        for name, target in table.items():
            yield place, name, target


def floors() -> dict[str, int]:
    """Each room's floor as pyproject.toml has it, 0 at the top."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers: list[str] = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    return {room.strip(" ()"): floor for floor, layer in enumerate(layers) for room in layer.split("|")}


def room(path: str) -> str:
    """The part of the package that a module or an import path lies in."""
    return path.partition(":")[0].split(".")[1]


def test_a_room_imports_only_from_floors_below_it() -> None:
    command = Path(sys.executable).with_name("lint-imports")
    run = subprocess.run(
        [command, "--no-cache", "--no-logo"], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert run.returncode == 0, run.stdout + run.stderr


def circle(imports: dict[str, set[str]]) -> list[str]:
    """The modules that import one another in a circle, and those between two circles."""
    left = {module: set(imported) for module, imported in imports.items()}
    while True:
        imported = set[str]().union(*left.values())
        done = [module for module in left if module not in imported or not left[module] & left.keys()]
        if not done:
            return sorted(left)
        for module in done:
            del left[module]


def test_no_modules_import_one_another_in_a_circle() -> None:
    graph = grimp.build_graph("anagnosis", exclude_type_checking_imports=True, cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    assert len(imports) > 300
    assert circle(imports) == []


def test_what_a_table_names_loads() -> None:
    for place, name, target in entries():
        assert registry.load(target) is not None, (place, name)


@each_row(("place", "name", "target"), entries())
def test_a_table_reaches_only_into_its_own_room_and_below(place: str, name: str, target: str) -> None:
    floor, ours, theirs = floors(), room(place), room(target)
    assert ours == theirs or floor[ours] < floor[theirs], f"{place} reaches up: {name!r} is {target}"


def test_listing_a_tables_names_loads_none_of_them() -> None:
    places = sorted(tables())
    modules = {target.partition(":")[0] for _, _, target in entries()}
    homes = {place.partition(":")[0] for place in places}
    script = (
        "import importlib, sys\n"
        f"for place in {places!r}: importlib.import_module(place.partition(':')[0])\n"
        f"print(sorted({modules!r} & set(sys.modules) - {homes!r}))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
