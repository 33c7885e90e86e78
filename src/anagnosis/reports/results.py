"""The report of a result: which function makes it, by the class of the result's record."""

from __future__ import annotations

from typing import Any

from anagnosis.masking import masked
from anagnosis.registry import find
from anagnosis.reports.report import Report

# The class of a record → the function that makes its report.
REPORTS = {
    "SearchAnswer": "anagnosis.reports.search.results:search_report",
    "AskAnswer": "anagnosis.reports.search.results:ask_report",
}
GROUP = "anagnosis.reports"


def report_of(record: Any) -> Report:
    """The report of a result. Refused (InputError): what is no result."""
    return find(REPORTS, GROUP, type(record).__name__, "kind of result")(record)


def html_of(record: Any) -> str:
    """The report of a result as a piece of a page, for a notebook; escaped."""
    from anagnosis.reports.renderers.html import fragment

    return masked(fragment(report_of(record)))
