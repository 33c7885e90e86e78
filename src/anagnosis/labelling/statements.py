"""Statements that rules made of BioASQ's questions, judged and corrected by people (thesis, section 4.5).

    SHEETS/statements.csv   a sheet
    SHEETS/NAME.html        or a page for each person

    id,question,rule,answer,statement,well formed,same meaning,corrected
    52bf…,Which receptor does GDF15 bind?,which,GFRAL,GDF15 binds XXXX.,yes,yes,

A statement is drawn by a hash of the seed and its id. With `--out` the corrected statements come back into a dataset.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from anagnosis.datasets import sheets as sheet_files
from anagnosis.datasets.bioasq.statements import BY_A_PERSON, Origin, origin, with_statement
from anagnosis.datasets.folder import store, writing
from anagnosis.datasets.kinds.question import QuestionInstance
from anagnosis.datasets.sampling import rank
from anagnosis.errors import InputError
from anagnosis.evaluation.intervals import Estimate, estimate
from anagnosis.evaluation.kappa import Kappa
from anagnosis.io import outputs
from anagnosis.io.paths import PathLike
from anagnosis.labelling import Draw, Summary, judging
from anagnosis.labelling.drawn import Drawn
from anagnosis.labelling.judging import Row
from anagnosis.labelling.new_sheets import write_new
from anagnosis.labelling.people import Person
from anagnosis.labelling.study import TIME, Choice, Field, Piece, Question, Study
from anagnosis.language.statements import GAP, GIVEN, LONGEST, statement
from anagnosis.wording import shortened

KIND = "statements"
COLLECTED = "anagnosis label {source} --kind statements --sheets {sheets}"
"""What says what people's lines come to."""
DRAWN = "{drawn:,} statements drawn; fill in statements.csv"
SHEET = "statements.csv"
WELL_FORMED, SAME_MEANING, CORRECTED = "well formed", "same meaning", "corrected"
JUDGED = (WELL_FORMED, SAME_MEANING)
YES, NO = "yes", "no"
HEADER = ("id", "question", "rule", "answer", "statement", *JUDGED, CORRECTED)
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
INSTRUCTIONS = (
    *(
        f"{name}: {asked[0].lower()}{asked[1:]} yes or no. {note}"
        for name, (asked, note) in _QUESTIONS.items()
    ),
    f"{CORRECTED}: a better statement, with {GAP} once; empty where there is nothing to correct.",
)
# Why a statement is not in the dataset that --out writes.
JUDGED_WRONG = "judged_wrong"
_SHOWN_ANSWERS = 3
_LONGEST_ANSWER = 200  # characters that the sheet shows


@dataclass(frozen=True, slots=True)
class StatementsJudge:
    """What one judge says. name: of the sheet, or of the person. judged: with both judgements.

    shares: WELL_FORMED and SAME_MEANING → their share of the judged, with Wilson's interval; empty where nothing is
    judged. rules: rule → (judged, well formed, of the same meaning). corrected: with a corrected text.
    """

    name: str
    judged: int = 0
    shares: dict[str, Estimate] = field(default_factory=dict[str, Estimate])
    rules: dict[str, tuple[int, int, int]] = field(default_factory=dict[str, tuple[int, int, int]])
    corrected: int = 0


@dataclass(frozen=True, slots=True)
class JudgedStatements:
    """What the judges say. drawn: statements that each was given. kappas: judgement → over the statements that both of
    a pair judged, the mean over the pairs; empty where there is no pair. dataset: what was written.
    """

    drawn: int
    judges: tuple[StatementsJudge, ...] = ()
    kappas: dict[str, Kappa] = field(default_factory=dict[str, Kappa])
    dataset: store.Dataset | None = None


@dataclass(frozen=True, slots=True)
class _Judgement:
    """well_formed, same_meaning: yes, no or "" for none yet. corrected: a text, "" for none."""

    well_formed: str
    same_meaning: str
    corrected: str

    @property
    def is_whole(self) -> bool:
        return bool(self.well_formed and self.same_meaning)

    @property
    def is_wrong(self) -> bool:
        return NO in (self.well_formed, self.same_meaning)


def draw(source: PathLike | store.Dataset, sheets: Path, how: Draw) -> JudgedStatements:
    """Write a sheet, or a page for each person, with so many statements of the dataset, or of one split."""
    judging.refuse_options(KIND, how, "--view")
    dataset = _opened(source, sheets)
    count = how.demand_count()
    splits = [how.split] if how.split is not None else list(dataset.rows)
    ranked = [
        (rank(how.seed, each.id), _row(each, made_of)) for each, made_of in _statements(dataset, splits)
    ]
    if len(ranked) < count:
        what = f"{count:,} statements are asked for, the dataset has {len(ranked):,}"
        raise InputError(what, str(dataset.folder), "draw fewer")
    drawn = [row for _, row in sorted(ranked)[:count]]
    if how.people:
        record = judging.record_of(KIND, drawn, how)
        judging.write_pages(sheets, record, _study(drawn, record))
    else:
        empty = ("",) * (len(JUDGED) + 1)
        write_new(sheets, {SHEET: sheet_files.sheet(INSTRUCTIONS, HEADER, [(*row, *empty) for row in drawn])})
    return JudgedStatements(len(drawn))


def studies(source: PathLike | store.Dataset, drawn: Drawn, sheets: Path) -> dict[Person, Study]:
    """The study of a draw, the same for everybody."""
    dataset, wanted = _opened(source, sheets), set(drawn.ids)
    splits = [drawn.split] if drawn.split in dataset.rows else list(dataset.rows)
    found = {
        each.id: _row(each, made_of) for each, made_of in _statements(dataset, splits) if each.id in wanted
    }
    rows = [found[ident] for ident in drawn.ids if ident in found]
    judging.refuse_other_things(rows, drawn, dataset.folder)
    return dict.fromkeys(drawn.people, _study(rows, drawn))


def read(
    source: PathLike | store.Dataset, sheets: Path, out: PathLike | None, *, replace: bool = False
) -> JudgedStatements:
    """The shares of well-formed statements and of those with the same meaning, of all and by rule, by judge.

    out: write the dataset with the corrected statements, and without those judged wrong that nobody corrected. Several
    judges must not contradict each other then.
    """
    dataset = _opened(source, sheets)
    if out is not None:
        outputs.output_folder(out, "dataset", inputs=(dataset.folder, sheets))
    given = {
        name: {ident: _judgement(row) for ident, row in rows.items()}
        for name, rows in judging.judgements(KIND, dataset, sheets, (SHEET,), (*JUDGED, CORRECTED)).items()
    }
    drawn = next(iter(given.values())).keys()
    rules: dict[str, str] = {
        each.id: made_of.rule for each, made_of in _statements(dataset, dataset.rows) if each.id in drawn
    }
    if missing := drawn - rules.keys():
        what = f"{len(missing):,} statements of the sheet are not in this dataset ({min(missing)})"
        raise InputError(what, str(sheets), "name the dataset that they were drawn from")
    made = None
    if out is not None:
        made = _written(dataset, _together(given.values(), sheets), out, replace=replace)
    judges = tuple(_judge(name, judgements, rules) for name, judgements in given.items())
    return JudgedStatements(len(drawn), judges, _kappas([*given.values()]), made)


def summary(record: JudgedStatements, source: PathLike, sheets: PathLike, out: PathLike | None) -> Summary:
    """The shares with their intervals, and by rule, by judge."""
    lines = [f"{record.drawn:,} statements"]
    for judge in record.judges:
        lines.append(f"{judge.name}: {judge.judged:,} judged, {judge.corrected:,} corrected")
        for name, share in judge.shares.items():
            low, high = share.interval.low, share.interval.high
            lines.append(f"  {name.ljust(12)} {share.value:6.1%}  [{low:.1%}, {high:.1%}]")
        for rule, (judged, well_formed, same) in judge.rules.items():
            lines.append(
                f"  rule {rule}: {judged:,} judged, {well_formed:,} well formed, {same:,} of the same meaning"
            )
    lines += [judging.kappa_line(kappa, name) for name, kappa in record.kappas.items()]
    counts = judging.left_of({judge.name: judge.judged for judge in record.judges}, record.drawn)
    then: tuple[str, ...] = ()
    if out is not None:
        then = (f"anagnosis show {out}",)
    elif any(judge.corrected for judge in record.judges) or not counts:
        then = (f"anagnosis label {source} --kind statements --sheets {sheets} --out FOLDER",)
    return Summary(tuple(lines), counts, then)


def _study(rows: Sequence[Row], record: Drawn) -> Study:
    answers = (Choice(YES), Choice(NO))
    return Study(
        kind=KIND,
        title=f"Is the statement right? {len(rows):,} statements",
        instructions=(
            "Each question was made into a statement, in which the gap stands for the answer.",
            *(f"{asked} {note}" for asked, note in _QUESTIONS.values()),
            f"Where there is something to correct, write a better statement, with {GAP} once where the answer belongs.",
            TIME,
        ),
        questions=tuple(map(_question, rows)),
        fields=(
            *(Field(name, asked, answers) for name, (asked, _) in _QUESTIONS.items()),
            Field(CORRECTED, f"A better statement, with {GAP} once (or nothing)", text=LONGEST, needed=False),
        ),
        guide=tuple((name, note) for name, (_, note) in _QUESTIONS.items()),
        constants={"dataset": record.dataset},
        idle=record.idle,
    )


def _question(row: Row) -> Question:
    ident, asked, rule, answer, stated = row
    known = (("Question:", asked), ("Answer:", answer), ("Rule:", rule))
    return Question(ident, (), (Piece(stated),), known=known)


def _judge(name: str, judgements: Mapping[str, _Judgement], rules: Mapping[str, str]) -> StatementsJudge:
    whole = {ident: each for ident, each in judgements.items() if each.is_whole}
    corrected = sum(bool(each.corrected) for each in judgements.values())
    return StatementsJudge(name, len(whole), _shares(whole), _by_rule(whole, rules), corrected)


def _kappas(judges: Sequence[Mapping[str, _Judgement]]) -> dict[str, Kappa]:
    given = {
        WELL_FORMED: [{ident: each.well_formed for ident, each in judge.items()} for judge in judges],
        SAME_MEANING: [{ident: each.same_meaning for ident, each in judge.items()} for judge in judges],
    }
    found = {name: judging.kappa_of(labels, (YES, NO)) for name, labels in given.items()}
    return {name: kappa for name, kappa in found.items() if kappa is not None}


def _together(judges: Iterable[Mapping[str, _Judgement]], sheets: Path) -> dict[str, _Judgement]:
    """What the judges say of each statement. InputError: two of them contradict each other, or nobody said anything."""
    found: dict[str, _Judgement] = {}
    contradicted: list[str] = []
    every = list(judges)
    for ident in every[0]:
        given = [judge[ident] for judge in every]
        said = [
            {text for text in texts if text}
            for texts in zip(
                *((each.well_formed, each.same_meaning, each.corrected) for each in given), strict=True
            )
        ]
        if any(len(texts) > 1 for texts in said):
            contradicted.append(ident)
        found[ident] = _Judgement(*(min(texts, default="") for texts in said))
    if contradicted:
        what = (
            f"the judges contradict each other about {len(contradicted):,} statements ({contradicted[0]}, …)"
        )
        raise InputError(what, str(sheets), "let them agree, then write the dataset")
    if not any(each.is_wrong or each.is_whole or each.corrected for each in found.values()):
        raise InputError("no statement is judged or corrected", str(sheets), "judge some first")
    return found


def _opened(source: PathLike | store.Dataset, sheets: Path) -> store.Dataset:
    opened = source if isinstance(source, store.Dataset) else store.load(source)
    outputs.output_folder(sheets, inputs=(opened.folder,))
    return opened


def _statements(
    dataset: store.Dataset, splits: Mapping[str, int] | list[str]
) -> Iterator[tuple[QuestionInstance, Origin]]:
    """The statements of these splits, with their origins. InputError: the dataset has none."""
    none = True
    for split in splits:
        for instance in store.instances(dataset, split, of=QuestionInstance):
            made_of = origin(instance)
            if made_of is not None:
                none = False
                yield instance, made_of
    if none:
        remedy = "make statements with `anagnosis build bioasq-cloze FILES --out DATASET`"
        raise InputError("it holds no statements with a gap", str(dataset.folder), remedy)


def _row(instance: QuestionInstance, made_of: Origin) -> Row:
    answers = [entry[0] for entry in (instance.exact or ())[:_SHOWN_ANSWERS] if entry]
    shown = shortened(_one_line("; ".join(answers)), _LONGEST_ANSWER)
    return (instance.id, _one_line(made_of.question), made_of.rule, shown, _one_line(instance.question))


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _judgement(row: sheet_files.SheetRow) -> _Judgement:
    well_formed, same = (sheet_files.label(row, (YES, NO), column) for column in JUDGED)
    corrected = _one_line(row.cells[CORRECTED])
    one_gap = _gaps(corrected) == 1
    if corrected and (len(corrected) > LONGEST or not one_gap):
        what = "too long a statement" if one_gap else f"{shortened(corrected)!r} has no single {GAP}"
        remedy = f"write a sentence with {GAP} once, of at most {LONGEST:,} characters"
        raise InputError(what, row.where, remedy)
    return _Judgement(well_formed, same, corrected)


def _gaps(text: str) -> int:
    """Gaps of a text: words XXXX."""
    return text.count(GAP) if statement(text).rule == GIVEN else 0


def _shares(whole: Mapping[str, _Judgement]) -> dict[str, Estimate]:
    if not whole:
        return {}
    judged = whole.values()
    verdicts = {
        WELL_FORMED: [each.well_formed == YES for each in judged],
        SAME_MEANING: [each.same_meaning == YES for each in judged],
    }
    return {name: estimate(np.array(given, np.float64)) for name, given in verdicts.items()}


def _by_rule(whole: Mapping[str, _Judgement], rules: Mapping[str, str]) -> dict[str, tuple[int, int, int]]:
    judged = Counter(rules[ident] for ident in whole)
    well_formed = Counter(rules[ident] for ident, each in whole.items() if each.well_formed == YES)
    same = Counter(rules[ident] for ident, each in whole.items() if each.same_meaning == YES)
    return {rule: (judged[rule], well_formed[rule], same[rule]) for rule in sorted(judged)}


def _written(
    dataset: store.Dataset, judgements: Mapping[str, _Judgement], out: PathLike, *, replace: bool
) -> store.Dataset:
    dropped: Counter[str] = Counter()
    corrected: Counter[str] = Counter()

    def of(split: str) -> Iterator[QuestionInstance]:
        for instance in store.instances(dataset, split, of=QuestionInstance):
            judgement, made_of = judgements.get(instance.id), origin(instance)
            if judgement is None or made_of is None:
                yield instance
            elif judgement.corrected:
                corrected["corrected"] += 1
                yield with_statement(instance, judgement.corrected, Origin(made_of.question, BY_A_PERSON))
            elif judgement.is_wrong:
                dropped[JUDGED_WRONG] += 1
            else:
                yield instance

    return writing.write(
        out,
        {split: of(split) for split in dataset.rows},
        {**dataset.recipe, "corrected_from": store.fingerprint(dataset, store.ALL)},
        dropped=dropped,
        repairs=corrected,
        replace=replace,
    )
