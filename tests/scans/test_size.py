"""Every package keeps to its budget of lines, of source and of tests (tests/size.toml)."""

from __future__ import annotations

import tomllib
from pathlib import Path

from tests.rows import each_row

ROOT = Path(__file__).resolve().parents[2]
SIZE = tomllib.loads((ROOT / "tests" / "size.toml").read_text("utf-8"))
PLACES = {"source": ROOT / "src" / "anagnosis", "tests": ROOT / "tests"}


def lines(files: list[Path]) -> int:
    return sum(len(file.read_bytes().splitlines()) for file in files)


def files_of(place: Path, packages: str) -> list[Path]:
    """The Python files of packages ("predictions submissions"); "." has the modules beside the packages."""
    found: list[Path] = []
    for package in packages.split():
        found += place.glob("*.py") if package == "." else (place / package).rglob("*.py")
    return found


@each_row(("of", "packages"), [(of, packages) for of in PLACES for packages in SIZE[of]])
def test_a_package_keeps_to_its_budget(of: str, packages: str) -> None:
    found, budget = lines(files_of(PLACES[of], packages)), SIZE[of][packages]
    assert found <= budget, f"{packages}: {found:,} lines of {of}, {budget:,} at most; name what should go"


@each_row("of", PLACES)
def test_every_package_has_a_budget(of: str) -> None:
    named = {package for packages in SIZE[of] for package in packages.split()}
    there = {path.relative_to(PLACES[of]).parts[0] for path in PLACES[of].glob("*/**/*.py")}
    assert named - {"."} == there
