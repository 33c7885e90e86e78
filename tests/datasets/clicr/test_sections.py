"""Which part of a report gives the queries."""

from __future__ import annotations

import pytest
from tests.datasets.clicr.reports import CASE, POINTS, TITLE, case_report, recipe

from anagnosis.datasets.clicr.report import report
from anagnosis.datasets.clicr.sections import last_sentences_asked
from anagnosis.documents.repairs import Repairs


def parts(*sections: tuple[str, str, list[str]], **settings: object) -> tuple[list[str], list[str]]:
    found = report(case_report(*sections), recipe(**settings), Repairs())
    return [line.text for line in found.context], [line.text for line in found.queries]


@pytest.mark.parametrize(
    "heading",
    [
        "Learning points",
        "LEARNING POINT",
        "Key Points",
        "Learning Points for this Article",
        "Clinical Message",
    ],
)
def test_sections_of_learning_points_are_known_by_their_heading(heading: str) -> None:
    assert parts(TITLE, ("body", "Case", ["One."]), ("box", heading, ["Two."])) == (
        ["Case", "One ."],
        ["Two ."],
    )


def test_a_section_that_only_mentions_learning_points_is_none() -> None:
    assert parts(("body", "Our learning points", ["One."]))[1] == []


def test_a_list_of_learning_points_begins_inside_a_section_and_ends_with_it() -> None:
    inside = ["A man.", "Learning points:", "One.", "Two."]
    found = parts(("body", "Discussion", inside), ("body", "", ["Then."]))
    assert found == (["Discussion", "A man .", "Then ."], ["One .", "Two ."])


def test_a_list_of_one_line_behind_a_colon_is_the_rest_of_that_line_alone() -> None:
    inside = ["A man.", "Learning points for our case includes: One. Two.", "Then."]
    found = parts(("body", "Discussion", inside), sentences="nupunkt")
    assert found == (["Discussion", "A man .", "Then ."], ["One .", "Two ."])


def test_a_sentence_about_learning_points_begins_no_list() -> None:
    line = "Learning points were given to all of the nurses who had come to the meeting."
    assert parts(("body", "Discussion", [line]))[1] == []


def test_a_conclusion_is_the_body_s_and_sections_inside_it_stay_in_the_passage() -> None:
    sections = (
        ("abstract", "Conclusion", ["In short."]),
        ("body", "Case", ["One."]),
        ("body", "Discussion and conclusions", ["Two."]),
        ("body", "Conclusions › Consent", ["Yes."]),
    )
    found = parts(*sections, query_section="conclusion")
    assert found == (["Conclusion", "In short .", "Case", "One .", "Consent", "Yes ."], ["Two ."])
    assert parts(sections[0], query_section="conclusion")[1] == ["In short ."]


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_the_last_sentences_are_counted_without_headings(number: int) -> None:
    texts = ["One .", "Two .", "Three ."]
    found = parts(
        ("body", "Case", ["One. Two."]),
        ("body", "End", ["Three."]),
        query_section=f"last-sentences({number})",
        sentences="nupunkt",
    )
    assert found[1] == texts[-number:]
    assert found[0] == [line for line in ("Case", "One .", "Two .", "End", "Three .") if line not in found[1]]


def test_without_a_query_section_all_is_passage() -> None:
    assert parts(TITLE, CASE)[1] == []
    assert parts(TITLE, CASE, POINTS, query_section="conclusion")[1] == []


@pytest.mark.parametrize("wrong", ["", "summary", "last-sentences", "last-sentences(0)", "conclusion(2)"])
def test_another_query_section_is_refused_with_those_there_are(wrong: str) -> None:
    with pytest.raises(ValueError, match=r"none of learning-points, conclusion, last-sentences\(N\)"):
        last_sentences_asked(wrong)
