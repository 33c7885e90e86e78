"""The wheel holds everything: installed elsewhere, without the checkout, it does what the checkout does."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from anagnosis.corpus import carried

ROOT = Path(__file__).resolve().parents[1]


def run(command: list[str | Path], folder: Path, **environment: str) -> str:
    """The command's output; in a folder of its own and without the checkout on its path."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        command, cwd=folder, env=clean | environment, capture_output=True, text=True, timeout=280
    )
    assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT], folder)
    (found,) = folder.glob("*.whl")
    return found


def test_the_wheel_holds_every_file_of_the_package_and_nothing_else(wheel: Path) -> None:
    ours = {
        path.relative_to(ROOT / "src").as_posix()
        for path in (ROOT / "src/anagnosis").rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    theirs = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert theirs == ours
    assert "anagnosis/py.typed" in theirs


def test_the_wheel_carries_its_licence(wheel: Path) -> None:
    names = {Path(name).name for name in zipfile.ZipFile(wheel).namelist()}
    assert {"LICENSE", "NOTICE"} <= names


def test_the_wheel_runs_without_the_checkout_in_a_plain_locale_and_an_odd_folder(
    wheel: Path, tmp_path: Path
) -> None:
    """Its package alone, this environment's for what it needs; LANG=C; blanks and letters beyond ASCII in the path."""
    folder = tmp_path / "Größe и papers"
    folder.mkdir()
    venv.create(folder / "env", with_pip=False)
    python = folder / "env/bin/python"
    install = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", wheel]
    run(install, tmp_path)
    packages = run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], folder).strip()
    (Path(packages) / "outer.pth").write_text(sysconfig.get_path("purelib") + "\n")
    where = run([python, "-c", "import anagnosis; print(anagnosis.__file__)"], folder)
    assert where.startswith(packages)

    def anagnosis(*arguments: str) -> str:
        return run([python, "-m", "anagnosis", *arguments], folder, LANG="C", LC_ALL="C")

    corpus = folder / "Sülze 1.pubtator"
    corpus.write_bytes(carried().read_bytes())
    anagnosis("build", "biomrc", corpus.name, "--recipe", "biomrc-demo", "--out", "gebaut/α 1")
    anagnosis("check", "gebaut/α 1")
    if find_spec("tantivy") is not None:
        anagnosis("index", corpus.name, "--out", "Verzeichnis β")
        assert "valganciclovir" in anagnosis(
            "ask", "Verzeichnis β", "Which drug treats cytomegalovirus?", "--json"
        )


@pytest.mark.slow
def test_the_wheel_runs_the_demo_in_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    """As a user installs it: only the packages that it asks for."""
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env/bin/python"
    constraints = ROOT / "constraints.txt"
    run([python, "-m", "pip", "install", "--quiet", "-c", constraints, wheel], tmp_path)
    run([tmp_path / "env/bin/anagnosis", "demo"], tmp_path)
