"""Recognition of our output files, which a command may overwrite without `--replace`.

RECOGNISED maps a kind of output to its test. A report in HTML, Markdown or LaTeX ends in a comment with the digest of
the text before it, so we do not recognise an edited page:

    <!-- anagnosis report 9f2c… -->

We recognise predictions by lines in our exact spelling with a dataset's fingerprint, or by a note beside them with
their digest; a stored vocabulary by the digest in its second line; a submission by its spelling, a question a line.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from anagnosis.decoding import json_or_none
from anagnosis.files import CHUNK, sha256

# Suffix of a report → the comment with its digest.
COMMENTS = {
    ".html": "<!-- anagnosis report {} -->",
    ".md": "<!-- anagnosis report {} -->",
    ".tex": "% anagnosis report {}",
}
_COMMENT = re.compile(rb"(?:<!--|%) anagnosis report ([0-9a-f]{64})(?: -->)?\n")
_FINGERPRINT = re.compile(r"[0-9a-f]{64}")
_VOCABULARY = b"anagnosis vocabulary "
# Keys of a question in a submission that we write.
_SUBMITTED = {"id", "documents", "snippets", "concepts", "triples", "exact_answer", "ideal_answer"}
_LONGEST_LINE = 1 << 24
_ENDINGS = re.compile(r"(\.jsonl)?(\.gz|\.zst)?$")


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line that we write. People's lines have no scores, those of other programs seldom a fingerprint."""

    id: str
    answer: str | None
    scores: dict[str, float]
    dataset: str


class _Note(msgspec.Struct, frozen=True):
    predictions_sha256: str


class _AnnotationNote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    papers_sha256: str
    origin: dict[str, Any]


def is_ours(path: Path, kind: str) -> bool:
    """Whether a file is recognisably our unchanged output of that kind."""
    recognised = RECOGNISED[kind]
    try:
        return recognised is not None and recognised(path)
    except OSError:
        return False


def signed(text: str, suffix: str) -> str:
    """A report's text with the comment that `is_ours` checks, if its format has comments."""
    if suffix not in COMMENTS:
        return text
    return text + COMMENTS[suffix].format(hashlib.sha256(text.encode()).hexdigest()) + "\n"


def note_of(predictions: Path) -> Path:
    """The note beside a predictions file: NAME.run.json of NAME.jsonl."""
    return predictions.with_name(_ENDINGS.sub("", predictions.name) + ".run.json")


def annotation_note_of(papers: Path) -> Path:
    """The note beside annotated papers: NAME.annotation of NAME.jsonl."""
    return papers.with_name(_ENDINGS.sub("", papers.name) + ".annotation")


def _is_signed(path: Path) -> bool:
    data = path.read_bytes()
    last = data.rfind(b"\n", 0, -1) + 1
    match = _COMMENT.fullmatch(data[last:])
    return match is not None and hashlib.sha256(data[:last]).hexdigest().encode() == match[1]


def _is_json_report(path: Path) -> bool:
    """Whether a file is a report's JSON in our exact spelling."""
    data = path.read_bytes()
    try:
        value = json.loads(data)
    except ValueError:
        return False
    shape = isinstance(value, dict) and next(iter(value), "") == "record"
    return shape and (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode() == data


def _is_predictions(path: Path) -> bool:
    note = note_of(path)
    if note.is_file():
        noted = _noted(note)
        return noted is not None and noted == sha256(path)
    decode = msgspec.json.Decoder(_Line).decode
    encode = msgspec.json.Encoder().encode
    lines = 0
    with path.open("rb", buffering=CHUNK) as stream:
        while line := stream.readline(_LONGEST_LINE):
            lines += 1
            try:
                ours = decode(line)
            except (msgspec.MsgspecError, UnicodeError):
                return False
            if not _FINGERPRINT.fullmatch(ours.dataset) or encode(ours) + b"\n" != line:
                return False
    return lines > 0


def _is_note(path: Path) -> bool:
    return _noted(path) is not None


def _is_annotation_note(path: Path) -> bool:
    return json_or_none(path, _AnnotationNote) is not None


def _noted(path: Path) -> str | None:
    """The digest that a note holds; None: it is no note."""
    note = json_or_none(path, _Note)
    return note.predictions_sha256 if note else None


def _is_vocabulary(path: Path) -> bool:
    """Whether the second line is the digest of what follows it, behind the first line of a stored vocabulary."""
    with path.open("rb") as stream:
        if not stream.readline(len(_VOCABULARY) + 8).startswith(_VOCABULARY):
            return False
        digest = stream.readline(65)
        return hashlib.file_digest(stream, "sha256").hexdigest().encode() + b"\n" == digest


def _is_submission(path: Path) -> bool:
    """Whether a file is a submission in our exact spelling (submissions/bioasq/writing.py)."""
    with path.open("rb") as stream:
        if stream.readline(64) != b'{"questions": [\n':
            return False
        while line := stream.readline(_LONGEST_LINE):
            if line == b"]}\n":
                return not stream.read(1)
            spelled = line.removesuffix(b"\n").removesuffix(b",")
            try:
                question = json.loads(spelled)
            except (ValueError, RecursionError):
                return False
            if not (isinstance(question, dict) and question.keys() <= _SUBMITTED and "id" in question):
                return False
            if json.dumps(question).encode() != spelled:
                return False
    return False


# None: we cannot distinguish such a file from other people's.
RECOGNISED: dict[str, Callable[[Path], bool] | None] = {
    "predictions": _is_predictions,
    "note": _is_note,
    "annotation note": _is_annotation_note,
    "report.html": _is_signed,
    "report.md": _is_signed,
    "report.tex": _is_signed,
    "report.json": _is_json_report,
    "report.csv": None,
    "report.txt": None,
    "vocabulary": _is_vocabulary,
    "documents": None,  # PubTator text and documents as JSON lines
    "export": None,  # the authors' layouts, rows of a view and tasks, byte for byte as others read them
    "run file": None,  # TREC's
    "tagger": None,  # CRFsuite's
    "judgements": None,  # lines of people that are no predictions
    "word vectors": None,  # word2vec's
    "submission": _is_submission,
    "references": None,  # RIS, BibTeX, CSV and JSON lines, byte for byte as other programs read them
}
