"""The number of people that a paper reports."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row
from tests.searching.conclusions.papers import paper

from anagnosis.searching.conclusions.reported_numbers import reported_number


@each_row(
    ("text", "quoted"),
    [
        ("We enrolled 234 adults with fever.", "enrolled 234 adults"),
        ("A total of 1,234 consecutive patients drank tea.", "total of 1,234 consecutive patients"),
        ("In 12 women, and a total of 30 patients, tea helped.", "total of 30 patients"),
        ("Tea was given to 48 healthy young men.", "48 healthy young men"),
        ("Tea helped (N = 77).", "N = 77"),
        ("Tea helped a part (n = 7).", ""),
        ("Some 48 million people drink tea.", ""),
        ("Tea helped 45% of patients.", ""),
        ("They fell ill 3 times as likely as controls.", ""),
        ("Risk was 12 fold that of controls, in 40 patients.", "40 patients"),
        ("Of 34.5 patients in a year.", ""),
        ("Those with type 2 diabetic patients.", ""),
        ("In 2003 patients drank tea.", ""),
        # an arm is not the paper
        ("Tea was given to 44 patients in each group.", ""),
        ("Two groups of 44 patients drank tea.", ""),
        ("We enrolled 44 children per arm.", ""),
        ("Each group (44 patients) drank tea.", ""),
        ("44 patients were randomized to each arm.", ""),
        ("44 patients in the green tea group and 45 patients in group B", ""),
        ("The control group included 44 patients; 45 women drank tea.", ""),
        ("Two groups of 44 patients each (N = 88) drank tea.", "N = 88"),
        ("Of 88 women, 44 women in each arm drank tea.", "88 women"),
        ("A total of 50 patients: 44 patients in the tea arm.", "total of 50 patients"),
        ("A group of 44 patients drank tea.", "44 patients"),
        ("30 patients in the ward drank tea.", "30 patients"),
        # something else is counted
        ("At 72 hours after surgery patients slept.", ""),
        ("A total of 12 centers enrolling children took part.", ""),
        ("Tea helped 12 of the patients.", ""),
        ("Nobody was counted.", ""),
    ],
)
def test_the_words_that_report_the_number(text: str, quoted: str) -> None:
    assert reported_number(paper(("METHODS", text))) == quoted


def test_methods_come_before_results_and_conclusions_are_not_read() -> None:
    results = ("RESULTS", "In 20 patients tea helped.")
    assert reported_number(paper(results, ("METHODS", "There were 30 patients."))) == "30 patients"
    assert reported_number(paper(("CONCLUSIONS", "In 20 patients tea helped."))) == ""


@given(st.text(alphabet="0123456789, =Npatients.", max_size=300))
def test_what_is_reported_is_verbatim(text: str) -> None:
    assert reported_number(paper(("METHODS", f"x{text}x"))) in text
