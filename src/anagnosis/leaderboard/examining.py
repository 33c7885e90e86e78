"""One predictions file of a submission, held strictly against the datasets of a board: all its faults at once.

What `score` counts and passes over, a board refuses: ids that are missing, repeated or unknown, lines for another
dataset, fields that a prediction does not have (those of the gold are among them). No answer of the gold side is read
for it, so that whoever submits can do the same on the public dataset.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from anagnosis.datasets.gold import Gold
from anagnosis.errors import InputError
from anagnosis.files import open_input
from anagnosis.leaderboard.golds import Golds
from anagnosis.leaderboard.submission import LARGEST_FILE, size_fault
from anagnosis.predictions import PROBLEMS, Matched, Problem, by_id, lm_eval, match_each, submission
from anagnosis.predictions.matching import blocks
from anagnosis.predictions.problems import Problems
from anagnosis.wording import counted, shortened

LARGEST_OBJECT = 32 << 20  # bytes of a file that is one JSON object, which is read whole
SHOWN_LINES = 5  # broken lines that are quoted
# Problem of a predictions file → what a board says of it. The others are counted and do no harm.
REFUSED = {
    "wrong_fingerprint": "lines made for another dataset or split",
    "missing": "ids without a line",
    "repeated": "repeated ids",
    "unknown": "ids that are not in the dataset",
    "other_split": "ids of another split",
    "unknown_fields": "lines with fields that a prediction does not have",
}
_HEAD = 1 << 16


@dataclass(frozen=True, slots=True)
class Examined:
    """place, split: of the dataset among those of the board; -1 and "" where none fits. matched: the system's answers,
    or those of each person. faults: each a line; a file with faults is not scored. notes: what is counted and does no
    harm."""

    faults: tuple[str, ...]
    place: int = -1
    split: str = ""
    matched: tuple[Matched, ...] = ()
    notes: dict[str, Problem] = field(default_factory=dict[str, Problem])


def examined(path: Path, golds: Golds, called: str) -> Examined:
    """A predictions file beside the datasets. called: the file in messages, within the submission."""
    faults: list[str] = []
    broken: list[str] = []

    def on_fault(fault: InputError) -> None:
        broken.append(
            f"line {fault.where.rpartition(':')[2]}: {fault.what}" if len(broken) < SHOWN_LINES else ""
        )

    try:
        demand_size(path, called)
        place, split = _place_of(path, golds, called)
        gold = golds.gold(place, split)
        found = match_each(
            path,
            gold,
            elsewhere=golds.elsewhere(place, split),
            check_fingerprint=False,
            called=called,
            on_fault=on_fault,
        )
    except InputError as fault:
        return Examined((*_broken(broken), shortened(f"{_line_of(fault, called)}{fault.what}", 300)))
    faults += _broken(broken)
    tallied = _together(found)
    faults += _refused(tallied, found, gold)
    notes = {name: problem for name, problem in tallied.items() if name not in REFUSED}
    return Examined(tuple(faults), place, split, tuple(found), notes)


def demand_size(path: Path, called: str) -> None:
    """Refuse (InputError) a file that is too large, on disk or unpacked, before any of it is interpreted."""
    if (fault := size_fault(path.stat().st_size)) is not None:
        raise InputError(fault, called, "split it into runs, or leave out the scores")
    with open_input(path) as stream:
        head = stream.peek(_HEAD)[:_HEAD]
        first = head.partition(b"\n")[0] + b"\n"
        if lm_eval.answered(first, called) is not None:
            what = "is a log of lm-evaluation-harness, which holds the gold (the field 'target')"
            raise InputError(what, called, "write lines with id, answer and scores alone")
        whole = by_id.sniff(head) or submission.sniff(head)
        limit = LARGEST_OBJECT if whole else LARGEST_FILE
        size = 0
        while block := stream.read1(1 << 20):
            size += len(block)
            if size > limit:
                what = f"has more than {limit >> 20} MiB unpacked" + (" in one JSON object" if whole else "")
                raise InputError(
                    what, called, "write one prediction a line, and no more than the dataset asks"
                )


def _place_of(path: Path, golds: Golds, called: str) -> tuple[int, str]:
    """By the first lines that are predictions."""
    for block in blocks(path, Problems(), called, lambda fault: None):
        ids = [prediction.id for _, prediction in block]
        made_for = [prediction.dataset for _, prediction in block if prediction.dataset is not None]
        return golds.place_of(ids, [*dict.fromkeys(made_for)], called)
    raise InputError("holds no predictions", called, "check the file")


def _together(found: list[Matched]) -> dict[str, Problem]:
    """The problems of a file, those of several people added up."""
    if len(found) == 1:
        return found[0].problems
    tally = Problems()
    for each in found:
        for name, problem in each.problems.items():
            for place, example in enumerate(problem.first):
                tally.add(name, example, 0 if place else problem.count)
    return tally.found()


def _refused(tallied: dict[str, Problem], found: list[Matched], gold: Gold) -> Iterator[str]:
    """The faults among a file's problems. People answer the questions that they were asked."""
    by_people = any(each.annotator is not None for each in found)
    if by_people and any(each.annotator is None for each in found):
        yield "some lines have an annotator and others have none"
    for name, words in REFUSED.items():
        if name not in tallied or (by_people and name == "missing"):
            continue
        problem = tallied[name]
        shown = ", ".join(repr(shortened(example)) for example in problem.first[:3])
        yield f"{problem.count:,} {words} ({shown}{', …' if problem.count > 3 else ''})"


def _broken(broken: list[str]) -> Iterator[str]:
    yield from (shortened(line, 200) for line in broken[:SHOWN_LINES])
    if len(broken) > SHOWN_LINES:
        yield f"and {counted(len(broken) - SHOWN_LINES, 'more line')} that are no predictions"


def _line_of(fault: InputError, called: str) -> str:
    """`line 7: ` where the fault names a line of the file."""
    line = fault.where.removeprefix(called).removeprefix(":")
    return f"line {line}: " if line.isdecimal() else ""


assert set(REFUSED) <= set(PROBLEMS)
