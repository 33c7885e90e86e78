"""Which sections conclude: each label and category from both sides, and the split of whole abstracts."""

from __future__ import annotations

from tests.rows import each_row

from anagnosis.datasets.pubmedqa.sections import Role, refusal, role, split
from anagnosis.documents.document import Section


def abstract(*parts: str) -> list[Section]:
    """ "LABEL/CATEGORY" or "LABEL"; the text is the label in small letters."""
    return [
        Section("abstract", label.lower() or "unlabelled", label, category)
        for label, _, category in (part.partition("/") for part in parts)
    ]


def labels(sections: tuple[Section, ...]) -> list[str]:
    return [section.title for section in sections]


@each_row(
    ("label", "category", "expected"),
    [
        ("CONCLUSIONS", "CONCLUSIONS", "conclusion"),
        ("Conclusion", "UNASSIGNED", "conclusion"),
        ("CONCLUSION", "", "conclusion"),
        ("Conclusions:", "", "conclusion"),
        ("CONCLUTION", "UNASSIGNED", "conclusion"),
        ("RESULTS AND CONCLUSIONS", "RESULTS", "conclusion"),
        ("INTERPRETATION", "CONCLUSIONS", "closing"),
        ("INTERPRETATION", "", "closing"),
        ("Implications for practice", "UNASSIGNED", "closing"),
        ("SIGNIFICANCE AND IMPACT OF THE STUDY", "", "closing"),
        ("ORIGINALITY", "CONCLUSIONS", "closing"),
        ("ORIGINALITY", "", "context"),
        ("ETHNOPHARMACOLOGICAL RELEVANCE", "BACKGROUND", "context"),
        ("INTERPRETATION OF SCANS", "METHODS", "context"),
        ("DISCUSSION", "CONCLUSIONS", "discussion"),
        ("Discussion", "UNASSIGNED", "discussion"),
        ("DISCUSSION", "BACKGROUND", "context"),
        ("RESULTS AND DISCUSSION", "CONCLUSIONS", "context"),
        ("SUMMARY", "CONCLUSIONS", "discussion"),
        ("SUMMARY", "", "context"),
        ("LIMITATIONS", "CONCLUSIONS", "limitations"),
        ("STUDY LIMITATIONS", "", "limitations"),
        ("CONCLUSIONS AND LIMITATIONS", "UNASSIGNED", "conclusion"),
        ("TRIAL REGISTRATION", "BACKGROUND", "apart"),
        ("ClinicalTrials.gov Identifier", "", "apart"),
        ("FUNDING", "", "apart"),
        ("ETHICS AND DISSEMINATION", "UNASSIGNED", "apart"),
        ("LEVEL OF EVIDENCE", "METHODS", "apart"),
        ("RESULTS", "RESULTS", "context"),
        ("", "", "context"),
    ],
)
def test_label_and_category_together_tell_the_role(label: str, category: str, expected: Role) -> None:
    assert role(label, category) == expected


@each_row(
    "row",  # the abstract -> context | long answer | what is left out
    [
        "BACKGROUND METHODS RESULTS CONCLUSION -> BACKGROUND METHODS RESULTS | CONCLUSION | ",
        "METHODS RESULTS CONCLUSIONS FUNDING -> METHODS RESULTS | CONCLUSIONS | FUNDING",
        "METHODS REGISTRATION RESULTS CONCLUSIONS -> METHODS REGISTRATION RESULTS | CONCLUSIONS | ",
        "RESULTS LIMITATIONS/CONCLUSIONS CONCLUSIONS/CONCLUSIONS -> RESULTS LIMITATIONS | CONCLUSIONS | ",
        "RESULTS CONCLUSION LIMITATIONS/CONCLUSIONS IMPACT/CONCLUSIONS -> RESULTS | CONCLUSION IMPACT | LIMITATIONS",
        "RESULTS DISCUSSION/CONCLUSIONS CONCLUSION -> RESULTS DISCUSSION | CONCLUSION | ",
        "RESULTS DISCUSSION/CONCLUSIONS FUNDING -> RESULTS | DISCUSSION | FUNDING",
        "RESULTS LESSONS/CONCLUSIONS CONCLUSION -> RESULTS | LESSONS CONCLUSION | ",
        "SIGNIFICANCE/CONCLUSIONS METHODS RESULTS CONCLUSION -> SIGNIFICANCE METHODS RESULTS | CONCLUSION | ",
        "FINDINGS INTERPRETATION FUNDING -> FINDINGS | INTERPRETATION | FUNDING",
        "INTERPRETATION METHODS RESULTS -> INTERPRETATION METHODS RESULTS |  | ",
        "METHODS RESULTS LIMITATIONS/CONCLUSIONS -> METHODS RESULTS LIMITATIONS |  | ",
        "METHODS CONCLUSION CONCLUSION -> METHODS | CONCLUSION CONCLUSION | ",
        "CONCLUSION ->  | CONCLUSION | ",
        " ->  |  | ",
    ],
)
def test_the_conclusive_sections_leave_the_context(row: str) -> None:
    parts, _, expected = row.partition(" -> ")
    found = split(abstract(*parts.split()))
    assert [labels(part) for part in found] == [each.split() for each in expected.split("|")]


def test_unlabelled_sections_are_context_and_empty_ones_are_none() -> None:
    sections = [*abstract("", "METHODS", "CONCLUSION"), Section("abstract", " ", "RESULTS")]
    assert labels(split(sections).context) == ["", "METHODS"]
    assert split(sections).left_out == ()


@each_row(
    ("parts", "rule"),
    [
        ([""], "unstructured"),
        (["METHODS", "RESULTS"], "no_conclusive_section"),
        (["RESULTS", "LIMITATIONS/CONCLUSIONS"], "no_conclusive_section"),
        (["CONCLUSION"], "no_context"),
        (["RESULTS", "CONCLUSION"], ""),
    ],
)
def test_the_first_rule_that_says_yes_names_the_drop(parts: list[str], rule: str) -> None:
    assert refusal(abstract(*parts)) == rule
