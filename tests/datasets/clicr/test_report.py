"""A document becomes a report: lines of tokens, and entities as ranges of tokens."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.datasets.clicr.reports import CASE, POINTS, TITLE, case_report, recipe

from anagnosis.datasets.clicr.report import Line, report
from anagnosis.datasets.clicr.semantic_types import UMLS_TYPES, concepts
from anagnosis.documents.document import Document, Mention, Section
from anagnosis.documents.repairs import Repairs


def lines_of(found: Any) -> tuple[str, list[str], list[str]]:
    return found.title.text, [line.text for line in found.context], [line.text for line in found.queries]


def surfaces(line: Line) -> list[str]:
    return [line.text[e.start : e.end] for e in line.entities]


def test_headings_are_lines_and_learning_points_are_no_part_of_the_context() -> None:
    found = report(case_report(), recipe(), Repairs())
    assert lines_of(found) == (
        "Fever after surgery",
        ["Case report", "A man had fever .", "A CT scan was normal , and fever ended ."],
        ["Order a CT scan for fever .", "Antibiotics help ."],
    )
    assert [surfaces(line) for line in found.context] == [[], ["fever"], ["CT scan", "fever"]]
    assert [surfaces(line) for line in found.queries] == [["CT scan", "fever"], ["Antibiotics"]]
    assert [(e.type, e.identifier) for e in found.queries[0].entities] == [
        ("test", "C0040405"),
        ("problem", "C0015967"),
    ]


def test_a_nested_heading_is_a_line_without_the_headings_around_it() -> None:
    found = report(case_report(TITLE, ("body", "Case › At first", ["A man."]), POINTS), recipe(), Repairs())
    assert lines_of(found)[1] == ["At first", "A man ."]


def test_sections_that_the_recipe_leaves_out_give_no_line_and_no_entity() -> None:
    parts = (TITLE, ("figure", "Figure 1", ["A [[scar|problem|C1]]."]), CASE, POINTS)
    assert len(report(case_report(*parts), recipe(), Repairs()).context) == 3
    kept = report(case_report(*parts), recipe(leave_out=[]), Repairs())
    assert [line.text for line in kept.context][:2] == ["Figure 1", "A scar ."]
    assert surfaces(kept.context[1]) == ["scar"]


def test_sentences_are_split_by_the_named_splitter_and_tokens_by_the_named_tokenizer() -> None:
    document = case_report(("body", "", ["He had a fever. It fell (to 37.5 °C)."]))
    split = report(document, recipe(sentences="nupunkt"), Repairs())
    assert [line.text for line in split.context] == ["He had a fever .", "It fell ( to 37.5 ° C ) ."]
    assert split.title == Line("")  # the document has none
    blank = report(document, recipe(tokens="blanks"), Repairs())
    assert [line.text for line in blank.context] == ["He had a fever. It fell (to 37.5 °C)."]


def test_a_mention_across_lines_is_counted_and_displaces_none_inside_a_line() -> None:
    mentions = tuple(Mention((span,), "", "problem", "") for span in ((7, 20), (7, 12)))
    document, repairs = Document("1", (Section("body", "He had renal\nfailure then"),), mentions), Repairs()
    assert [surfaces(line) for line in report(document, recipe(), repairs).context] == [["renal"], []]
    assert repairs.counts == {"mention_across_lines": 1}


def test_a_token_is_divided_where_an_entity_begins_or_ends_in_it() -> None:
    text = "had post-ileus 0.5 mg"
    document = Document("1", (Section("body", text),), (Mention(((9, 14),), "ileus", "problem", ""),))
    (line,) = report(document, recipe(tokens="blanks"), Repairs()).context
    assert (line.text, surfaces(line)) == ("had post- ileus 0.5 mg", ["ileus"])


def test_mentions_that_can_be_no_entity_are_counted() -> None:
    text = "He had a fever  then"
    mentions = (
        Mention(((9, 14),), "fever", "Age", ""),
        Mention(((0, 2), (9, 14)), "He fever", "problem", ""),
        Mention(((14, 16),), "  ", "problem", ""),
    )
    repairs = Repairs()
    found = report(Document("1", (Section("body", text),), mentions), recipe(), repairs)
    assert surfaces(found.context[0]) == []
    assert repairs.counts == {"mention_of_another_type": 1, "mention_discontinuous": 1, "mention_emptied": 1}


def test_further_types_of_the_recipe_count() -> None:
    document = Document("1", (Section("body", "a fever"),), (Mention(((2, 7),), "fever", "My Type", ""),))
    (line,) = report(document, recipe(types={"my-type": "test"}), Repairs()).context
    assert [e.type for e in line.entities] == ["test"]


@given(
    st.text("ab .,-\n()'0", max_size=60),
    st.lists(st.tuples(st.integers(0, 60), st.integers(1, 12)), max_size=8),
    st.sampled_from(["words", "blanks"]),
)
def test_entities_are_whole_tokens_apart_and_in_order(
    text: str, places: list[tuple[int, int]], tokens: str
) -> None:
    mentions = tuple(
        Mention(((a, min(a + n, len(text))),), "", "problem", "") for a, n in places if a < len(text)
    )
    repairs = Repairs()
    found = report(Document("1", (Section("body", text),), mentions), recipe(tokens=tokens), repairs)
    count = 0
    for line in found.context:
        assert line.text == " ".join(line.text.split())
        behind = -1
        for entity in line.entities:
            assert behind < entity.start < entity.end
            assert f" {line.text} "[entity.start] == " " == f"{line.text} "[entity.end]
            behind = entity.end
            count += 1
    # A line of white space alone is no line, and its entities are none.
    assert count + sum(repairs.counts.values()) <= len(mentions)
    assert "".join("".join(line.text.split()) for line in found.context) == "".join(text.split())


@pytest.mark.parametrize(
    ("semantic_type", "concept"),
    [
        ("problem", "problem"),
        ("Sign_symptom", "problem"),
        ("Disease_disorder", "problem"),
        ("Medication", "treatment"),
        ("Therapeutic_procedure", "treatment"),
        ("Diagnostic_procedure", "test"),
        ("org.apache.ctakes.typesystem.type.textsem.SignSymptomMention", "problem"),
        ("MedicationMention", "treatment"),
        ("Lab", "test"),
        ("CLINENTITY", "problem"),
        ("Disease", "problem"),
        ("Chemical", "treatment"),
        ("Disease or Syndrome", "problem"),
        ("T061", "treatment"),
        ("diap", "test"),
        ("Age", None),
        ("Anatomy", None),
        ("", None),
    ],
)
def test_types_are_known_in_any_spelling(semantic_type: str, concept: str | None) -> None:
    assert concepts({})(semantic_type) == concept


def test_the_umls_types_are_those_of_the_i2b2_guidelines() -> None:
    counts = [list(UMLS_TYPES.values()).count(kind) for kind in ("problem", "treatment", "test")]
    assert counts == [12, 8, 2]
