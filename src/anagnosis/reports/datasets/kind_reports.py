"""What a kind's file in kinds/ defines: how its records of `show` become reports (evaluation/dataset_statistics.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from anagnosis import registry
from anagnosis.datasets.kinds.table import lacking, named
from anagnosis.evaluation.dataset_statistics import DatasetStatistics, DocumentInstances, InstanceWithAnswers
from anagnosis.reports.datasets.dataset import facts_report
from anagnosis.reports.datasets.kinds import KIND_REPORTS
from anagnosis.reports.report import Block, Report

NO_ANSWER = "no answer"


@dataclass(frozen=True, slots=True)
class KindReports:
    """The reports of a kind. statistics: of the dataset → tables and pictures, the first of which gives the size.
    instance: one of a dataset. document: None where instances name no document.
    """

    statistics: Callable[[Any], Iterable[Block]]
    instance: Callable[[InstanceWithAnswers[Any]], Report]
    document: Callable[[DocumentInstances[Any]], Report] | None = None


def statistics_report(record: DatasetStatistics[Any]) -> Report:
    """The report of a dataset: facts, the tables of its kind, what was left out or repaired."""
    kind = _reports_of(record.kind)
    size, *tables = kind.statistics(record.statistics)
    return facts_report(record, size, tables)


def instance_report(record: InstanceWithAnswers[Any]) -> Report:
    """The page of one instance."""
    return _reports_of(record.kind).instance(record)


def document_report(record: DocumentInstances[Any]) -> Report:
    """The instances of a document. InputError: those of the kind name none."""
    listed = _reports_of(record.kind).document
    if listed is None:
        raise lacking(named(record.kind), "documents", record.dataset)
    return listed(record)


def _reports_of(kind: str) -> KindReports:
    return registry.load(KIND_REPORTS[kind])
