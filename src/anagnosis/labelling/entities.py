"""Right or wrong for the entities of papers, by one person or two (CliCR, section 3: 250 entities, 89 % right).

    SHEETS/judge-1.csv   SHEETS/judge-2.csv   the same entities; the second may stay empty

    id,context,entity,type,concept,name,judgement
    30000001:55-62,"… cases of [[measles]] in …",measles,Disease,MESH:D008457,Measles,

An entity is drawn by a hash of the seed and its id: document, and offsets in characters of its text. Two mentions at
the same place are one.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from anagnosis import outputs
from anagnosis.datasets import sheets as sheet_files
from anagnosis.datasets.sampling import rank
from anagnosis.documents.document import Document, Mention
from anagnosis.documents.reading import documents, inputs
from anagnosis.documents.repairs import Repairs, nothing_read
from anagnosis.errors import InputError
from anagnosis.evaluation.intervals import Estimate, estimate
from anagnosis.evaluation.kappa import Kappa, mean_kappa
from anagnosis.folders import kind_of, with_article
from anagnosis.labelling import OF_PAGES, Draw, Summary
from anagnosis.labelling.new_sheets import write_new
from anagnosis.paths import PathLike

DRAWN = (
    "{drawn:,} entities drawn; give judge-1.csv to one person and judge-2.csv to another, or leave it empty"
)
SHEETS = ("judge-1.csv", "judge-2.csv")
COLUMN = "judgement"
HEADER = ("id", "context", "entity", "type", "concept", "name", COLUMN)
AROUND = 120  # characters of text shown on either side
RIGHT = "right"
# The paper's kinds of error, and one for the others; what the judge reads about each.
JUDGEMENTS = {
    RIGHT: "its boundaries are right and it is a true entity",
    "coordinated": "two coordinated entities are marked as one",
    "verb": "a verb is included",
    "pre-modifier": "a pre-modifier is missing",
    "other": "anything else is wrong, such as no entity at all",
}
INSTRUCTIONS = (
    f"Is what stands in [[ ]] an entity, with the right boundaries? Write into the column {COLUMN}:",
    *(f"{name}: {meaning}" for name, meaning in JUDGEMENTS.items()),
)


@dataclass(frozen=True, slots=True)
class Judge:
    """The judgements of one sheet. judged: entities with a judgement. shares: judgement → its share of these, with an
    interval by document; empty where nothing is judged."""

    sheet: str
    judged: int
    shares: dict[str, Estimate] = field(default_factory=dict[str, Estimate])


@dataclass(frozen=True, slots=True)
class JudgedEntities:
    """What the sheets say. drawn: entities on them. kappa: of both judges, over the entities that both judged; None
    where there is none."""

    drawn: int
    judges: tuple[Judge, ...] = ()
    kappa: Kappa | None = None


def draw(source: PathLike, sheets: Path, how: Draw) -> JudgedEntities:
    """Write two sheets with the same entities of the papers, in the order of the draw."""
    how.refuse("entities", "--split", "--view", *OF_PAGES)
    count = how.demand_count()
    outputs.output_folder(sheets, inputs=(source,))
    drawn: list[tuple[int, str]] = []  # a heap, the entity that gives way first on top
    rows: dict[str, tuple[str, ...]] = {}
    for document in _papers(source):
        text = document.text
        for mention in document.mentions:
            ident = _id(document.id, mention)
            if ident in rows:
                continue
            entry = (-int.from_bytes(rank(how.seed, ident), "big"), ident)
            if len(drawn) < count:
                heapq.heappush(drawn, entry)
            elif entry > drawn[0]:
                del rows[heapq.heapreplace(drawn, entry)[1]]
            else:
                continue
            rows[ident] = (
                ident,
                _context(text, mention),
                mention.text,
                mention.type,
                mention.identifier,
                mention.name,
                "",
            )
    if len(drawn) < count:
        what = f"{count:,} entities are asked for, the papers have {len(drawn):,}"
        raise InputError(what, str(source), "draw fewer" if drawn else "annotate the papers first")
    ordered = [rows[ident] for _, ident in sorted(drawn, reverse=True)]
    made = sheet_files.sheet(INSTRUCTIONS, HEADER, ordered)
    write_new(sheets, dict.fromkeys(SHEETS, made))
    return JudgedEntities(len(ordered))


def read(source: PathLike, sheets: Path, out: PathLike | None, *, replace: bool = False) -> JudgedEntities:
    """The shares of each judgement, and the kappa of both judges."""
    del replace
    if out is not None:
        raise InputError("judgements of entities make no dataset", "--out", "leave it out, or take --json")
    first, second = (sheet_files.labels(sheets / name, tuple(JUDGEMENTS), COLUMN) for name in SHEETS)
    if first.keys() != second.keys():
        odd = next(iter(first.keys() ^ second.keys()))
        raise InputError(f"the two sheets hold different entities ({odd})", str(sheets), "draw them together")
    _refuse_other(source, first, sheets)
    judges = tuple(_judge(name, given) for name, given in zip(SHEETS, (first, second), strict=True))
    return JudgedEntities(len(first), judges, _kappa(first, second))


def summary(record: JudgedEntities, source: PathLike, sheets: PathLike, out: PathLike | None) -> Summary:
    """The share of right entities and of each kind of error, by judge."""
    lines = [f"{record.drawn:,} entities"]
    for judge in record.judges:
        if not judge.judged:
            continue
        lines.append(f"{judge.sheet}: {judge.judged:,} judged")
        for name, share in judge.shares.items():
            low, high = share.interval.low, share.interval.high
            lines.append(f"  {name.ljust(12)} {share.value:6.1%}  [{low:.1%}, {high:.1%}]")
    if record.kappa is not None:
        low, high = record.kappa.analytic.low, record.kappa.analytic.high
        both = round(record.kappa.instances)
        lines.append(
            f"Cohen's kappa {record.kappa.value:.3f}  [{low:.3f}, {high:.3f}], {both:,} judged by both"
        )
    left = {
        judge.sheet: record.drawn - judge.judged for judge in record.judges if judge.judged < record.drawn
    }
    return Summary(tuple(lines), {"not judged": left} if left else {})


def _papers(source: PathLike) -> Iterator[Document]:
    if kind := kind_of(Path(source)):
        what = f"it is {with_article(kind)}, but people judge the entities of papers"
        raise InputError(what, str(source), "name the file that `anagnosis annotate` wrote")
    repairs, papers = Repairs(), 0
    for _, path in inputs([source]):
        for document in documents(path, repairs, full_text=True):
            papers += 1
            yield document
    if not papers:
        raise nothing_read(repairs)


def _id(document: str, mention: Mention) -> str:
    return f"{document}:{','.join(f'{start}-{end}' for start, end in mention.spans)}"


def _context(text: str, mention: Mention) -> str:
    """The text around a mention on one line, each of its parts in [[ ]]; cut at words."""
    start, end = max(0, mention.start - AROUND), min(len(text), mention.end + AROUND)
    parts, done = ["…"] if start else [], start
    if start and (blank := text.find(" ", start, mention.start)) >= 0:
        done = blank
    for first, last in mention.spans:
        parts += [text[done:first], f"[[{text[first:last]}]]"]
        done = last
    if end < len(text) and (blank := text.rfind(" ", mention.end, end)) >= 0:
        end = blank
    parts += [text[done:end], " …"] if end < len(text) else [text[done:end]]
    return " ".join("".join(parts).split())


def _judge(sheet: str, given: Mapping[str, str]) -> Judge:
    judged = {ident: judgement for ident, judgement in given.items() if judgement}
    if not judged:
        return Judge(sheet, 0)
    papers = np.unique([ident.rpartition(":")[0] for ident in judged], return_inverse=True)[1]
    marks = np.array(list(judged.values()))
    shares = {name: estimate((marks == name).astype(np.float64), papers) for name in JUDGEMENTS}
    return Judge(sheet, len(judged), shares)


def _kappa(first: Mapping[str, str], second: Mapping[str, str]) -> Kappa | None:
    places = list(JUDGEMENTS)
    both = [
        (places.index(one), places.index(second[ident]))
        for ident, one in first.items()
        if one and second[ident]
    ]
    if not both:
        return None
    ours, theirs = np.array(both, np.int64).T
    return mean_kappa([ours, theirs], "left out", seed=0)


def _refuse_other(source: PathLike, drawn: Iterable[str], sheets: Path) -> None:
    """Refuse papers that do not hold the entities of the sheets, as after another annotation."""
    missing = set(drawn)
    if not missing:
        raise InputError("the sheets hold no entities", str(sheets), "draw them with --draw")
    for document in _papers(source):
        missing.difference_update(_id(document.id, mention) for mention in document.mentions)
        if not missing:
            return
    what = f"{len(missing):,} entities of the sheets are not in these papers ({min(missing)})"
    raise InputError(what, str(sheets), "name the papers that they were drawn from")
