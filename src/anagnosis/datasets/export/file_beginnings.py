"""Layouts that a file's first keys suggest, for the error of a file that is read in another layout."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

from anagnosis.datasets.export.layouts import reading_module
from anagnosis.errors import InputError
from anagnosis.io.files import STANDARD_INPUT, display_name, open_input
from anagnosis.io.paths import PathLike

_HEAD = 4096  # bytes
_DATA = rb'\s*\{\s*(?:"version"\s*:\s*"[^"]{0,80}"\s*,\s*)?"data"\s*:\s*\[\s*\{\s*'
_ARTICLES = re.compile(_DATA + rb'"(?:paragraphs|title)"')
BEGINNINGS = {
    "biomrc": re.compile(rb'\s*\{\s*"(?:abstracts|titles|entities_list|answers)"\s*:\s*\['),
    "pubmedqa": re.compile(rb'\s*\{\s*"\d{1,9}"\s*:\s*\{\s*"[A-Z]'),
    "bioasq": re.compile(rb'\s*\{\s*"questions"\s*:\s*\['),
    "squad": _ARTICLES,
    "covid-qa": _ARTICLES,
    "clicr": re.compile(_DATA + rb'"(?:document|source)"'),
}


@contextmanager
def naming_layout(paths: Sequence[PathLike], layout: str) -> Generator[None]:
    """Replace an InputError of the block by one with the layouts that the first file suggests, if not `layout`.

    InputError: no such layout, or it is only written.
    """
    reading_module(layout)
    try:
        yield
    except InputError as fault:
        suggested = suggested_layouts(paths[0]) if paths else []
        if not suggested or layout in suggested:
            raise
        remedy = f"try --layout {' or '.join(suggested)}"
        raise InputError(f"is no file of {layout}", display_name(paths[0]), remedy) from fault


def suggested_layouts(path: PathLike) -> list[str]:
    """Layouts that begin as a file does, or the first JSON file of a folder; none of standard input."""
    if str(path) == STANDARD_INPUT:
        return []
    try:
        folder = sorted(Path(path).glob("*.json*")) if Path(path).is_dir() else []
        with open_input(next(chain(folder, [path]))) as stream:
            head = stream.read(_HEAD)
    except (InputError, OSError, ValueError):
        return []
    return [layout for layout, begins in BEGINNINGS.items() if begins.match(head)]
