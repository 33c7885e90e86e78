"""Reports: what predictions and datasets are worth, shown as a page, a table for a paper, or plain data.

A report is plain data (`report.py`); a renderer is a module with `render(report) -> str`. Adding one is a
file and a line here.
"""

from __future__ import annotations

from pathlib import Path

from anagnosis.errors import InputError
from anagnosis.registry import find, names
from anagnosis.reports.report import Report

RENDERERS = {
    ".html": "anagnosis.reports.html:render",
    ".md": "anagnosis.reports.markdown:render",
    ".tex": "anagnosis.reports.latex:render",
    ".csv": "anagnosis.reports.csv:render",
    ".json": "anagnosis.reports.json:render",
    ".txt": "anagnosis.reports.plain:render",
}

_GROUP = "anagnosis.renderers"


def render(report: Report, suffix: str) -> str:
    """The report in the format of a file's suffix (".html"); the same report gives the same text."""
    try:
        renderer = find(RENDERERS, _GROUP, suffix.lower(), "report format")
    except InputError as fault:
        raise InputError(fault.what, fault.where, f"there are {_known()}") from fault
    return renderer(report)


def save(report: Report, path: str | Path) -> Path:
    """Write the report to a file, in the format of its suffix; the file appears whole or not at all."""
    from anagnosis.files import write_text

    path = Path(path)
    if not path.suffix:
        raise InputError("the report's format is told by the suffix", str(path), f"end it in {_known()}")
    write_text(path, render(report, path.suffix))
    return path


def _known() -> str:
    return ", ".join(names(RENDERERS, _GROUP))
