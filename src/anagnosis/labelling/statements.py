"""Statements that rules made of BioASQ's questions, judged and corrected by people (thesis, section 4.5).

    id,question,rule,answer,statement,well formed,same meaning,corrected
    52bf…,Which receptor does GDF15 bind?,which,GFRAL,GDF15 binds XXXX.,yes,yes,

With `--out` the corrected statements come back into a dataset.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from shlex import quote
from typing import ClassVar

import numpy as np

from anagnosis.datasets.bioasq.statements import BY_A_PERSON, Origin, origin, with_statement
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.kinds.question import QuestionInstance
from anagnosis.datasets.sheets import SheetRow
from anagnosis.errors import InputError
from anagnosis.evaluation.intervals import estimate
from anagnosis.io.paths import PathLike
from anagnosis.labelling import Summary
from anagnosis.labelling.judging import Judge, Judged, Judgements, Judging, Thing
from anagnosis.labelling.study import TIME, Choice, Field, Piece, Question
from anagnosis.language.statements import GAP, GIVEN, LONGEST, statement
from anagnosis.wording import shortened

WELL_FORMED, SAME_MEANING, CORRECTED = "well formed", "same meaning", "corrected"
YES, NO = "yes", "no"
_QUESTIONS = {
    WELL_FORMED: (
        f"With a fitting answer in the place of {GAP}, is the statement correct English?",
        "What is wrong in the question or in the answer already does not count.",
    ),
    SAME_MEANING: (
        "Does the statement with the answer say what the question and the answer say together?",
        "The noun that names the kind of the answer (which gene) may be missing.",
    ),
}
# Why a statement is not in the dataset that --out writes.
JUDGED_WRONG = "judged_wrong"
_SHOWN_ANSWERS = 3
_LONGEST_ANSWER = 200  # characters that the sheet shows


class Statements(Judging):
    """Statements of a dataset, or of one split.

    The dataset of `--out` has the corrected statements, and lacks those judged wrong that nobody corrected. Several
    judges must not contradict each other then.
    """

    KIND, THINGS, SOURCE = "statements", "statements", "this dataset"
    REFUSED = ("--view",)
    DRAWN = "{drawn:,} statements drawn; fill in statements.csv"
    SHEETS = ("statements.csv",)
    HEADER = ("id", "question", "rule", "answer", "statement", WELL_FORMED, SAME_MEANING, CORRECTED)
    LABELS: ClassVar[Mapping[str, tuple[str, ...]]] = {WELL_FORMED: (YES, NO), SAME_MEANING: (YES, NO)}
    TEXT = CORRECTED
    IN_A_SHEET = (
        *(
            f"{name}: {asked[0].lower()}{asked[1:]} yes or no. {note}"
            for name, (asked, note) in _QUESTIONS.items()
        ),
        f"{CORRECTED}: a better statement, with {GAP} once; empty where there is nothing to correct.",
    )
    ON_A_PAGE = (
        "Each question was made into a statement, in which the gap stands for the answer.",
        *(f"{asked} {note}" for asked, note in _QUESTIONS.values()),
        f"Where there is something to correct, write a better statement, with {GAP} once where the answer belongs.",
        TIME,
    )
    TITLE = "Is the statement right? {drawn:,} statements"
    FIELDS = (
        *(Field(name, asked, (Choice(YES), Choice(NO))) for name, (asked, _) in _QUESTIONS.items()),
        Field(CORRECTED, f"A better statement, with {GAP} once (or nothing)", text=LONGEST, needed=False),
    )
    GUIDE = tuple((name, note) for name, (_, note) in _QUESTIONS.items())

    def opened(self, source: PathLike | store.Dataset) -> store.Dataset:
        """The dataset of a folder."""
        return source if isinstance(source, store.Dataset) else store.load(source)

    def things(self, source: store.Dataset, split: str | None) -> Iterator[tuple[str, Callable[[], Thing]]]:
        """The statements of the dataset or a split. InputError: it has none."""
        none = True
        for name in [split] if split is not None else source.sizes:
            for instance in store.instances(source, name, of=QuestionInstance):
                made_of = origin(instance)
                if made_of is not None:
                    none = False
                    yield instance.id, partial(_thing, instance, made_of)
        if none:
            remedy = "make statements with `anagnosis build bioasq-cloze FILES --out DATASET`"
            raise InputError("it holds no statements with a gap", str(source.folder), remedy)

    def checked(self, row: SheetRow) -> dict[str, str]:
        """Both judgements and the corrected text. InputError: it has no gap, or several, or is too long."""
        corrected = _one_line(row.cells[CORRECTED])
        gaps = corrected.count(GAP) if statement(corrected).rule == GIVEN else 0  # words XXXX
        if corrected and (len(corrected) > LONGEST or gaps != 1):
            what = "too long a statement" if gaps == 1 else f"{shortened(corrected)!r} has no single {GAP}"
            remedy = f"write a sentence with {GAP} once, of at most {LONGEST:,} characters"
            raise InputError(what, row.where, remedy)
        return {**super().checked(row), CORRECTED: corrected}

    def judge(self, name: str, given: Judgements, things: Mapping[str, Thing]) -> Judge:
        """The shares of well-formed statements and of those with the same meaning, and their numbers by rule."""
        right = {
            column: [each[column] == YES for each in given.values()] for column in (WELL_FORMED, SAME_MEANING)
        }
        rules = [things[ident].row[2] for ident in given]
        by_rule = {
            rule: {
                "judged": rules.count(rule),
                **{
                    column: sum(yes for yes, of in zip(verdicts, rules, strict=True) if of == rule)
                    for column, verdicts in right.items()
                },
            }
            for rule in sorted(set(rules))
        }
        shares = {column: estimate(np.array(verdicts, np.float64)) for column, verdicts in right.items()}
        return Judge(name, shares=shares, by_rule=by_rule)

    def write(
        self, source: store.Dataset, judges: Sequence[Judgements], sheets: Path, out: PathLike, replace: bool
    ) -> store.Dataset:
        """The dataset with the corrected statements, and without those judged wrong that nobody corrected."""
        judgements = _together(judges, sheets)
        dropped: Counter[str] = Counter()
        corrected: Counter[str] = Counter()

        def of(split: str) -> Iterator[QuestionInstance]:
            for instance in store.instances(source, split, of=QuestionInstance):
                judgement, made_of = judgements.get(instance.id), origin(instance)
                if judgement is None or made_of is None:
                    yield instance
                elif judgement[CORRECTED]:
                    corrected["corrected"] += 1
                    yield with_statement(
                        instance, judgement[CORRECTED], Origin(made_of.question, BY_A_PERSON)
                    )
                elif _is_wrong(judgement):
                    dropped[JUDGED_WRONG] += 1
                else:
                    yield instance

        return writing.write(
            out,
            {split: of(split) for split in source.sizes},
            {**source.recipe, "corrected_from": store.fingerprint(source, store.ALL)},
            dropped=dropped,
            repairs=corrected,
            replace=replace,
        )

    def summary(self, record: Judged, source: PathLike, sheets: PathLike, out: PathLike | None) -> Summary:
        """The shares, and what writes or shows the corrected statements."""
        found = super().summary(record, source, sheets, out)
        then: tuple[str, ...] = ()
        if out is not None:
            then = (f"anagnosis show {quote(str(out))}",)
        elif any(judge.corrected for judge in record.judges) or not found.counts:
            given = f"{quote(str(source))} --kind statements --sheets {quote(str(sheets))}"
            then = (f"anagnosis label read {given} --out FOLDER",)
        return Summary(found.lines, found.counts, then)


STATEMENTS = Statements()


def _thing(instance: QuestionInstance, made_of: Origin) -> Thing:
    answers = [entry[0] for entry in (instance.exact or ())[:_SHOWN_ANSWERS] if entry]
    shown = shortened(_one_line("; ".join(answers)), _LONGEST_ANSWER)
    asked, stated = _one_line(made_of.question), _one_line(instance.question)
    known = (("Question:", asked), ("Answer:", shown), ("Rule:", made_of.rule))
    question = Question(instance.id, (), (Piece(stated),), known=known)
    return Thing((instance.id, asked, made_of.rule, shown, stated), question)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _is_wrong(judgement: Mapping[str, str]) -> bool:
    return NO in (judgement[WELL_FORMED], judgement[SAME_MEANING])


def _together(judges: Sequence[Judgements], sheets: Path) -> dict[str, dict[str, str]]:
    """What the judges say of each statement. InputError: two of them contradict each other, or nobody said anything."""
    found: dict[str, dict[str, str]] = {}
    contradicted: list[str] = []
    for ident in judges[0]:
        said = {
            column: {judge[ident][column] for judge in judges} - {""}
            for column in (WELL_FORMED, SAME_MEANING, CORRECTED)
        }
        if any(len(texts) > 1 for texts in said.values()):
            contradicted.append(ident)
        found[ident] = {column: min(texts, default="") for column, texts in said.items()}
    if contradicted:
        what = (
            f"the judges contradict each other about {len(contradicted):,} statements ({contradicted[0]}, …)"
        )
        raise InputError(what, str(sheets), "let them agree, then write the dataset")
    if not any(
        _is_wrong(each) or each[CORRECTED] or (each[WELL_FORMED] and each[SAME_MEANING])
        for each in found.values()
    ):
        raise InputError("no statement is judged or corrected", str(sheets), "judge some first")
    return found
