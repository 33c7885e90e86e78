"""Write a submission to BioASQ's task B: the answers of files.

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
from collections.abc import Mapping, Sequence
from pathlib import Path
from shlex import quote
from typing import Any, BinaryIO

import msgspec

from anagnosis.datasets.bioasq.rows import SNIPPET_KEYS
from anagnosis.datasets.folder import store
from anagnosis.datasets.kinds.question import (
    FACTOID,
    LIST,
    SUMMARY,
    TYPES,
    YESNO,
    QuestionInstance,
    RelevantItems,
    Snippet,
)
from anagnosis.errors import InputError
from anagnosis.predictions import Prediction
from anagnosis.progress import Progress
from anagnosis.submissions.bioasq import checking
from anagnosis.submissions.bioasq.rules import ADDRESS, pmid_of

Fields = dict[str, Any]
PHASES = {"A": "documents, snippets, concepts or triples", "B": "exact or ideal answers"}


class Submission(msgspec.Struct, frozen=True):
    """What was written. questions: of the split, all of them. answered: those that have something of the phase.

    left_out: lines that have something of the other phase, which is not written. unknown_fields: lines with keys
    without a meaning, which are not written either. unanswered: type → questions without what is asked for: documents
    or snippets, an exact answer, or for a summary an ideal one. in_one_text: answers to list questions that are one
    text with signs between entries, which count as one entry.
    """

    phase: str
    split: str
    questions: int
    answered: int
    left_out: int
    unknown_fields: int
    unanswered: dict[str, int]
    in_one_text: int


def checked(
    dataset: store.Dataset, files: Sequence[Path], phase: str, split: str | None
) -> tuple[str, dict[str, Prediction], int]:
    """(split, id → line, lines with unknown keys) of files. InputError: a fault of them, or no answer of the phase."""
    check, answers, problems = checking.check(dataset, files, split)
    if not check.sound:
        others = sum(check.counts.values()) - 1
        more = f", and {others:,} other fault{'' if others == 1 else 's'}" if others else ""
        file = quote(str(files[0])) if len(files) == 1 else "FILE"
        command = f"anagnosis check {quote(str(dataset.folder))} {file} --split {check.split}"
        raise InputError(f"{check.problems[0]}{more}", "", f"correct it; `{command}` lists every fault")
    if not any(_has(phase, line) for line in answers.values()):
        other = "B" if phase == "A" else "A"
        what = f"none of its lines has {PHASES[phase]}"
        raise InputError(what, str(files[0]), f"give --phase {other}, or other predictions")
    return check.split, answers, problems.counts.get("unknown_fields", 0)


def write(
    stream: BinaryIO,
    dataset: store.Dataset,
    split: str,
    phase: str,
    answers: Mapping[str, Prediction],
    unknown_fields: int = 0,
) -> Submission:
    """Write the answer to every question of a split. answers: by id."""
    count, left_out, joined, unanswered = 0, 0, 0, Counter[str]()
    stream.write(b'{"questions": [')
    with Progress(f"questions of {split}", dataset.sizes[split], "questions") as bar:
        for place, question in enumerate(store.instances(dataset, split, of=QuestionInstance)):
            line = answers.get(question.id)
            fields = phase_a(line) if phase == "A" else phase_b(question.type, line)
            stream.write(b",\n" if place else b"\n")
            stream.write(json.dumps({"id": question.id, **fields}).encode())
            if line is not None:
                count += _has(phase, line)
                left_out += _has("B" if phase == "A" else "A", line)
                joined += phase == "B" and question.type == LIST and line.in_one_text
            asked_for = "ideal_answer" if question.type == SUMMARY else "exact_answer"
            unanswered[question.type] += not (any(fields.values()) if phase == "A" else fields.get(asked_for))
            bar.advance()
    stream.write(b"\n]}\n")
    by_type = {type: unanswered[type] for type in (*TYPES, "") if unanswered[type]}
    return Submission(phase, split, dataset.sizes[split], count, left_out, unknown_fields, by_type, joined)


def _has(phase: str, line: Prediction) -> bool:
    """Whether a line has something of a phase."""
    if phase == "A":
        return line.retrieved is not None
    return line.any_answer is not None or line.ideal is not None


def phase_a(line: Prediction | None) -> Fields:
    """The documents and snippets of a question, with concepts and triples where there are some."""
    items = RelevantItems() if line is None else line.retrieved or RelevantItems()
    found: Fields = {
        "documents": [*map(_address, items.documents)],
        "snippets": [*map(_snippet, items.snippets)],
    }
    if items.concepts:
        found["concepts"] = list(items.concepts)
    if items.triples:
        found["triples"] = msgspec.to_builtins(items.triples)
    return found


def phase_b(type: str, line: Prediction | None) -> Fields:
    """The exact and the ideal answer to a question of a type."""
    texts = () if line is None else line.texts
    found: Fields = {}
    if type == YESNO and texts:
        found["exact_answer"] = texts[0].lower()
    if type in (FACTOID, LIST):
        found["exact_answer"] = [[text] for text in texts]
    if line is not None and line.ideal is not None:
        found["ideal_answer"] = line.ideal
    return found


def _address(address: str) -> str:
    pmid = pmid_of(address)
    return address if pmid is None else ADDRESS.format(pmid)


def _snippet(snippet: Snippet) -> Fields:
    fields = {key: getattr(snippet, name) for key, name in SNIPPET_KEYS.items()}
    return {**fields, "document": _address(snippet.document)}
