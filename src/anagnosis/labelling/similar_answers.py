"""Answers that are right by similarity alone, judged by one person or several (the thesis, Table 4.4).

    SHEETS/similar-answers.csv   a sheet
    SHEETS/NAME.html             or a page for each person

    id,question,prediction,gold,similarity,rule,class
    52bf…:0f3a…,Which protein …?,uncoupling protein 1 (ucp1),uncoupling protein 1,90,same,same

The source is the record that `anagnosis protocols --similar --out FILE.json` writes. An answer is drawn by a hash of
the seed and its id. The person's class is compared with the rule's.
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

from anagnosis.datasets import sheets as sheet_files
from anagnosis.datasets.sampling import rank
from anagnosis.errors import InputError
from anagnosis.evaluation.intervals import Estimate, estimate
from anagnosis.evaluation.kappa import Kappa
from anagnosis.evaluation.phase_b.similar_answers import CLASSES, WRONG, SimilarAnswer
from anagnosis.io import outputs
from anagnosis.io.decoding import read_json
from anagnosis.io.paths import PathLike
from anagnosis.labelling import Draw, Summary, judging
from anagnosis.labelling.drawn import Drawn
from anagnosis.labelling.judging import Row
from anagnosis.labelling.new_sheets import write_new
from anagnosis.labelling.people import Person
from anagnosis.labelling.study import TIME, Choice, Field, Piece, Question, Study
from anagnosis.wording import shortened

KIND = "similar-answers"
COLLECTED = "anagnosis label {source} --kind similar-answers --sheets {sheets}"
"""What says what people's lines come to."""
DRAWN = "{drawn:,} answers drawn; fill in similar-answers.csv"
SHEET = "similar-answers.csv"
CLASS = "class"
HEADER = ("id", "question", "prediction", "gold", "similarity", "rule", CLASS)
INSTRUCTIONS = (
    f"What is the prediction compared with the gold answer? Write a class into column {CLASS}; a rule's stands there.",
    *(f"{name}: {what}." for name, what in CLASSES.items()),
)
_ASKED = "What is the prediction compared with the gold answer?"
_RULE = "A rule has judged, too, and its class stands there. Judge for yourself."
_RECORD_OF = "name the file that `anagnosis protocols DATASET SYSTEM --similar --out FILE.json` wrote"
_LONGEST = 1_000  # characters of a text that the sheet shows


@dataclass(frozen=True, slots=True)
class ClassCounts:
    """Of the judged answers of one system: how many there are, and how many are accepted wrongly."""

    judged: int
    wrong: int


@dataclass(frozen=True, slots=True)
class SimilarAnswersJudge:
    """What one judge says. name: of the sheet, or of the person. judged: answers with a class.

    shares: class → its share of the judged, with Wilson's interval; empty where nothing is judged. agreement: the
    share whose class is the rule's; on_wrong: the share of which judge and rule both say, or both deny, that it is
    accepted wrongly. None where nothing is judged. by_rule: the rule's class → the judge's → how many. systems:
    by name, where an answer counts for each system that gave it.
    """

    name: str
    judged: int = 0
    shares: dict[str, Estimate] = field(default_factory=dict[str, Estimate])
    agreement: Estimate | None = None
    on_wrong: Estimate | None = None
    by_rule: dict[str, dict[str, int]] = field(default_factory=dict[str, dict[str, int]])
    systems: dict[str, ClassCounts] = field(default_factory=dict[str, ClassCounts])


@dataclass(frozen=True, slots=True)
class JudgedSimilarAnswers:
    """What the judges say. drawn: answers that each was given. kappa: over the answers that both of a pair judged, the
    mean over the pairs; None where there is none."""

    drawn: int
    judges: tuple[SimilarAnswersJudge, ...] = ()
    kappa: Kappa | None = None


class _Record(msgspec.Struct):
    """What is read of a record of `protocols`."""

    record: Literal["everyprotocol"]
    similar: list[SimilarAnswer]


def draw(source: PathLike, sheets: Path, how: Draw) -> JudgedSimilarAnswers:
    """Write a sheet, or a page for each person, with so many answers of the record, in the order of the draw."""
    judging.refuse_options(KIND, how, "--split", "--view")
    count = how.demand_count()
    outputs.output_folder(sheets, inputs=(source,))
    answers = _answers(source)
    drawn = nsmallest(count, answers, key=lambda ident: (rank(how.seed, ident), ident))
    if len(drawn) < count:
        what = f"{count:,} answers are asked for, the record has {len(drawn):,}"
        raise InputError(what, str(source), "draw fewer")
    rows = [_row(answers[ident]) for ident in drawn]
    if how.people:
        record = judging.record_of(KIND, rows, how)
        judging.write_pages(sheets, record, _study(rows, record))
    else:
        write_new(sheets, {SHEET: sheet_files.sheet(INSTRUCTIONS, HEADER, [(*row, "") for row in rows])})
    return JudgedSimilarAnswers(len(drawn))


def studies(source: PathLike, drawn: Drawn, sheets: Path) -> dict[Person, Study]:
    """The study of a draw, the same for everybody."""
    del sheets
    answers = _answers(source)
    rows = [_row(answers[ident]) for ident in drawn.ids if ident in answers]
    judging.refuse_other_things(rows, drawn, source)
    return dict.fromkeys(drawn.people, _study(rows, drawn))


def read(
    source: PathLike, sheets: Path, out: PathLike | None, *, replace: bool = False
) -> JudgedSimilarAnswers:
    """The share of each class by judge, how often it is the rule's, and the kappa of the judges."""
    del replace
    if out is not None:
        raise InputError("judgements of answers make no dataset", "--out", "leave it out, or take --json")
    answers = _answers(source)
    given = {
        name: {ident: sheet_files.label(row, tuple(CLASSES), CLASS) for ident, row in rows.items()}
        for name, rows in judging.judgements(KIND, source, sheets, (SHEET,), (CLASS,)).items()
    }
    drawn = next(iter(given.values()))
    if missing := drawn.keys() - answers.keys():
        what = f"{len(missing):,} answers of the sheet are not in this record ({min(missing)})"
        raise InputError(what, str(sheets), "name the record that they were drawn from")
    judges = tuple(_judge(name, labels, answers) for name, labels in given.items())
    return JudgedSimilarAnswers(len(drawn), judges, judging.kappa_of([*given.values()], tuple(CLASSES)))


def summary(
    record: JudgedSimilarAnswers, source: PathLike, sheets: PathLike, out: PathLike | None
) -> Summary:
    """The shares with their intervals, the agreement with the rule, and what each system's answers are, by judge."""
    lines = [f"{record.drawn:,} answers"]
    for judge in record.judges:
        lines.append(f"{judge.name}: {judge.judged:,} judged")
        lines += [_line(name, share) for name, share in judge.shares.items()]
        for name, share in (("the rule's class", judge.agreement), ("the rule on wrong", judge.on_wrong)):
            if share is not None:
                lines.append(_line(name, share))
        for rule, classes in judge.by_rule.items():
            found = ", ".join(f"{count:,} {name}" for name, count in classes.items())
            lines.append(f"  rule {rule}: {found}")
        for name, counts in judge.systems.items():
            lines.append(f"  {name}: {counts.wrong:,} of {counts.judged:,} accepted wrongly")
    if record.kappa is not None:
        lines.append(judging.kappa_line(record.kappa))
    judged = {judge.name: judge.judged for judge in record.judges}
    return Summary(tuple(lines), judging.left_of(judged, record.drawn))


def _study(rows: Sequence[Row], record: Drawn) -> Study:
    choices = tuple(Choice(name, meaning=f"{what}.") for name, what in CLASSES.items())
    return Study(
        kind=KIND,
        title=f"Is the answer right? {len(rows):,} answers",
        instructions=(_ASKED, _RULE, TIME),
        questions=tuple(map(_question, rows)),
        fields=(Field(CLASS, "Class", choices),),
        constants={"dataset": record.dataset},
        idle=record.idle,
    )


def _question(row: Row) -> Question:
    ident, asked, prediction, gold, similarity, rule = row
    known = (
        ("Prediction:", prediction),
        ("Gold answer:", gold),
        ("Similarity:", similarity),
        ("Rule:", rule),
    )
    return Question(ident, (), (Piece(asked),), known=known)


def _judge(name: str, labels: Mapping[str, str], answers: Mapping[str, SimilarAnswer]) -> SimilarAnswersJudge:
    judged = [(answers[ident], label) for ident, label in labels.items() if label]
    if not judged:
        return SimilarAnswersJudge(name)
    classes = [label for _, label in judged]
    by_rule = [each.class_by_rule for each, _ in judged]
    return SimilarAnswersJudge(
        name,
        len(judged),
        {each: _share([label == each for label in classes]) for each in CLASSES},
        _share([own == rule for own, rule in zip(classes, by_rule, strict=True)]),
        _share([(own == WRONG) == (rule == WRONG) for own, rule in zip(classes, by_rule, strict=True)]),
        _by_rule(by_rule, classes),
        _by_system(judged),
    )


def _answers(source: PathLike) -> dict[str, SimilarAnswer]:
    """id → answer of a record. InputError: it is none, or lists no such answers."""
    listed = read_json(
        Path(source), _Record, _RECORD_OF, "is no record with answers right by similarity"
    ).similar
    if not listed:
        raise InputError("no answer is right by similarity alone", str(source), "give more systems")
    return {each.id: each for each in listed}


def _row(each: SimilarAnswer) -> Row:
    texts = (
        shortened(" ".join(text.split()), _LONGEST) for text in (each.question, each.prediction, each.gold)
    )
    return (each.id, *texts, str(each.similarity), each.class_by_rule)


def _share(verdicts: Sequence[bool]) -> Estimate:
    return estimate(np.array(verdicts, np.float64))


def _by_rule(by_rule: Sequence[str], classes: Sequence[str]) -> dict[str, dict[str, int]]:
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
