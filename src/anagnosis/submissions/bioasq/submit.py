"""Write a submission to BioASQ's task B: the answers of a file, or what an index retrieves.

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
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.question import FACTOID, LIST, SUMMARY, TYPES, YESNO, QuestionInstance, Snippet
from anagnosis.datasets.kinds.table import demand_record
from anagnosis.errors import InputError, unknown_name
from anagnosis.predictions import Prediction
from anagnosis.progress import Progress
from anagnosis.submissions.bioasq.checking import Answered, answered, refuse_faults
from anagnosis.submissions.bioasq.rules import ADDRESS, Texts, pmid_of

Fields = dict[str, Any]


class Submission(msgspec.Struct, frozen=True):
    """What was written. questions: of the split, all of them. answered: those that have something of the phase.

    left_out: lines that have something of the other phase, which is not written. unknown_fields: keys without a
    meaning, which are not written either. unanswered: type → questions without what is asked for: documents or
    snippets, an exact answer, or for a summary an ideal one. in_one_text: answers to list questions that are one text
    with signs between entries, which count as one entry.
    """

    phase: str
    split: str
    questions: int
    answered: int
    left_out: int = 0
    unknown_fields: int = 0
    unanswered: dict[str, int] = {}
    in_one_text: int = 0


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


def phase_named(name: str) -> Phase:
    """The phase A or B. InputError: another name."""
    if name not in PHASES:
        raise unknown_name("phase", name, PHASES, "--phase")
    return PHASES[name]


def submitted(
    dataset: store.Dataset, files: Sequence[Path], phase: str, split: str | None, texts: Texts | None = None
) -> tuple[Answered, Submission]:
    """The checked answers of files. InputError: a fault of them, or no answer of the phase."""
    wanted, other = phase_named(phase), PHASES["B" if phase == "A" else "A"]
    given = answered(dataset, files, split)
    refuse_faults(dataset, given, files, texts)
    count = sum(map(wanted.answers, given.predictions.values()))
    if not count:
        what = f"none of its lines has {wanted.asks_for}"
        remedy = f"give --phase {'B' if phase == 'A' else 'A'}, or other predictions"
        raise InputError(what, given.name, remedy)
    left_out = sum(map(other.answers, given.predictions.values()))
    unknown = given.problems.get("unknown_fields")
    about = Submission(
        phase,
        given.split,
        dataset.sizes[given.split],
        count,
        left_out,
        0 if unknown is None else unknown.count,
    )
    return given, about


def write_answers(stream: BinaryIO, dataset: store.Dataset, given: Answered, about: Submission) -> Submission:
    """Write the answers of files to every question of their split; gives `about` with what was counted meanwhile."""
    phase, joined, unanswered = phase_named(about.phase), 0, Counter[str]()

    def each() -> Iterator[tuple[str, Fields]]:
        nonlocal joined
        for question in store.instances(dataset, given.split, of=QuestionInstance):
            prediction = given.predictions.get(question.id)
            fields = phase.fields(question, prediction)
            unanswered[question.type] += not phase.done(question.type, fields)
            joined += question.type == LIST and prediction is not None and prediction.in_one_text
            yield question.id, fields

    write(stream, each())
    return msgspec.structs.replace(about, unanswered=_by_type(unanswered), in_one_text=joined)


def _by_type(counts: Counter[str]) -> dict[str, int]:
    return {type: counts[type] for type in (*TYPES, "") if counts[type]}


def write_retrieved(
    stream: BinaryIO, dataset: store.Dataset, split: str, retrieve: Callable[[str, str], Prediction]
) -> Submission:
    """Write what a collection gives for every question of a split. retrieve: (id, question) → its items."""
    demand_record(dataset.kind, QuestionInstance, str(dataset.folder))
    answers, unanswered = 0, Counter[str]()

    def each() -> Iterator[tuple[str, Fields]]:
        nonlocal answers
        with Progress(f"retrieving for {split}", dataset.sizes[split], "questions") as bar:
            for question in store.instances(dataset, split, of=QuestionInstance):
                found = retrieve(question.id, question.question)
                answers += bool(found.documents)
                unanswered[question.type] += not found.documents
                yield question.id, phase_a(question, found)
                bar.advance()

    count = write(stream, each())
    return Submission("A", split, count, answers, unanswered=_by_type(unanswered))


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
