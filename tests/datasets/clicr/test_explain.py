"""What happened to one report, rule by rule."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.datasets.clicr.reports import CASE, FEVER, LINES, POINTS, TITLE, case_report, text

from anagnosis import api


def explained(folder: Path, *sections: Any, **settings: Any) -> Any:
    (folder / "reports.jsonl").write_bytes(text(case_report(*sections, ident="7")))
    (found,) = api.explain("clicr", [folder / "reports.jsonl"], "7", settings={**LINES, **settings})
    return found


def test_a_kept_report_shows_its_queries_and_what_they_were_made_of(tmp_path: Path) -> None:
    repeat = ("body", "Key points", [f"A man had {FEVER}."])
    found = explained(tmp_path, TITLE, CASE, POINTS, repeat)
    assert found.facts == {
        "lines_of_the_passage": 3,
        "lines_of_the_query_section": 3,
        "entities_of_the_passage": 3,
        "entities_of_the_query_section": 4,
    }
    assert found.verdicts == [
        ("no_query_section", False),
        ("no_passage", False),
        ("no_entity_in_query_section", False),
        ("inconsistent_marks", False),
        ("no_query_left", False),
    ]
    assert found.instances == ["Order a XXXX for fever .", "Order a CT scan for XXXX .", "XXXX help ."]
    assert found.instances_dropped == {"exact_repeat": 1}


def test_a_dropped_report_names_the_rule_and_those_before_it(tmp_path: Path) -> None:
    assert explained(tmp_path, TITLE, CASE).verdicts == [("no_query_section", True)]
    assert explained(tmp_path, TITLE, POINTS).verdicts == [("no_query_section", False), ("no_passage", True)]
    none_left = explained(tmp_path, TITLE, CASE, POINTS, minimum_candidates=9)
    assert none_left.verdicts[-1] == ("no_query_left", True)
    assert none_left.instances == []
