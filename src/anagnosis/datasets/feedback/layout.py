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
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from anagnosis.datasets.export.layouts import FewPlaces, Imported, LayoutFaults
from anagnosis.datasets.folder.receipt import Input
from anagnosis.datasets.kinds.evidence import EvidenceInstance, SourceSentence
from anagnosis.datasets.sampling import falls_in
from anagnosis.datasets.splits import SPLITS
from anagnosis.documents.io.malformed import is_cut
from anagnosis.errors import InputError, TruncatedError, unknown_name
from anagnosis.io.files import STANDARD_INPUT, open_input, sha256
from anagnosis.io.input_files import input_files
from anagnosis.io.paths import PathLike
from anagnosis.wording import reworded

TAKES_SEVERAL = True
TAKES_DEV_SHARE = True
NOT_WRITTEN = "keep them, or export with --layout jsonl"  # titles and verdicts are not kept
LONGEST_LINE = 1 << 24
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
    paths = [path] if isinstance(path, PathLike) else list(path)
    if split is not None and split not in SPLITS:
        raise unknown_name("split", split, SPLITS, "option split")
    if any(str(each) == STANDARD_INPUT for each in paths):
        raise InputError("the layout cannot be read from standard input", "-", "name the file")
    if setting is not None:
        raise InputError("feedback has no settings", "--setting", "leave it out")
    chosen = split or "train"
    if dev_share and chosen != "train":
        raise InputError("a share for dev is taken of train", "--dev-share", "leave out one of the two")
    files, findings = input_files(paths, _ENDINGS), FewPlaces()
    splits = {chosen: _instances(files, chosen, dev_share, findings)}
    if dev_share:
        splits["dev"] = _instances(files, "dev", dev_share, LayoutFaults())
    recipe: dict[str, Any] = {"dataset": "feedback", "kind": "evidence", "layout": "feedback"}
    if dev_share:
        recipe["dev_share"] = dev_share
    inputs = tuple(Input(name, file.stat().st_size, sha256(file)) for name, file in files)
    return Imported(splits, recipe, inputs, {}, findings)


def _instances(
    files: Sequence[tuple[str, Path]], wanted: str, dev_share: float, findings: LayoutFaults
) -> Iterator[EvidenceInstance]:
    """Those of a split. Repeated questions fall into one split."""
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


def _lines(files: Sequence[tuple[str, Path]], findings: LayoutFaults) -> Iterator[tuple[str, FeedbackLine]]:
    """("name:line", line) of every sound line."""
    for name, path in files:
        with open_input(path) as stream:
            number = 0
            while data := stream.readline(LONGEST_LINE + 1):
                number += 1
                where = f"{name}:{number}"
                if len(data) > LONGEST_LINE:
                    raise InputError(
                        f"a line longer than {LONGEST_LINE >> 20} MiB", where, "give one question a line"
                    )
                if not data.strip():
                    continue
                try:
                    line = _decoder.decode(data)
                except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as fault:
                    if not data.endswith(b"\n") and is_cut(fault):
                        raise TruncatedError("the file ends inside a line", where, SAVE_AGAIN) from fault
                    findings.refuse(where, "not_feedback", reworded(fault))
                    continue
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


_decoder = msgspec.json.Decoder(FeedbackLine)
