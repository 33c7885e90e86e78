"""Feedback as questions with sentences: those that were shown, and which of them answer.

A line of feedback, as a browser saves it, is a question, what was shown, and what the user says of it:

    {"feedback": 1, "question": "Does tea help?", "state": "answered", "sentences": [
        {"document": "27", "title": "Tea in trials", "section": "results", "text": "Tea helped.", "answers": true},
        {"document": "31", "title": "Tea and salt", "section": "methods", "text": "We gave tea.", "answers": false}],
     "stances": [{"document": "27", "text": "Tea helped.", "shown": "opposes", "right": "supports"}],
     "names": [{"text": "caffeine", "right": false}]}

answers: null or missing where the user said nothing. Nothing tells who the user is, or when.

An instance is a question with the sentences of one line, those of a paper together, papers in the order shown; its id
is a digest of question and sentences. Verdicts and names are checked and counted, and no instance is made of them. A
question without a sentence that answers teaches nothing, and is left out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from anagnosis.datasets.definition import DatasetDefinition
from anagnosis.datasets.export.authors_files import (
    AuthorsFiles,
    authors_files,
    json_lines,
    refuse_setting,
    with_dev,
)
from anagnosis.datasets.export.layouts import FewPlaces, Imported, LayoutFaults
from anagnosis.datasets.kinds.evidence import EvidenceInstance, SourceSentence
from anagnosis.datasets.sampling import falls_in
from anagnosis.io.paths import PathLike

DEFINITION = DatasetDefinition(
    title="Feedback on answers",
    what="Questions of a collection's users with the sentences shown, and which of them answer.",
    citation="Judgements of a collection's own users, saved by their browsers.",
)

TAKES_SEVERAL = True
TAKES_DEV_SHARE = True
NOT_WRITTEN = "keep them, or export with --layout jsonl"  # titles and verdicts are not kept
SAVE_AGAIN = "save it again, or delete the last line"
_ENDINGS = (".jsonl", ".ndjson")
_DIGITS = 16
_VERSION = 1
_Text = Annotated[str, Meta(max_length=10_000)]
_Name = Annotated[str, Meta(max_length=1_000)]
_Stance = Literal["supports", "opposes", "unclear"]


class FeedbackLine(msgspec.Struct, frozen=True):
    """One question. feedback: the version of this form. state: of the answer as shown (answered, closest, nothing)."""

    feedback: Literal[1]
    question: Annotated[str, Meta(min_length=1, max_length=1_000)]
    sentences: Annotated[tuple[_JudgedSentence, ...], Meta(max_length=1_000)] = ()
    state: Literal["", "answered", "closest", "nothing"] = ""
    stances: Annotated[tuple[_JudgedStance, ...], Meta(max_length=1_000)] = ()
    names: Annotated[tuple[_JudgedName, ...], Meta(max_length=1_000)] = ()


def imported(
    path: PathLike | Sequence[PathLike],
    *,
    setting: str | None = None,
    split: str | None = None,
    dev_share: float = 0,
) -> Imported:
    """The files, or a folder's; all is `train`, or of the split that is named. dev_share: of the questions of train."""
    files = authors_files(path, _ENDINGS, split=split)
    refuse_setting(setting, "feedback")
    chosen, findings = split or "train", FewPlaces()
    splits = {
        each: _instances(files, each, dev_share, findings if each == chosen else LayoutFaults())
        for each in with_dev(chosen, dev_share)
    }
    recipe: dict[str, Any] = {"dataset": "feedback", "kind": "evidence", "layout": "feedback"}
    if dev_share:
        recipe["dev_share"] = dev_share
    return Imported(splits, recipe, files.inputs, findings)


def _instances(
    files: AuthorsFiles, wanted: str, dev_share: float, findings: LayoutFaults
) -> Iterator[EvidenceInstance]:
    """The instances of a split. Repeated questions fall into one split."""
    ids: set[str] = set()
    for where, line in _lines(files, findings):
        if dev_share and falls_in(dev_share, " ".join(line.question.casefold().split())) != (wanted == "dev"):
            continue
        instance = _instance(line)
        if not any(one.held for one in instance.sentences):
            findings.refuse(where, "no_sentence_answers", line.question)
        elif instance.id in ids:
            findings.refuse(where, "repeated_id", line.question)
        else:
            ids.add(instance.id)
            findings.instances += 1
            for fault, count in (
                ("verdict_without_use", len(line.stances)),
                ("name_without_use", len(line.names)),
            ):
                if count:
                    findings.note(where, fault, f"{count} of {line.question!r}")
            yield instance


def _lines(files: AuthorsFiles, findings: LayoutFaults) -> Iterator[tuple[str, FeedbackLine]]:
    """("name:line", line) of every sound line."""
    fault = "not_feedback"
    for opened in files.opened(findings):
        for where, line in json_lines(opened, FeedbackLine, fault, findings, broken=fault, remedy=SAVE_AGAIN):
            if line.question.strip():
                yield where, line
            else:
                findings.refuse(where, "empty_question", "")


def _instance(line: FeedbackLine) -> EvidenceInstance:
    by_paper: dict[str, list[_JudgedSentence]] = {}
    for one in line.sentences:
        if one.text.strip():
            by_paper.setdefault(one.document, []).append(one)
    sentences = tuple(
        SourceSentence(one.document, one.title, one.text, one.answers)
        for own in by_paper.values()
        for one in own
    )
    shown = msgspec.json.encode([line.question, [(one.document, one.text) for one in sentences]])
    return EvidenceInstance(hashlib.sha256(shown).hexdigest()[:_DIGITS], line.question, sentences)


class _JudgedSentence(msgspec.Struct, frozen=True):
    """A sentence that was shown. answers: whether it answers the question; null where the user did not say."""

    document: Annotated[str, Meta(min_length=1, max_length=1_000)]
    text: _Text
    title: _Name = ""
    section: _Name = ""
    answers: bool | None = None


class _JudgedStance(msgspec.Struct, frozen=True):
    """A verdict that the user corrects. text: the concluding sentence. shown: "" where no verdict was shown."""

    document: _Name
    text: _Text
    right: _Stance
    shown: _Stance | Literal[""] = ""


class _JudgedName(msgspec.Struct, frozen=True):
    """A name that was shown as an answer. right: whether it is one."""

    text: _Name
    right: bool
