"""What judges say of things (entities, statements, answers), on sheets in CSV or on pages, read alike.

    SHEETS/statements.csv   a sheet; of some kinds two with the same things, of which the second may stay empty
    SHEETS/NAME.html        or a page for each person

A kind of judged things is a `Judging`: which things a source has, what is asked of each, and what comes of the
judgements. A thing is drawn by a hash of the seed and its id. The record of a draw for people holds the digest of the
rows, so that a file that was saved about other things is refused.
"""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import numpy as np

from anagnosis.datasets import sheets as sheet_files
from anagnosis.datasets.folder import store
from anagnosis.datasets.sampling import rank
from anagnosis.datasets.sheets import SheetRow
from anagnosis.errors import InputError
from anagnosis.evaluation.intervals import Estimate
from anagnosis.evaluation.kappa import NO_ANSWER, Kappa, mean_kappa
from anagnosis.io import outputs
from anagnosis.io.paths import PathLike
from anagnosis.labelling import OF_QUESTIONS, Draw, Summary
from anagnosis.labelling.drawn import RECORD, Drawn, read_drawn
from anagnosis.labelling.opened_study import open_study, write_new, write_study
from anagnosis.labelling.people import Person, check_people
from anagnosis.labelling.returned import returned
from anagnosis.labelling.study import Field, Question, Study

Row = tuple[str, ...]
# Id → column → what the judge chose or wrote, "" for nothing yet.
Judgements = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Thing:
    """What is judged. row: of a sheet without the judgements, its id first. question: as a page shows it.

    systems: whose answer it is, if it is one.
    """

    row: Row
    question: Question
    systems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Judge:
    """What one judge says. name: of the sheet, or of the person. judged: things with every judgement.

    shares: of the judged things, with intervals; empty where nothing is judged. by_rule: what a rule says → what the
    judge says → things. systems: name → its judged answers, and those accepted wrongly. corrected: things with a
    corrected text. Kinds without rules, systems or texts leave these empty.
    """

    name: str
    judged: int = 0
    shares: dict[str, Estimate] = field(default_factory=dict[str, Estimate])
    by_rule: dict[str, dict[str, int]] = field(default_factory=dict[str, dict[str, int]])
    systems: dict[str, dict[str, int]] = field(default_factory=dict[str, dict[str, int]])
    corrected: int = 0


@dataclass(frozen=True, slots=True)
class Judged:
    """What the judges say. drawn: things that each was given. dataset: what was written.

    kappas: column → kappa over the things that both of a pair judged, the mean over the pairs; empty without a pair.
    """

    drawn: int
    judges: tuple[Judge, ...] = ()
    kappas: dict[str, Kappa] = field(default_factory=dict[str, Kappa])
    dataset: store.Dataset | None = None


class Judging:
    """A kind of judged things. KIND: its name. THINGS: what is judged, in the plural. SOURCE: what holds them.

    HEADER: of a sheet, the judgements last. LABELS: column → what a judge may choose in it; TEXT: a column for words.
    IN_A_SHEET, ON_A_PAGE: instructions. TITLE: of the pages, with {drawn}. NONE: what to do where the source has none.
    """

    KIND: ClassVar[str]
    THINGS: ClassVar[str]
    SOURCE: ClassVar[str]
    HAS: ClassVar[str] = "has"
    NONE: ClassVar[str] = "draw fewer"
    DRAWN: ClassVar[str]
    SHEETS: ClassVar[tuple[str, ...]]
    HEADER: ClassVar[Row]
    LABELS: ClassVar[Mapping[str, tuple[str, ...]]]
    TEXT: ClassVar[str] = ""
    IN_A_SHEET: ClassVar[tuple[str, ...]]
    ON_A_PAGE: ClassVar[tuple[str, ...]]
    TITLE: ClassVar[str]
    FIELDS: ClassVar[tuple[Field, ...]]
    GUIDE: ClassVar[tuple[tuple[str, str], ...]] = ()
    REFUSED: ClassVar[tuple[str, ...]] = ("--split", "--view")
    WIDTH: ClassVar[int] = 12  # of the names of shares in a summary

    @property
    def COLLECTED(self) -> str:  # noqa: N802  (as of `PageKind`)
        """What says what people's lines come to."""
        return f"anagnosis label read {{source}} --kind {self.KIND} --sheets {{sheets}}"

    def opened(self, source: Any) -> Any:
        """The source, ready to be read."""
        return source

    def things(self, source: Any, split: str | None) -> Iterator[tuple[str, Callable[[], Thing]]]:
        """(id, what makes the thing) of each thing of a source. split: of a dataset, None for all."""
        raise NotImplementedError

    def judge(self, name: str, given: Judgements, things: Mapping[str, Thing]) -> Judge:
        """What one judge says. given: things with every judgement; never empty."""
        raise NotImplementedError

    def checked(self, row: SheetRow) -> dict[str, str]:
        """Column → judgement of a row. InputError: it is none."""
        return {column: sheet_files.label(row, known, column) for column, known in self.LABELS.items()}

    def write(
        self, source: Any, judges: Sequence[Judgements], sheets: Path, out: PathLike, replace: bool
    ) -> Any:
        """Write a dataset of what the judges say. InputError: the kind makes none."""
        raise InputError(
            f"judgements of {self.THINGS} make no dataset", "--out", "leave it out, or take --json"
        )

    def draw(self, source: Any, sheets: Path, how: Draw) -> Judged:
        """Write sheets, or a page for each person, with so many things, in the order of the draw."""
        how.refuse(self.KIND, *self.REFUSED, *OF_QUESTIONS)
        if not how.people:
            how.refuse(self.KIND, "--idle")
        check_people(how.people)
        count, opened = how.demand_count(), self.opened(source)
        outputs.output_folder(sheets, inputs=(_place(opened),))
        drawn = self._drawn(opened, how, count)
        rows = [each.row for each in drawn]
        if how.people:
            record = how.record(self.KIND, _digest(rows), [row[0] for row in rows], split=how.split or "")
            write_study(sheets, record, dict.fromkeys(how.people, self._study(drawn, record)), may_grow=True)
        else:
            empty = ("",) * (len(self.HEADER) - len(rows[0])) if rows else ()
            made = sheet_files.sheet(self.IN_A_SHEET, self.HEADER, [(*row, *empty) for row in rows])
            write_new(sheets, dict.fromkeys(self.SHEETS, made))
        return Judged(len(drawn))

    def studies(self, source: Any, drawn: Drawn, sheets: Path) -> dict[Person, Study]:
        """The study of a draw, the same for everybody."""
        del sheets
        opened = self.opened(source)
        found = self._found(opened, drawn.ids, drawn.split or None)
        ordered = [found[ident] for ident in drawn.ids if ident in found]
        if _digest([each.row for each in ordered]) != drawn.dataset:
            what = "the sheets were drawn from another source"
            raise InputError(what, str(_place(opened)), "name the one that they were drawn from")
        return dict.fromkeys(drawn.people, self._study(ordered, drawn))

    def read(self, source: Any, sheets: Path, out: PathLike | None, *, replace: bool = False) -> Judged:
        """What each judge says, and the kappas of the judges. out: the dataset to write of it, by kinds that do."""
        opened = self.opened(source)
        if out is not None:
            if type(self).write is Judging.write:
                self.write(opened, (), sheets, out, replace)
            outputs.output_folder(out, "dataset", inputs=(_place(opened), sheets))
        given = {
            name: {ident: self.checked(row) for ident, row in rows.items()}
            for name, rows in self._judgements(opened, sheets).items()
        }
        first, *others = given.values()
        for other in others:
            if odd := next(iter(first.keys() ^ other.keys()), ""):
                what = f"the two sheets hold different {self.THINGS} ({odd})"
                raise InputError(what, str(sheets), "draw them together")
        if not first:
            raise InputError(
                f"the sheets hold no {self.THINGS}", str(sheets), "draw them with `anagnosis label draw`"
            )
        things = self._found(opened, first, None)
        if missing := first.keys() - things.keys():
            what = f"{len(missing):,} {self.THINGS} of the sheets are not in {self.SOURCE} ({min(missing)})"
            raise InputError(what, str(sheets), f"name {self.SOURCE.split()[-1]} that they were drawn from")
        dataset = None if out is None else self.write(opened, [*given.values()], sheets, out, replace)
        judges = tuple(self._judge(name, judgements, things) for name, judgements in given.items())
        return Judged(len(first), judges, self._kappas([*given.values()]), dataset)

    def summary(self, record: Judged, source: PathLike, sheets: PathLike, out: PathLike | None) -> Summary:
        """The shares with their intervals, and by rule and system, by judge."""
        del source, sheets, out
        lines = [f"{record.drawn:,} {self.THINGS}"]
        for judge in record.judges:
            corrected = f", {judge.corrected:,} corrected" if self.TEXT else ""
            lines.append(f"{judge.name}: {judge.judged:,} judged{corrected}")
            for name, share in judge.shares.items():
                low, high = share.ends
                lines.append(f"  {name.ljust(self.WIDTH)} {share.value:6.1%}  [{low:.1%}, {high:.1%}]")
            for rule, counts in judge.by_rule.items():
                lines.append(
                    f"  rule {rule}: {', '.join(f'{count:,} {name}' for name, count in counts.items())}"
                )
            for name, counts in judge.systems.items():
                lines.append(f"  {name}: {counts['wrong']:,} of {counts['judged']:,} accepted wrongly")
        several = len(self.LABELS) > 1
        lines += [_kappa_line(kappa, column if several else "") for column, kappa in record.kappas.items()]
        left = {each.name: record.drawn - each.judged for each in record.judges if each.judged < record.drawn}
        return Summary(tuple(lines), {"not judged": left} if left else {})

    def _drawn(self, source: Any, how: Draw, count: int) -> list[Thing]:
        """The first things by rank, in memory bounded by the count."""
        drawn: list[tuple[int, str]] = []  # a heap, the thing that gives way first on top
        found: dict[str, Thing] = {}
        for ident, make in self.things(source, how.split):
            if ident in found:
                continue
            entry = (-int.from_bytes(rank(how.seed, ident), "big"), ident)
            if len(drawn) < count:
                heapq.heappush(drawn, entry)
            elif entry > drawn[0]:
                del found[heapq.heapreplace(drawn, entry)[1]]
            else:
                continue
            found[ident] = make()
        if len(drawn) < count:
            holder = self.SOURCE.replace("this", "the").replace("these", "the")
            what = f"{count:,} {self.THINGS} are asked for, {holder} {self.HAS} {len(drawn):,}"
            raise InputError(what, str(_place(source)), "draw fewer" if drawn else self.NONE)
        return [found[ident] for _, ident in sorted(drawn, reverse=True)]

    def _found(
        self, source: Any, ids: Mapping[str, Any] | Sequence[str], split: str | None
    ) -> dict[str, Thing]:
        """id → thing, of those ids that the source has."""
        wanted, found = set(ids), dict[str, Thing]()
        for ident, make in self.things(source, split):
            if ident in wanted:
                wanted.remove(ident)
                found[ident] = make()
            if not wanted:
                break
        return found

    def _study(self, things: Sequence[Thing], record: Drawn) -> Study:
        return Study(
            kind=self.KIND,
            title=self.TITLE.format(drawn=len(things)),
            instructions=self.ON_A_PAGE,
            questions=tuple(each.question for each in things),
            fields=self.FIELDS,
            guide=self.GUIDE,
            constants={"dataset": record.dataset},
            idle=record.idle,
        )

    def _judgements(self, source: Any, sheets: Path) -> dict[str, dict[str, SheetRow]]:
        """judge → id → what the judge wrote or chose. InputError: a fault of a sheet or of a file."""
        columns = (*self.LABELS, *([self.TEXT] if self.TEXT else []))
        if not (sheets / RECORD).exists():
            return {name: sheet_files.rows(sheets / name, columns) for name in self.SHEETS}
        read_drawn(self.KIND, sheets)
        study = open_study(source, sheets)
        given = {each.of.person: each for each in returned(study).files}
        found: dict[str, dict[str, SheetRow]] = {}
        for person in study.people:
            file = given.get(person)
            lines = {} if file is None else file.saved.last
            name = "" if file is None else file.path.name
            found[person.name] = {
                ident: SheetRow(
                    f"{name}: {ident}",
                    {column: str(lines.get(ident, {}).get(column) or "") for column in columns},
                )
                for ident in study.drawn.ids
            }
        return found

    def _judge(self, name: str, given: Judgements, things: Mapping[str, Thing]) -> Judge:
        whole = {ident: each for ident, each in given.items() if all(each[column] for column in self.LABELS)}
        corrected = sum(bool(self.TEXT and each[self.TEXT]) for each in given.values())
        made = self.judge(name, whole, things) if whole else Judge(name)
        return Judge(name, len(whole), made.shares, made.by_rule, made.systems, corrected)

    def _kappas(self, judges: Sequence[Judgements]) -> dict[str, Kappa]:
        """Cohen's kappa of each column over the things that both of a pair judged."""
        found: dict[str, Kappa] = {}
        if len(judges) < 2:
            return found
        for column, labels in self.LABELS.items():
            places = {label: place for place, label in enumerate(labels)}
            given = [
                np.array([places.get(judge[ident][column], NO_ANSWER) for ident in judges[0]], np.int64)
                for judge in judges
            ]
            kappa = mean_kappa(given, "left out", seed=0)
            if kappa is not None:
                found[column] = kappa
        return found


def _kappa_line(kappa: Kappa, what: str) -> str:
    """A kappa in words. what: of which judgement, "" where there is one."""
    low, high = kappa.analytic.low, kappa.analytic.high
    both = round(kappa.instances)
    of = f" of {what}" if what else ""
    if kappa.pairs == 1:
        return f"Cohen's kappa{of} {kappa.value:.3f}  [{low:.3f}, {high:.3f}], {both:,} judged by both"
    return (
        f"Cohen's kappa{of} {kappa.value:.3f}  [{low:.3f}, {high:.3f}], the mean over {kappa.pairs:,} pairs of judges, "
        f"{both:,} judged by both of a pair"
    )


def _place(source: Any) -> Path:
    """Where a source lies."""
    return source.folder if isinstance(source, store.Dataset) else Path(source)


def _digest(drawn: Sequence[Row]) -> str:
    return hashlib.sha256(msgspec.json.encode(sorted(drawn))).hexdigest()
