"""A submission's file: one object, a question a line, in ASCII.

    {"questions": [
    {"id": "5c72…", "documents": ["http://www.ncbi.nlm.nih.gov/pubmed/18094723"], "snippets": […]},
    {"id": "5c73…", "exact_answer": [["BRCA1"]], "ideal_answer": "…"}
    ]}

Every question of the split is there, since the organisers' program ends where one is missing. One without an answer has
an empty list (factoid, list, documents, snippets) or lacks the key. Addresses are written as in the golden files,
since the program compares them as texts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, BinaryIO

from anagnosis.datasets.kinds.question import FACTOID, LIST, SUMMARY, YESNO, QuestionInstance, Snippet
from anagnosis.predictions import Prediction
from anagnosis.submissions.bioasq.rules import ADDRESS, pmid_of

Fields = dict[str, Any]


def phase_a(question: QuestionInstance, prediction: Prediction | None) -> Fields:
    """The documents and snippets of a question, with concepts and triples where there are some."""
    items = None if prediction is None else prediction.retrieved
    found: Fields = {
        "documents": [] if items is None else [*map(_address, items.documents)],
        "snippets": [] if items is None else [*map(_snippet, items.snippets)],
    }
    if items is not None and items.concepts:
        found["concepts"] = list(items.concepts)
    if items is not None and items.triples:
        found["triples"] = [{"s": triple.s, "p": triple.p, "o": triple.o} for triple in items.triples]
    return found


def phase_b(question: QuestionInstance, prediction: Prediction | None) -> Fields:
    """The exact and the ideal answer to a question."""
    answer = None if prediction is None else prediction.any_answer
    answers = [] if answer is None else [answer] if isinstance(answer, str) else answer
    found: Fields = {}
    if question.type == YESNO and answers:
        found["exact_answer"] = answers[0].lower()
    if question.type in (FACTOID, LIST):
        found["exact_answer"] = [[text] for text in answers]
    if prediction is not None and prediction.ideal is not None:
        found["ideal_answer"] = prediction.ideal
    return found


@dataclass(frozen=True, slots=True)
class Phase:
    """fields: of a question. answers: whether a prediction has some of them. asks_for: in words.

    done: (type, fields) → whether a question of that type has what it is asked for.
    """

    fields: Callable[[QuestionInstance, Prediction | None], Fields]
    answers: Callable[[Prediction], bool]
    asks_for: str
    done: Callable[[str, Fields], bool]


PHASES = {
    "A": Phase(
        phase_a,
        lambda prediction: prediction.retrieved is not None,
        "documents, snippets, concepts or triples",
        lambda type, fields: any(fields.values()),
    ),
    "B": Phase(
        phase_b,
        lambda prediction: prediction.any_answer is not None or prediction.ideal is not None,
        "exact or ideal answers",
        lambda type, fields: bool(fields.get("ideal_answer" if type == SUMMARY else "exact_answer")),
    ),
}


def write(stream: BinaryIO, questions: Iterable[tuple[str, Fields]]) -> int:
    """Write (id, fields) of each question; gives how many."""
    count = 0
    stream.write(b'{"questions": [')
    for ident, fields in questions:
        stream.write(b",\n" if count else b"\n")
        stream.write(json.dumps({"id": ident, **fields}).encode())
        count += 1
    stream.write(b"\n]}\n")
    return count


def _address(address: str) -> str:
    pmid = pmid_of(address)
    return address if pmid is None else ADDRESS.format(pmid)


def _snippet(snippet: Snippet) -> Fields:
    return {
        "document": _address(snippet.document),
        "text": snippet.text,
        "beginSection": snippet.begin_section,
        "endSection": snippet.end_section,
        "offsetInBeginSection": snippet.begin,
        "offsetInEndSection": snippet.end,
    }
