"""A report of any record that a verb returns, and the record as JSON with its schema.

    report(anagnosis.score(…))      a page
    as_json(anagnosis.score(…))     what `--json` prints: the fields of the record, by their names

A kind of record gets a report with a function and a line here. Shares are fractions, and what is not there is null.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec

from anagnosis.masking import escaped_json, masked
from anagnosis.registry import find, names
from anagnosis.reports.report import Report
from anagnosis.searching.records.json import SHOWN, shown
from anagnosis.searching.records.json import plain as plain_answer

# The class of a record → the function that makes its report.
REPORTS = {
    "DatasetStatistics": "anagnosis.reports.datasets.shown:statistics_report",
    "DocumentInstances": "anagnosis.reports.datasets.shown:document_report",
    "InstanceWithAnswers": "anagnosis.reports.datasets.shown:instance_report",
    "Agreement": "anagnosis.reports.systems.agreement:report",
    "AskAnswer": "anagnosis.reports.search.results:ask_report",
    "Evaluation": "anagnosis.reports.search.retrieval:report",
    "Harnesses": "anagnosis.reports.systems.harnesses:report",
    "PhasesOfRuns": "anagnosis.reports.systems.phases:report",
    "Results": "anagnosis.reports.systems.results:report",
    "SearchAnswer": "anagnosis.reports.search.results:search_report",
}
RECORD = "record"
GROUP = "anagnosis.reports"


def report(record: object) -> Report:
    """The report of a record; a report is its own."""
    if isinstance(record, Report):
        return record
    return find(REPORTS, GROUP, type(record).__name__, "kind of result")(record)


def has_report(record: object) -> bool:
    """Whether `report` takes it."""
    return isinstance(record, Report) or type(record).__name__ in names(REPORTS, GROUP)


def html_of(record: object) -> str:
    """The report of a record as a piece of a page, for a notebook; escaped."""
    from anagnosis.reports.renderers.html import fragment

    return masked(fragment(report(record)))


def as_json(record: object) -> str:
    """The record, indented, one value a line, ending in a newline; a report as blocks."""
    if isinstance(record, Report):
        from anagnosis.reports.renderers.json import render

        return render(record)
    return escaped_json(json.dumps(plain(record), ensure_ascii=False, indent=2, allow_nan=False)) + "\n"


def plain(record: object) -> dict[str, Any]:
    """The record as dictionaries and lists, after its name. An infinite number is null."""
    if type(record) in SHOWN:
        return plain_answer(record)
    return {RECORD: type(record).__name__.lower(), **json.loads(msgspec.json.encode(record))}


def schema(kind: Any) -> dict[str, Any]:
    """The JSON Schema of a class of records, which may have a parameter (`DatasetStatistics[ClozeStatistics]`)."""
    described = msgspec.json.schema(shown(kind) if kind in SHOWN else kind)
    fields = described["$defs"][described["$ref"].rpartition("/")[2]]
    fields["properties"] = {RECORD: {"const": kind.__name__.lower()}, **fields["properties"]}
    fields["required"] = list(dict.fromkeys([RECORD, *fields.get("required", [])]))
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **described}
