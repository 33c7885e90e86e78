"""Answers that are right by similarity alone, judged by a person (the thesis, Table 4.4).

    SHEETS/similar-answers.csv

    id,question,prediction,gold,similarity,rule,class
    52bf…:0f3a…,Which protein …?,uncoupling protein 1 (ucp1),uncoupling protein 1,90,same,same

The source is the record that `anagnosis protocols --similar --out FILE.json` writes. An answer is drawn by a hash of
the seed and its id. The person's class stands beside the rule's, and how often both agree is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np

from anagnosis import outputs
from anagnosis.datasets import sheets as sheet_files
from anagnosis.datasets.sampling import rank
from anagnosis.decoding import read_json
from anagnosis.errors import InputError
from anagnosis.evaluation.intervals import Estimate, estimate
from anagnosis.evaluation.phase_b.answer_classes import CLASSES, WRONG
from anagnosis.evaluation.phase_b.similar_answers import SimilarAnswer
from anagnosis.labelling import OF_PAGES, Draw, Summary
from anagnosis.labelling.new_sheets import write_new
from anagnosis.paths import PathLike
from anagnosis.wording import shortened

DRAWN = "{drawn:,} answers drawn; fill in similar-answers.csv"
SHEET = "similar-answers.csv"
CLASS = "class"
HEADER = ("id", "question", "prediction", "gold", "similarity", "rule", CLASS)
INSTRUCTIONS = (
    f"What is the prediction beside the gold answer? Write a class into the column {CLASS}; a rule's stands there.",
    *(f"{name}: {what}." for name, what in CLASSES.items()),
)
_RECORD_OF = "name the file that `anagnosis protocols DATASET SYSTEM --similar --out FILE.json` wrote"
_LONGEST = 1_000  # characters of a text that the sheet shows


@dataclass(frozen=True, slots=True)
class ClassCounts:
    """Of the judged answers of one system: how many there are, and how many are accepted wrongly."""

    judged: int
    wrong: int


@dataclass(frozen=True, slots=True)
class JudgedSimilarAnswers:
    """What the sheet says. drawn: answers on it. judged: with a class.

    shares: class → its share of the judged, with Wilson's interval; empty where nothing is judged. agreement: the
    share whose class is the rule's; on_wrong: the share of which person and rule both say, or both deny, that it is
    accepted wrongly. None where nothing is judged. beside: the rule's class → the person's → how many. systems:
    by name, where an answer counts for each system that gave it.
    """

    drawn: int
    judged: int = 0
    shares: dict[str, Estimate] = field(default_factory=dict[str, Estimate])
    agreement: Estimate | None = None
    on_wrong: Estimate | None = None
    beside: dict[str, dict[str, int]] = field(default_factory=dict[str, dict[str, int]])
    systems: dict[str, ClassCounts] = field(default_factory=dict[str, ClassCounts])


class _Record(msgspec.Struct):
    """What is read of a record of `protocols`."""

    record: Literal["everyprotocol"]
    similar: list[SimilarAnswer]


def draw(source: PathLike, sheets: Path, how: Draw) -> JudgedSimilarAnswers:
    """Write a sheet with so many answers of the record, in the order of the draw."""
    how.refuse("similar-answers", "--split", "--view", *OF_PAGES)
    count = how.demand_count()
    outputs.output_folder(sheets, inputs=(source,))
    answers = _answers(source)
    drawn = nsmallest(count, answers, key=lambda ident: (rank(how.seed, ident), ident))
    if len(drawn) < count:
        what = f"{count:,} answers are asked for, the record has {len(drawn):,}"
        raise InputError(what, str(source), "draw fewer")
    rows = [_row(answers[ident]) for ident in drawn]
    write_new(sheets, {SHEET: sheet_files.sheet(INSTRUCTIONS, HEADER, rows)})
    return JudgedSimilarAnswers(len(drawn))


def read(
    source: PathLike, sheets: Path, out: PathLike | None, *, replace: bool = False
) -> JudgedSimilarAnswers:
    """The share of each class, and how often the person's is the rule's."""
    del replace
    if out is not None:
        raise InputError("judgements of answers make no dataset", "--out", "leave it out, or take --json")
    answers = _answers(source)
    given = sheet_files.labels(sheets / SHEET, tuple(CLASSES), CLASS)
    if missing := given.keys() - answers.keys():
        what = f"{len(missing):,} answers of the sheet are not in this record ({min(missing)})"
        raise InputError(what, str(sheets), "name the record that they were drawn from")
    judged = [(answers[ident], name) for ident, name in given.items() if name]
    if not judged:
        return JudgedSimilarAnswers(len(given))
    classes = [name for _, name in judged]
    by_rule = [each.class_by_rule for each, _ in judged]
    return JudgedSimilarAnswers(
        len(given),
        len(judged),
        {name: _share([each == name for each in classes]) for name in CLASSES},
        _share([ours == rule for ours, rule in zip(classes, by_rule, strict=True)]),
        _share([(ours == WRONG) == (rule == WRONG) for ours, rule in zip(classes, by_rule, strict=True)]),
        _beside(by_rule, classes),
        _by_system(judged),
    )


def summary(
    record: JudgedSimilarAnswers, source: PathLike, sheets: PathLike, out: PathLike | None
) -> Summary:
    """The shares with their intervals, the agreement with the rule, and what each system's answers are."""
    lines = [f"{record.drawn:,} answers, {record.judged:,} judged"]
    lines += [_line(name, share) for name, share in record.shares.items()]
    for name, share in (("the rule's class", record.agreement), ("the rule on wrong", record.on_wrong)):
        if share is not None:
            lines.append(_line(name, share))
    for rule, classes in record.beside.items():
        found = ", ".join(f"{count:,} {name}" for name, count in classes.items())
        lines.append(f"  rule {rule}: {found}")
    for name, counts in record.systems.items():
        lines.append(f"  {name}: {counts.wrong:,} of {counts.judged:,} accepted wrongly")
    left = record.drawn - record.judged
    return Summary(tuple(lines), {"not judged": {SHEET: left}} if left else {})


def _answers(source: PathLike) -> dict[str, SimilarAnswer]:
    """id → answer of a record. InputError: it is none, or lists no such answers."""
    listed = read_json(
        Path(source), _Record, _RECORD_OF, "is no record with answers right by similarity"
    ).similar
    if not listed:
        raise InputError("no answer is right by similarity alone", str(source), "give more systems")
    return {each.id: each for each in listed}


def _row(each: SimilarAnswer) -> tuple[str, ...]:
    texts = (
        shortened(" ".join(text.split()), _LONGEST) for text in (each.question, each.prediction, each.gold)
    )
    return (each.id, *texts, str(each.similarity), each.class_by_rule, "")


def _share(verdicts: Sequence[bool]) -> Estimate:
    return estimate(np.array(verdicts, np.float64))


def _beside(by_rule: Sequence[str], classes: Sequence[str]) -> dict[str, dict[str, int]]:
    counts = Counter(zip(by_rule, classes, strict=True))
    return {
        rule: {name: counts[rule, name] for name in CLASSES if counts[rule, name]}
        for rule in CLASSES
        if rule in by_rule
    }


def _by_system(judged: Sequence[tuple[SimilarAnswer, str]]) -> dict[str, ClassCounts]:
    names = dict.fromkeys(name for each, _ in judged for name in each.systems)
    own: Mapping[str, list[str]] = {
        name: [given for each, given in judged if name in each.systems] for name in names
    }
    return {name: ClassCounts(len(given), given.count(WRONG)) for name, given in own.items()}


def _line(name: str, share: Estimate) -> str:
    return f"  {name.ljust(16)} {share.value:6.1%}  [{share.interval.low:.1%}, {share.interval.high:.1%}]"
