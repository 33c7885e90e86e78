"""What is public, and what it costs to have it: `__all__` is the whole surface, and loading it is cheap."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

import anagnosis
from tests.rows import each_row

HEAVY = (
    "torch",
    "transformers",
    "scipy",
    "pandas",
    "polars",
    "datasets",
    "statsmodels",
    "matplotlib",
    "nltk",
    "dask",
    "distributed",
    "tantivy",
    "gensim",
    "h5py",
    "numpy",
    "pyarrow",
    "lxml",
    "jinja2",
    "rich",
)
"""Imported inside the functions that need them; a listing, a help page or a plain import needs none."""


def loaded_by(script: str) -> set[str]:
    """The heavy packages in memory after the script, run in a Python of its own."""
    report = f"\nimport sys; print('loaded', *(set({HEAVY!r}) & set(sys.modules)))"
    run = subprocess.run(
        [sys.executable, "-c", script + report], capture_output=True, text=True, timeout=30, check=True
    )
    return set(run.stdout.splitlines()[-1].split()[1:])


def test_all_is_the_sorted_list_of_public_names() -> None:
    assert list(anagnosis.__all__) == sorted(anagnosis.__all__)
    assert set(anagnosis.__all__) <= set(dir(anagnosis))


@each_row("name", getattr(anagnosis, "__all__", ()))
def test_a_public_name_is_there_and_says_what_it_is(name: str) -> None:
    thing = getattr(anagnosis, name)
    if callable(thing):
        assert inspect.getdoc(thing), f"{name} has no docstring"


def test_every_verb_of_the_api_is_public() -> None:
    from anagnosis import api

    verbs = {name for names in api.VERBS.values() for name in names.split()}
    assert verbs == set(anagnosis.__all__) - {"InputError", "__version__"}


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert loaded_by("import anagnosis") == set()


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["build", "--help"], ["formats"]])
def test_help_and_listings_load_nothing_heavy(arguments: list[str]) -> None:
    script = (
        f"import sys; sys.argv = ['anagnosis', *{arguments!r}]\n"
        "from anagnosis.cli import main\n"
        "try: main()\n"
        "except SystemExit as end: assert not end.code, end.code"
    )
    assert loaded_by(script) == set()
