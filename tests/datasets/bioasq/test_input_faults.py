"""Everything odd in a question is told by its name, and each name stands in the docs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.golden_files import ADDRESS, question, snippet
from tests.rows import each_row

from anagnosis.datasets.bioasq import input_faults as module
from anagnosis.datasets.bioasq import layout
from anagnosis.datasets.bioasq.input_faults import input_faults
from anagnosis.datasets.bioasq.rows import instance_of

ROOT = Path(__file__).resolve().parents[3]
ODD: dict[str, dict[str, Any]] = {
    "question_without_mark": question(body="Name a gene."),
    "question_outer_blanks": question(body=" Which gene?"),
    "no_type": question(type=None),
    "leftover_field": question(_body="Which ???"),
    "other_document_address": question(
        documents=[ADDRESS + "101", "https://pubmed.ncbi.nlm.nih.gov/1/"], snippets=[snippet()]
    ),
    "no_snippets": question(snippets=[]),
    "null_in_triple": question(triples=[{"s": "a", "p": "b", "o": None}]),
    "snippet_leftover_field": question(snippets=[snippet(note="x")]),
    "snippet_repeated": question(snippets=[snippet(), snippet(), snippet()]),
    "snippet_document_not_listed": question(snippets=[snippet(document=ADDRESS + "7")]),
    "snippet_section_of_old_index": question(
        snippets=[snippet(beginSection="sections.0", endSection="sections.0")]
    ),
    "snippet_over_two_sections": question(snippets=[snippet(endSection="title")]),
    "snippet_outer_blanks": question(snippets=[snippet("Blue. ")]),
    "snippet_line_break": question(snippets=[snippet("Blue\nmice.")]),
    "snippet_without_offsets": question(snippets=[snippet(offsetInEndSection=None)]),
    "snippet_end_before_begin": question(snippets=[snippet(offsetInEndSection=9)]),
    "snippet_end_inclusive": question(snippets=[snippet("Blue", offsetInEndSection=13)]),
    "snippet_offsets_of_other_length": question(snippets=[snippet("Blue", offsetInEndSection=99)]),
    "ideal_answer_is_a_string": question(ideal_answer="It is."),
    "answer_unreadable": question(exact_answer={"a": 1}),
    "no_exact_answer": question(exact_answer=None),
    "answer_in_capitals": question(kind="yesno", exact_answer="No"),
    "answer_not_yes_or_no": question(kind="yesno", exact_answer="maybe"),
    "factoid_answer_flat": question(exact_answer=["XYZ1", "XYZ-1"]),
    "list_answer_flat": question(kind="list", exact_answer=["XYZ1"]),
    "answer_empty": question(kind="list", exact_answer=[["", " "], ["a"]]),
    "answer_full_stop": question(exact_answer=[["XYZ1."]]),
    "answer_outer_blanks": question(exact_answer=[["XYZ1 "]]),
    "answer_synonym_repeated": question(exact_answer=[["XYZ1", "xyz1"]]),
    "answer_not_text": question(exact_answer=[[46]]),
}
TIMES = {"snippet_repeated": 2}


def told(value: dict[str, Any]) -> list[str]:
    return [name for name, _ in input_faults(value, instance_of(value, "", 0))]


@pytest.mark.parametrize("kind", ["yesno", "factoid", "list", "summary"])
def test_a_clean_question_has_none(kind: str) -> None:
    assert told(question(kind=kind)) == []


@each_row(("name", "value"), ODD.items(), ids=ODD)
def test_each_oddity_is_told_and_nothing_else(name: str, value: dict[str, Any]) -> None:
    found = told(value)
    if name == "answer_empty":  # " " has outer blanks too
        found.remove("answer_outer_blanks")
    assert found == [name] * TIMES.get(name, 1)


def test_a_repeated_snippet_counts_each_time_for_its_other_dirt() -> None:
    found = told(question(snippets=[snippet("Blue. ")] * 3))
    assert (found.count("snippet_repeated"), found.count("snippet_outer_blanks")) == (2, 3)


def test_every_name_that_the_source_counts_is_tried_here_and_stands_in_the_docs() -> None:
    source = Path(module.__file__).read_text("utf-8")
    names = set(re.findall(r'yield "([a-z_]+)"', source)) | set(re.findall(r'\(?"(answer_[a-z_]+)"', source))
    assert names <= ODD.keys() | {"answer_in_capitals"}
    also = set(re.findall(r'(?:note|refuse)\([\w.]+, "([a-z_]+)"', Path(layout.__file__).read_text("utf-8")))
    assert {"repeated_id", "twin_of_held_out"} <= also
    page = (ROOT / "docs/receipts.md").read_text("utf-8")
    missing = [name for name in sorted(ODD.keys() | also) if f"`{name}`" not in page]
    assert not missing
