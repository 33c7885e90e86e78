"""A report of any record that a verb returns, and the record as JSON with its schema.

    report(anagnosis.score(…))      a page
    as_json(anagnosis.score(…))     what `--json` prints: the fields of the record, by their names

A class of records gets a report with a function and a line here. Shares are fractions, and what is not there is null.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec

from anagnosis.errors import InputError
from anagnosis.registry import find
from anagnosis.reports.report import Report
from anagnosis.searching.records.hits import AskAnswer, SearchAnswer
from anagnosis.showing import escaped_json, masked

# The class of a record, by its module and qualified name → the function that makes its report.
REPORTS = {
    "anagnosis.evaluation.agreement.Agreement": "anagnosis.reports.systems.agreement:report",
    "anagnosis.evaluation.dataset_statistics.DatasetStatistics": (
        "anagnosis.reports.datasets.dataset:statistics_report"
    ),
    "anagnosis.evaluation.dataset_statistics.InstanceWithAnswers": (
        "anagnosis.reports.datasets.dataset:instance_report"
    ),
    "anagnosis.evaluation.every_protocol.EveryProtocol": "anagnosis.reports.systems.every_protocol:report",
    "anagnosis.evaluation.results.Results": "anagnosis.reports.systems.results:report",
    "anagnosis.evaluation.retrieval.scoring.Evaluation": "anagnosis.reports.search.retrieval:report",
    "anagnosis.leaderboard.board.Board": "anagnosis.reports.leaderboard:report",
    "anagnosis.quotations.checking.QuotationCheck": "anagnosis.reports.search.quotations:report",
    "anagnosis.searching.records.hits.AskAnswer": "anagnosis.reports.search.results:ask_report",
    "anagnosis.searching.records.hits.SearchAnswer": "anagnosis.reports.search.results:search_report",
    "anagnosis.searching.records.passage.IndexPapers": "anagnosis.reports.search.results:index_papers",
    "anagnosis.searching.records.hits.RelatedAnswer": "anagnosis.reports.search.results:related_papers",
    "anagnosis.training.phases.PhasesOfRuns": "anagnosis.reports.systems.phases:report",
}
RECORD = "record"
_DIGITS = 4


def report(record: object) -> Report:
    """The report of a record; a report is its own."""
    if isinstance(record, Report):
        return record
    return find(REPORTS, _name_of(type(record)), "class of records")(record)


def has_report(record: object) -> bool:
    """Whether `report` takes it."""
    return isinstance(record, Report) or _name_of(type(record)) in REPORTS


def _name_of(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


def html_of(record: object) -> str:
    """The report of a record as a piece of a page, for a notebook; escaped."""
    from anagnosis.reports.renderers.html import render

    return masked(render(report(record), page=False))


def as_json(record: object) -> str:
    """The record, indented, one value a line, ending in a newline. InputError: a report, whose record has the data."""
    if isinstance(record, Report):
        raise InputError("a report is no data", record.title, "save what the verb returned, not its report")
    return escaped_json(json.dumps(plain(record), ensure_ascii=False, indent=2, allow_nan=False)) + "\n"


def plain(record: object) -> dict[str, Any]:
    """The record as dictionaries and lists, after its name. An infinite number is null."""
    if isinstance(record, SearchAnswer | AskAnswer):
        return rounded(record)
    return {RECORD: type(record).__name__.lower(), **json.loads(msgspec.json.encode(record))}


def rounded(record: msgspec.Struct) -> dict[str, Any]:
    """The fields of a record of an index. Fractions have four decimal places, and no -0.0."""
    return json.loads(msgspec.json.encode(record), parse_float=lambda text: round(float(text), _DIGITS) + 0.0)


def schema(kind: Any) -> dict[str, Any]:
    """The JSON Schema of a class of records, which may have a parameter (`DatasetStatistics[ClozeStatistics]`)."""
    described = msgspec.json.schema(kind)
    fields = described["$defs"][described["$ref"].rpartition("/")[2]]
    fields["properties"] = {RECORD: {"const": kind.__name__.lower()}, **fields["properties"]}
    fields["required"] = list(dict.fromkeys([RECORD, *fields.get("required", [])]))
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **described}
