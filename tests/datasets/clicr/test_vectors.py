"""The published program's answers on made-up input: functions of the construction, case by case."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from anagnosis.datasets.clicr import as_published, boundaries, marks
from anagnosis.datasets.clicr.as_published import Entity, bounded, passage_letters, query, without_citations
from anagnosis.datasets.clicr.questions import is_exact_repeat
from anagnosis.datasets.kinds.cloze_instance import entity_token

STOPPED = "the program stops"

OF_TEXTS: dict[str, tuple[int, Callable[[str], Any]]] = {
    "fix_marks": (13, marks.set_marks_apart),
    "exclude_fn_words": (20, boundaries.without_function_word),
    "exclude_parentheticals": (15, boundaries.without_parenthesis),
    "read_concept_text": (7, marks.words_and_entities),
    "to_entities": (10, marks.entity_tokens),
    "ent_to_plain": (5, marks.entity_name),
    "plain_to_ent": (6, entity_token),
    "remove_citation": (28, without_citations),
}


def cases(shared: Path, name: str) -> Iterator[tuple[dict[str, Any], Any]]:
    """(input, output) of each case of a file."""
    for case in json.loads((shared / f"vectors/clicr/{name}.json").read_text("utf-8"))["cases"]:
        yield case["input"], case.get("output", case.get("longer_side", STOPPED))


@pytest.mark.parametrize("name", OF_TEXTS)
def test_a_function_of_a_text_gives_the_programs_answers(name: str, shared: Path) -> None:
    count, function = OF_TEXTS[name]
    listed = list(cases(shared, name))
    for given, output in listed:
        (text,) = given.values()
        try:
            assert function(text) == output, text
        except marks.InconsistentMarksError:
            assert output == STOPPED, text
    assert len(listed) == count


def test_passages_are_marked_as_by_the_program(shared: Path) -> None:
    listed = list(cases(shared, "mark_entities"))
    for given, output in listed:
        spans = {start: end for start, end, _ in given["entities"]}
        letters = passage_letters(given["txt"], set(spans), set(spans.values()))
        assert bounded(marks.set_marks_apart(letters)) == output
    assert len(listed) == 14


def test_queries_are_made_as_by_the_program(shared: Path) -> None:
    listed = [case for case in cases(shared, "build_query") if case[0]["mark"]]
    for given, output in listed:
        spans = {start: (end, label) for start, end, label in given["entities"]}
        end, (kind, _, identifier) = spans[given["start"]]
        ends = {end for end, _ in spans.values()}
        try:
            answer, line = query(given["text"], (given["start"], end), set(spans), ends)
            assert [answer, kind, identifier, line] == output
        except marks.InconsistentMarksError:
            assert output == STOPPED
    assert len(listed) == 22


def test_exact_repeats_are_those_of_the_program(shared: Path) -> None:
    listed = list(cases(shared, "remove_exact_repeats"))
    for given, output in listed:
        if "output" in output:
            texts = [text for text, _ in given["queries"]]
            kept = [n for n, text in enumerate(texts) if not is_exact_repeat(text, given["context"])]
            assert kept == output["output"]
    assert len(listed) == 17


def reports(shared: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(shared / "vectors/clicr/fuzz_reports.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def built(case: dict[str, Any]) -> as_published.Report | str | None:
    try:
        entities = [Entity(*each) for each in case["entities"]]
        return as_published.build(case["text"], entities)
    except as_published.StopsError as fault:
        return str(fault)


def test_1500_random_reports_become_the_programs_documents(shared: Path) -> None:
    seen = Counter[str]()
    for case in reports(shared):
        made, document = built(case), case.get("document", STOPPED)
        if isinstance(made, str):
            assert "raises" in (case["marked"] if document == STOPPED else document), case
            seen["stopped"] += 1
        elif made is None:
            assert document is None
            seen["left out"] += 1
        else:
            numbers = [str(each.number) for each in made.queries]
            assert {"title": made.title, "context": made.context, "kept": numbers} == document
            seen.update(documents=1, queries=len(numbers))
            seen["without repeats"] += kept(made, case["without_repeats"])
    assert seen == {
        "stopped": 116,
        "left out": 240,
        "documents": 1144,
        "queries": 988,
        "without repeats": 909,
    }


def kept(report: as_published.Report, numbers: list[str] | str) -> int:
    """How many queries are no repeats; `numbers` are the program's, or the name of its exception."""
    if numbers == "ZeroDivisionError":  # of a percentage that it prints
        assert report.queries == ()
        return 0
    try:
        left = [str(each.number) for each in as_published.without_exact_repeats(report)]
    except as_published.StopsError:
        left = "AssertionError"
    assert left == numbers
    return len(left) if isinstance(left, list) else 0
