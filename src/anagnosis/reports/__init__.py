"""Reports: what predictions and datasets are worth, shown as a page, a table for a paper, or plain data.

A report is plain data (`report.py`); a renderer is a module with `render(report) -> str`. Adding one is a
file and a line here.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from anagnosis.errors import InputError
from anagnosis.io.paths import PathLike
from anagnosis.registry import load
from anagnosis.reports.report import Report
from anagnosis.showing import masked

RENDERERS = {
    ".html": "anagnosis.reports.renderers.html:render",
    ".md": "anagnosis.reports.renderers.markdown:render",
    ".tex": "anagnosis.reports.renderers.latex:render",
    ".csv": "anagnosis.reports.renderers.csv:render",
    ".txt": "anagnosis.reports.renderers.text:render",
}

_RECORD = ".json"  # the record itself, which no renderer makes
_TABLE = ".parquet"  # the record's table


def render(report: Report, suffix: str) -> str:
    """The report in the format of a file's suffix (".html"); the same report gives the same text.

    Whatever the format, the text is masked: a name in it steers no terminal and turns no line round.
    """
    if suffix.lower() not in RENDERERS:
        raise InputError(f"unknown report format {suffix.lower()!r}", "", f"there are {', '.join(RENDERERS)}")
    return masked(load(RENDERERS[suffix.lower()])(report))


def save(
    record: object, path: PathLike, *, inputs: Iterable[PathLike | None] = (), replace: bool = False
) -> Path:
    """Write the report of a record to a file, in the format of its suffix, or the record itself as .json.

    A record with a table (`WithTable`) gives this as .csv and .parquet; another has no .parquet (InputError). The file
    appears whole or not at all.

    inputs, replace: see `output_file`.
    """
    from anagnosis.io.files import atomic_write, write_text
    from anagnosis.io.tables import WithTable
    from anagnosis.reports.records import as_json, report
    from anagnosis.reports.renderers.csv import render_table

    output = output_file(path, inputs=inputs, replace=replace)
    suffix = output.suffix.lower()
    if suffix == _TABLE:
        if not isinstance(record, WithTable):
            raise InputError("this result is no table", str(path), "end it in .csv or .json")
        from pyarrow.parquet import write_table

        with atomic_write(output) as stream:
            write_table(record.table(), stream)
        return output
    if suffix == _RECORD:
        text = as_json(record)
    elif suffix == ".csv" and isinstance(record, WithTable):
        text = masked(render_table(record.table()))
    else:
        text = render(report(record), suffix)
    write_text(output, text)
    return output


def output_file(path: PathLike, *, inputs: Iterable[PathLike | None] = (), replace: bool = False) -> Path:
    """The file of a report, if it may be written; refused (InputError) where not, before there is a report.

    inputs: all that the report is made of. replace: overwrite an existing file.
    """
    from anagnosis.io import outputs

    suffix, known = Path(path).suffix.lower(), [*RENDERERS, _RECORD, _TABLE]
    if not suffix:
        raise InputError("the suffix decides the report's format", str(path), f"end it in {', '.join(known)}")
    if suffix not in known:
        raise InputError(f"unknown report format {suffix!r}", str(path), f"there are {', '.join(known)}")
    return outputs.output_file(path, inputs=inputs, replace=replace)
