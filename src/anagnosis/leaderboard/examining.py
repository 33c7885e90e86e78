"""One predictions file of a submission, held strictly against the datasets of a board: all its faults at once.

What `score` counts and passes over, a board refuses: ids that are missing, repeated or unknown, lines for another
dataset, fields that a prediction does not have (those of the gold are among them). No answer of the gold side is read
for it, so that whoever submits can do the same on the public dataset.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from anagnosis.errors import DamagedError, InputError
from anagnosis.io.files import open_input
from anagnosis.leaderboard.golds import Golds
from anagnosis.leaderboard.submission import LARGEST_FILE, size_fault
from anagnosis.predictions import (
    PROBLEMS,
    Matched,
    Prediction,
    Problem,
    by_id,
    lm_eval,
    match_each,
    submission,
)
from anagnosis.predictions.lines import numbered
from anagnosis.predictions.notes import UNKNOWN, Writing
from anagnosis.predictions.problems import OF_THE_FILE, Problems
from anagnosis.wording import counted, shortened

LARGEST_OBJECT = 32 << 20  # bytes of a file that is one JSON object, which is read whole
SHOWN_LINES = 5  # broken lines that are quoted
# Problem of a predictions file → what a board says of it, of one and of several. The others are counted and do no harm.
REFUSED = {
    "wrong_fingerprint": ("line is made", "lines are made", "for another dataset or split"),
    "missing": ("id has", "ids have", "no line"),
    "repeated": ("line repeats", "lines repeat", "an id"),
    "unknown": ("id is", "ids are", "not in the dataset"),
    "other_split": ("id is", "ids are", "of another split"),
    "unknown_fields": ("line has", "lines have", "fields that no prediction has"),
}
OF_THE_GOLD = "fields of the dataset, as its gold has"
FIRST_LINES = 256
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


class _Broken:
    """Lines that are no predictions: the first few, and how many."""

    def __init__(self) -> None:
        self._first: list[str] = []
        self._count = 0

    def add(self, fault: InputError) -> None:
        """Count a line."""
        self._count += 1
        if len(self._first) < SHOWN_LINES:
            self._first.append(shortened(f"line {fault.where.rpartition(':')[2]}: {fault.what}", 200))

    def lines(self) -> list[str]:
        """The faults, one a line."""
        more = self._count - len(self._first)
        return [
            *self._first,
            *([f"and {counted(more, 'more line')} that are no predictions"] if more else []),
        ]


def examined(path: Path, golds: Golds, called: str, writing: Writing = UNKNOWN) -> Examined:
    """A predictions file beside the datasets. called: the file in messages, within the submission.

    writing: of its answers, as system.toml or the note beside the file says.
    """
    faults: list[str] = []
    broken = _Broken()

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
            writing=writing,
            on_fault=broken.add,
        )
    except DamagedError:  # of a dataset, so no fault of the file
        raise
    except InputError as fault:
        return Examined((*broken.lines(), shortened(f"{_line_of(fault, called)}{fault.what}", 300)))
    faults += broken.lines()
    tallied = _together(found)
    faults += _refused(tallied, found, {*golds.datasets[place].kind.schema.names})
    notes = {name: problem for name, problem in tallied.items() if name not in REFUSED}
    # Later faults name a run as the file is called, with its ending.
    matched = tuple(replace(each, name=called) for each in found)
    return Examined(tuple(faults), place, split, matched, notes)


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
    broken = _Broken()
    lines = first_lines(path, called, broken.add)
    if not lines:
        wrong = "".join(f" ({line})" for line in broken.lines()[:1])
        raise InputError(f"holds no predictions{wrong}", called, "check the file")
    made_for = dict.fromkeys(line.dataset for line in lines if line.dataset is not None)
    return golds.place_of([line.id for line in lines], [*made_for], called)


def first_lines(
    path: Path, called: str, on_fault: Callable[[InputError], None] = lambda fault: None
) -> list[Prediction]:
    """The first predictions of a file, by which its dataset is found. on_fault: as of `numbered`."""
    return [line for _, line in islice(numbered(path, Problems(), called, on_fault), FIRST_LINES)]


def _together(found: list[Matched]) -> dict[str, Problem]:
    """The problems of a file, those of each person's lines added up."""
    if len(found) == 1:
        return found[0].problems
    tally = Problems()
    for number, each in enumerate(found):
        for name, problem in each.problems.items():
            if number and name in OF_THE_FILE:
                continue
            for place, example in enumerate(problem.first):
                tally.add(name, example, 0 if place else problem.count)
    return tally.found()


def _refused(tallied: dict[str, Problem], found: list[Matched], columns: set[str]) -> Iterator[str]:
    """The faults among a file's problems. People answer the questions that they were asked. columns: of the dataset."""
    by_people = any(each.annotator is not None for each in found)
    if by_people and any(each.annotator is None for each in found):
        yield "some lines have an annotator and others have none"
    for name, (one, several, words) in REFUSED.items():
        if name not in tallied or (by_people and name == "missing"):
            continue
        problem = tallied[name]
        if name == "unknown_fields" and not columns.isdisjoint(problem.first):
            words = OF_THE_GOLD
        shown = ", ".join(repr(shortened(example)) for example in problem.first[:3])
        more = ", …" if problem.count > 3 else ""
        yield f"{problem.count:,} {one if problem.count == 1 else several} {words} ({shown}{more})"


def _line_of(fault: InputError, called: str) -> str:
    """`line 7: ` where the fault names a line of the file."""
    line = fault.where.removeprefix(called).removeprefix(":")
    return f"line {line}: " if line.isdecimal() else ""


assert set(REFUSED) <= set(PROBLEMS)
