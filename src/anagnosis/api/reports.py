"""The verb over results: report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anagnosis.errors import InputError

if TYPE_CHECKING:
    from anagnosis.reports.report import Report


def report(record: object) -> Report:
    """The report of what another verb returned: `report(score(…))`; `anagnosis.reports.save` writes it to a file."""
    from anagnosis.reports.records import has_report
    from anagnosis.reports.records import report as made

    if not has_report(record):
        raise InputError(
            "not what a verb returns", "record", "give the result of score, compare, evaluate, …"
        )
    return made(record)
