"""The number of people that a paper reports."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.rows import each_row
from tests.searching.conclusions.papers import paper

from anagnosis.searching.conclusions.reported_numbers import reported_number


@each_row(
    ("text", "value", "quoted"),
    [
        ("We enrolled 234 adults with fever.", 234, "enrolled 234 adults"),
        ("A total of 1,234 consecutive patients drank tea.", 1234, "total of 1,234 consecutive patients"),
        ("In 12 women, and a total of 30 patients, tea helped.", 30, "total of 30 patients"),
        ("Tea was given to 48 healthy young men.", 48, "48 healthy young men"),
        ("Tea helped (N = 77).", 77, "N = 77"),
        ("Tea helped a part (n = 7).", None, ""),
        ("Some 48 million people drink tea.", None, ""),
        ("Tea helped 45% of patients.", None, ""),
        ("They fell ill 3 times as likely as controls.", None, ""),
        ("Risk was 12 fold that of controls, in 40 patients.", 40, "40 patients"),
        ("Of 34.5 patients in a year.", None, ""),
        ("Those with type 2 diabetic patients.", None, ""),
        ("In 2003 patients drank tea.", None, ""),
        # an arm is not the paper
        ("Tea was given to 44 patients in each group.", None, ""),
        ("Two groups of 44 patients drank tea.", None, ""),
        ("We enrolled 44 children per arm.", None, ""),
        ("Each group (44 patients) drank tea.", None, ""),
        ("44 patients were randomized to each arm.", None, ""),
        ("44 patients in the green tea group and 45 patients in group B", None, ""),
        ("The control group included 44 patients; 45 women drank tea.", None, ""),
        ("Two groups of 44 patients each (N = 88) drank tea.", 88, "N = 88"),
        ("Of 88 women, 44 women in each arm drank tea.", 88, "88 women"),
        ("A total of 50 patients: 44 patients in the tea arm.", 50, "total of 50 patients"),
        ("A group of 44 patients drank tea.", 44, "44 patients"),
        ("30 patients in the ward drank tea.", 30, "30 patients"),
        # something else is counted
        ("At 72 hours after surgery patients slept.", None, ""),
        ("A total of 12 centers enrolling children took part.", None, ""),
        ("Tea helped 12 of the patients.", None, ""),
        ("Nobody was counted.", None, ""),
    ],
)
def test_the_number_and_the_words_that_report_it(text: str, value: int | None, quoted: str) -> None:
    every = paper(("METHODS", text))
    found = reported_number(every)
    assert (found.value if found else None) == value
    if found is not None:
        assert found.text == quoted == every[found.passage].text[found.begin : found.end]


def test_methods_come_before_results_and_conclusions_are_not_read() -> None:
    results = ("RESULTS", "In 20 patients tea helped.")
    found = reported_number(paper(results, ("METHODS", "There were 30 patients.")))
    assert found is not None
    assert found.value == 30
    assert reported_number(paper(("CONCLUSIONS", "In 20 patients tea helped."))) is None


@given(st.text(alphabet="0123456789, =Npatients.", max_size=300))
def test_what_is_reported_is_verbatim(text: str) -> None:
    every = paper(("METHODS", f"x{text}x"))
    if found := reported_number(every):
        assert every[found.passage].text[found.begin : found.end] == found.text
        assert str(found.value) in found.text.replace(",", "")
