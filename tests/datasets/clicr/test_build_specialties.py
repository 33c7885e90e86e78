"""Specialties are subjects that name no kind of article, and stand in the labels of a report's queries."""

from __future__ import annotations

import pytest
from tests.datasets.clicr.reports import CASE, TITLE, case_report

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
