"""What happened to one report, rule by rule."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.datasets.clicr.reports import CASE, FEVER, LINES, POINTS, TITLE, case_report, text

from anagnosis import api
from anagnosis.documents.document import Mention
from anagnosis.errors import InputError


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
        ("no_query_left", False),
    ]
    assert found.instances == ["Order a XXXX for fever .", "Order a CT scan for XXXX .", "XXXX help ."]
    assert found.instances_dropped == {"exact_repeat": 1}
    assert found.questions_dropped == [("exact_repeat", "A man had XXXX .")]


def test_each_variant_shows_its_rules_alone_and_each_dropped_query_with_its_rule(tmp_path: Path) -> None:
    published = explained(
        tmp_path,
        TITLE,
        CASE,
        ("body", "Learning points", ["A man had [[fever|problem|]]."]),
        variant="as-published",
    )
    assert published.verdicts == [
        ("no_query_section", False),
        ("inconsistent_marks", False),
        ("no_query_left", True),
    ]
    few = explained(tmp_path, TITLE, CASE, POINTS, minimum_candidates=9)
    assert [rule for rule, _ in few.questions_dropped] == ["too_few_candidates"] * 3
    reserved = ("body", "Learning points", ["XXXX and [[fever|problem|]]."])
    word = explained(tmp_path, TITLE, CASE, reserved)
    assert word.questions_dropped == [("reserved_word_in_text", "XXXX and XXXX .")]


def test_a_dropped_report_names_the_rule_and_those_before_it(tmp_path: Path) -> None:
    assert explained(tmp_path, TITLE, CASE).verdicts == [("no_query_section", True)]
    assert explained(tmp_path, TITLE, POINTS).verdicts == [("no_query_section", False), ("no_passage", True)]
    none_left = explained(tmp_path, TITLE, CASE, POINTS, minimum_candidates=9)
    assert none_left.verdicts[-1] == ("no_query_left", True)
    assert none_left.instances == []


def test_the_published_variant_is_explained_by_the_programs_parts(tmp_path: Path) -> None:
    key = ("body", "Key points", [f"A man had {FEVER}."])
    published = {"variant": "as-published", "tokens": "blanks", "minimum_candidates": 0}
    without = explained(tmp_path, TITLE, CASE, key, **published)
    assert without.verdicts == [("no_query_section", True)]
    assert without.facts == {
        "lines_of_the_passage": 5,
        "lines_of_the_query_section": 0,
        "entities_of_the_passage": 4,
        "entities_of_the_query_section": 0,
    }
    found = explained(tmp_path, TITLE, CASE, POINTS, **published)
    assert found.verdicts[-1] == ("no_query_left", False)
    assert found.facts == {
        "lines_of_the_passage": 3,
        "lines_of_the_query_section": 2,
        "entities_of_the_passage": 3,
        "entities_of_the_query_section": 3,
    }
    assert len(found.instances) == 3


def test_a_report_at_which_the_program_stops_is_one_line(tmp_path: Path) -> None:
    nested = Mention(((31, 36),), "fever", "problem", ""), Mention(((27, 36),), "had fever", "problem", "")
    document = msgspec.structs.replace(case_report(TITLE, CASE, POINTS, ident="7"), mentions=nested)
    (tmp_path / "reports.jsonl").write_bytes(text(document))
    with pytest.raises(
        InputError, match=r"^reports.jsonl: 7: the published program stops here: two .*variant=paper"
    ):
        api.explain("clicr", [tmp_path / "reports.jsonl"], "7", recipe="clicr-as-published")
