"""BioRead's text form: instances as lines, with separators of 30 hyphens and 30 equals signs.

    we gave @entity0 to @entity1 .      the passage, one line or several
    ------------------------------
    then XXXXXX slept .                 the question
    ------------------------------
    @entity0:l-dopa                     the candidates, one a line
    @entity1:rats
    ------------------------------
    @entity1:rats                       the answer
    ==============================

Known from a user's converter (kiendang/bioread, commit b3622c5) and from a description of the files; nobody here has
seen them. Blank lines, white space around separators, a missing or doubled last separator, `@placeholder` and an answer
without its name are read and counted; this form is what we write.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from anagnosis.errors import InputError, TruncatedError
from anagnosis.recipes.load import MOST

SEGMENT = "-" * 30
INSTANCE = "=" * 30
HIDDEN = "XXXXXX"
_OTHER_HIDDEN = "@placeholder"
_CANDIDATE = re.compile(r"@entity(0|[1-9][0-9]{0,9})(?::(.*))?\Z", re.DOTALL)
_SEGMENTS = ("passage", "question", "candidates", "answer")
LONGEST = 16 << 20  # bytes of an instance; a file of anything else would be gathered whole
_NOT_THE_LAYOUT = "give files of BioRead's text form, or name another --layout"


class Row(msgspec.Struct, frozen=True, gc=False):
    """One instance. candidates: number → name, None where the line has none. answer: a number."""

    passage: str
    question: str
    candidates: dict[int, str | None]
    answer: int


class Chunk(msgspec.Struct, frozen=True, gc=False):
    """The lines of one instance, without its last separator. line: number of the first; ended: by the separator."""

    line: int
    text: str
    ended: bool


class RowError(Exception):
    """An instance that can't be read. name: of the fault; args[0]: what is wrong."""

    def __init__(self, name: str, what: str) -> None:
        super().__init__(what)
        self.name = name


def spelled(row: Row) -> str:
    """The instance as we write it, with its last separator."""
    lines = [_candidate_line(number, name) for number, name in row.candidates.items()]
    answer = _candidate_line(row.answer, row.candidates[row.answer])
    parts = (row.passage, row.question, "\n".join(lines), answer)
    return f"\n{SEGMENT}\n".join(parts) + f"\n{INSTANCE}\n"


def chunks(stream: Iterable[bytes], name: str, deviations: Counter[str]) -> Iterator[Chunk]:
    """The instances of a file one by one; an empty one is a doubled separator, and counted.

    InputError: bytes that are not UTF-8, or an instance longer than any can be. TruncatedError: the file ends inside
    an instance.
    """
    lines: list[str] = []
    begin, size, number = 1, 0, 0
    for number, raw in enumerate(stream, 1):
        try:
            line = raw.decode()
        except UnicodeDecodeError as fault:
            raise InputError("not UTF-8", f"{name}:{number}", _NOT_THE_LAYOUT) from fault
        if line.strip() == INSTANCE:
            if line != f"{INSTANCE}\n":
                deviations["white_space_around_separator"] += 1
            if any(each.strip() for each in lines):
                yield Chunk(begin, "".join(lines), True)
            else:
                deviations["doubled_separator"] += 1
            lines, begin, size = [], number + 1, 0
            continue
        lines.append(line)
        size += len(raw)
        if size > LONGEST:
            what = f"no line of 30 equals signs in {LONGEST >> 20} MiB"
            raise InputError(what, f"{name}:{begin}", _NOT_THE_LAYOUT)
    if any(each.strip() for each in lines):
        deviations["missing_last_separator"] += 1
        yield Chunk(begin, "".join(lines), False)
    elif lines:
        deviations["blank_line"] += 1


def parsed(chunk: Chunk, name: str, deviations: Counter[str]) -> Row:
    """The instance in a chunk. RowError: it is broken. TruncatedError: it is the last, and the file broke off."""
    try:
        row = _parsed(chunk, deviations)
    except RowError as fault:
        if chunk.ended:
            raise
        what = f"breaks off inside an instance ({fault.args[0]}), or is no file of BioRead's text form"
        raise TruncatedError(what, f"{name}:{chunk.line}", "fetch the file again") from fault
    if chunk.ended and spelled(row) != f"{chunk.text}{INSTANCE}\n":
        deviations["other_spelling"] += 1
    return row


def _parsed(chunk: Chunk, deviations: Counter[str]) -> Row:
    segments: list[list[str]] = [[]]
    for line in chunk.text.split("\n"):
        if line.strip() == SEGMENT:
            segments.append([])
        elif line.strip():
            segments[-1].append(line)
    blank = sum(not line.strip() for line in chunk.text.removesuffix("\n").split("\n"))
    if blank:
        deviations["blank_line"] += 1
    if len(segments) != len(_SEGMENTS):
        raise RowError("segments", f"{len(segments)} parts between 30 hyphens, not {len(_SEGMENTS)}")
    for what, segment in zip(_SEGMENTS, segments, strict=True):
        if not segment:
            raise RowError("segments", f"no {what}")
    passage, question = ("\n".join(segment) for segment in segments[:2])
    if HIDDEN not in question and _OTHER_HIDDEN in question:
        deviations["other_placeholder"] += 1
        question = question.replace(_OTHER_HIDDEN, HIDDEN)
    candidates: dict[int, str | None] = {}
    for line in segments[2]:
        number, called = _candidate(line)
        if number in candidates:
            raise RowError("candidates_repeat", f"@entity{number} stands twice")
        if called is not None and ":" in called:
            deviations["name_with_colon"] += 1
        candidates[number] = called
    if len(segments[3]) != 1:
        raise RowError("answer", f"{len(segments[3])} lines of answer, not 1")
    answer, called = _candidate(segments[3][0])
    if answer not in candidates:
        raise RowError("answer", f"the answer @entity{answer} is no candidate")
    if called != candidates[answer]:
        deviations["answer_without_name" if called is None else "answer_of_other_name"] += 1
    return Row(passage, question, candidates, answer)


def _candidate(line: str) -> tuple[int, str | None]:
    found = _CANDIDATE.match(line.removesuffix("\r"))
    if found is None or int(found[1]) > MOST:
        raise RowError("candidate_line", f"{line[:40]!r} is not @entityN:name")
    return int(found[1]), found[2]


def _candidate_line(number: int, name: str | None) -> str:
    return f"@entity{number}" if name is None else f"@entity{number}:{name}"
