"""Specialties are subjects that name no kind of article, and stand in the labels of a report's queries."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.datasets.clicr.reports import CASE, POINTS, TITLE, case_report
from tests.datasets.clicr.test_build import built, queries

from anagnosis import api
from anagnosis.datasets.clicr.build import specialty_labels


@pytest.mark.parametrize(
    ("subjects", "specialties"),
    [
        ("", ()),
        ("Case Report; Surgery", ("Surgery",)),
        ("Clinical Case Report; Letter to the Editor; 5700", ()),
        (
            "Article / Autopsy Case Report; Internal Medicine;  Oncology; Internal Medicine",
            ("Internal Medicine", "Oncology"),
        ),
    ],
)
def test_subjects_that_name_a_kind_of_article_are_no_specialties(
    subjects: str, specialties: tuple[str, ...]
) -> None:
    document = case_report(TITLE, CASE, subjects=subjects)
    assert specialty_labels(document) == tuple(f"specialty:{each}" for each in specialties)


def test_show_counts_the_specialties_of_built_reports(tmp_path: Path) -> None:
    reports = [
        case_report(
            ("title", "", [f"Fever after surgery {n}"]),
            CASE,
            POINTS,
            ident=str(n),
            subjects=f"Case Report; {subject}",
        )
        for n, subject in enumerate(("Surgery", "Oncology; Surgery"))
    ]
    dataset = built(tmp_path, *reports)
    assert {each.labels for each in queries(dataset)} == {
        ("specialty:Surgery",),
        ("specialty:Oncology", "specialty:Surgery"),
    }
    found = api.show(dataset).statistics.case_reports
    assert [(each.name, each.reports) for each in found.specialties] == [("Surgery", 2), ("Oncology", 1)]
