"""The lines of a list of results."""

from __future__ import annotations

import pytest

from anagnosis.reports.search.results import more_passages
from anagnosis.searching.records.hits import OtherSection


@pytest.mark.parametrize(
    ("sections", "line"),
    [
        (["results"], "1 more passage, in results"),
        (["methods", "results", "methods"], "3 more passages, in methods, results"),
    ],
)
def test_other_passages_are_counted_and_their_sections_named_once(sections: list[str], line: str) -> None:
    assert more_passages([OtherSection(number, name, "") for number, name in enumerate(sections)]) == line
