"""Input faults of a question as the organisers wrote it: counted by name, never changed (docs/receipts.md).

Of snippets every one counts, of the rest every question.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, cast

from anagnosis.datasets.bioasq.rows import SNIPPET_KEYS
from anagnosis.datasets.kinds.question import FACTOID, LIST, SUMMARY, YESNO, QuestionInstance, Snippet

KEYS = (
    "body",
    "documents",
    "snippets",
    "exact_answer",
    "ideal_answer",
    "concepts",
    "triples",
    "type",
    "id",
)
_ADDRESS = re.compile(r"http://www\.ncbi\.nlm\.nih\.gov/pubmed/[0-9]+")
_LINE_BREAK = re.compile(r"[\r\n]")


def input_faults(value: Mapping[str, Any], instance: QuestionInstance) -> Iterator[tuple[str, str]]:
    """(name, what) of everything odd. value: the organisers' object that the instance was made of."""
    if not instance.question.endswith("?"):
        yield "question_without_mark", instance.question[-40:]
    if instance.question != instance.question.strip():
        yield "question_outer_blanks", repr(instance.question[-40:])
    if not instance.type:
        yield "no_type", "the question has no type"
    if others := [key for key in value if key not in KEYS]:
        yield "leftover_field", ", ".join(map(str, others))
    if odd := [address for address in instance.documents if not _ADDRESS.fullmatch(address)]:
        yield "other_document_address", odd[0]
    if not instance.snippets:
        yield "no_snippets", "no snippets" if "snippets" not in value else "an empty list of snippets"
    if any(part is None for triple in _triples(value) for part in triple):
        yield "null_in_triple", "a part of a triple is null"
    yield from _of_snippets(value, instance)
    yield from _of_answers(value, instance)


def _triples(value: Mapping[str, Any]) -> Iterator[list[Any]]:
    triples = value.get("triples")
    for triple in cast("list[Any]", triples) if isinstance(triples, list) else []:
        if isinstance(triple, dict):
            yield list(cast("dict[str, Any]", triple).values())


def _of_snippets(value: Mapping[str, Any], instance: QuestionInstance) -> Iterator[tuple[str, str]]:
    for row in cast("list[dict[str, Any]]", value.get("snippets") or []):
        if strange := [key for key in row if key not in SNIPPET_KEYS]:
            yield "snippet_leftover_field", ", ".join(map(str, strange))
    listed = set(instance.documents)
    for snippet, times in Counter(instance.snippets).items():
        for _ in range(times - 1):
            yield "snippet_repeated", snippet.text[:40]
        for name, what in _of_snippet(snippet, listed):
            for _ in range(times):
                yield name, what


def _of_snippet(snippet: Snippet, listed: set[str]) -> Iterator[tuple[str, str]]:
    if snippet.document not in listed:
        yield "snippet_document_not_listed", snippet.document
    if snippet.begin_section.startswith("sections."):
        yield "snippet_section_of_old_index", snippet.begin_section
    if snippet.begin_section != snippet.end_section:
        yield "snippet_over_two_sections", f"{snippet.begin_section} to {snippet.end_section}"
    if snippet.text != snippet.text.strip():
        yield "snippet_outer_blanks", repr(snippet.text[-40:])
    if _LINE_BREAK.search(snippet.text):
        yield "snippet_line_break", repr(snippet.text[:40])
    if snippet.begin is None or snippet.end is None:
        yield "snippet_without_offsets", snippet.text[:40]
    elif snippet.end - snippet.begin != len(snippet.text):
        what = f"{snippet.begin} to {snippet.end} for {len(snippet.text)} characters"
        if snippet.end < snippet.begin:
            yield "snippet_end_before_begin", what
        elif snippet.end - snippet.begin == len(snippet.text) - 1:
            yield "snippet_end_inclusive", what
        else:
            yield "snippet_offsets_of_other_length", what


def _of_answers(value: Mapping[str, Any], instance: QuestionInstance) -> Iterator[tuple[str, str]]:
    answer, exact = value.get("exact_answer"), instance.exact
    if isinstance(value.get("ideal_answer"), str):
        yield "ideal_answer_is_a_string", "one string, no list"
    if exact is None:
        if answer is not None:
            yield "answer_unreadable", repr(answer)[:60]
        elif instance.type not in (SUMMARY, ""):
            yield "no_exact_answer", f"a question of type {instance.type}"
        return
    if instance.type == YESNO:
        if answer not in ("yes", "no"):
            other = str(answer).lower() in ("yes", "no")
            yield ("answer_in_capitals" if other else "answer_not_yes_or_no"), repr(answer)[:60]
        return
    parts = cast("list[Any]", answer) if isinstance(answer, list) else [answer]
    if instance.type in (FACTOID, LIST) and not all(isinstance(part, list) for part in parts):
        yield f"{instance.type}_answer_flat", repr(answer)[:60]
    texts = [text for entry in exact for text in entry]
    listed = (cast("list[Any]", each) if isinstance(each, list) else [each] for each in parts)
    for name, found in (
        ("answer_empty", [text for text in texts if not text.strip()]),
        ("answer_full_stop", [text for text in texts if text.rstrip().endswith(".")]),
        ("answer_outer_blanks", [text for text in texts if text != text.strip()]),
        (
            "answer_synonym_repeated",
            [entry[0] for entry in exact if len({t.lower() for t in entry}) < len(entry)],
        ),
        ("answer_not_text", [part for each in listed for part in each if not isinstance(part, str)]),
    ):
        if found:
            yield name, repr(found[0])[:60]
