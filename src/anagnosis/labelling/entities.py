"""Right or wrong for the entities of papers, by one person or several (CliCR, section 3: 250 entities, 89 % right).

    SHEETS/judge-1.csv   SHEETS/judge-2.csv   the same entities on sheets; the second may stay empty
    SHEETS/NAME.html                          or a page for each person

    id,context,entity,type,concept,name,judgement
    30000001:55-62,"… cases of [[measles]] in …",measles,Disease,MESH:D008457,Measles,

An entity is drawn by a hash of the seed and its id: document, and offsets in characters of its text. Two mentions at
the same place are one.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from anagnosis.datasets import sheets as sheet_files
from anagnosis.datasets.sampling import rank
from anagnosis.documents.document import Document, Mention
from anagnosis.documents.reading import documents, inputs
from anagnosis.documents.repairs import Repairs, nothing_read
from anagnosis.errors import InputError
from anagnosis.evaluation.intervals import Estimate, estimate
from anagnosis.evaluation.kappa import Kappa
from anagnosis.io import outputs
from anagnosis.io.folders import kind_of, with_article
from anagnosis.io.paths import PathLike
from anagnosis.labelling import Draw, Summary, judging
from anagnosis.labelling.drawn import Drawn
from anagnosis.labelling.judging import Row
from anagnosis.labelling.new_sheets import write_new
from anagnosis.labelling.people import Person
from anagnosis.labelling.study import TIME, Choice, Field, Piece, Question, Study

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
KIND = "entities"
COLLECTED = "anagnosis label {source} --kind entities --sheets {sheets}"
"""What says what people's lines come to."""
_ASKED = "Is the marked text an entity, with the right boundaries?"
INSTRUCTIONS = (
    f"Is what stands in [[ ]] an entity, with the right boundaries? Write into the column {COLUMN}:",
    *(f"{name}: {meaning}" for name, meaning in JUDGEMENTS.items()),
)


@dataclass(frozen=True, slots=True)
class Judge:
    """The judgements of one judge. name: of the sheet, or of the person. judged: entities with a judgement.

    shares: judgement → its share of these, with an interval by document; empty where nothing is judged.
    """

    name: str
    judged: int
    shares: dict[str, Estimate] = field(default_factory=dict[str, Estimate])


@dataclass(frozen=True, slots=True)
class JudgedEntities:
    """What the judges say. drawn: entities that each was given. kappa: over the entities that both of a pair judged,
    the mean over the pairs; None where there is none."""

    drawn: int
    judges: tuple[Judge, ...] = ()
    kappa: Kappa | None = None


class _Entity(NamedTuple):
    """row: of a sheet, without the judgement. context: the text around it, as a page shows it."""

    row: Row
    context: tuple[Piece, ...]


def draw(source: PathLike, sheets: Path, how: Draw) -> JudgedEntities:
    """Write two sheets, or a page for each person, with the same entities of the papers, in the order of the draw."""
    judging.refuse_options(KIND, how, "--split", "--view")
    count = how.demand_count()
    outputs.output_folder(sheets, inputs=(source,))
    drawn: list[tuple[int, str]] = []  # a heap, the entity that gives way first on top
    found: dict[str, _Entity] = {}
    for document, mention in _mentions(source):
        ident = _id(document.id, mention)
        if ident in found:
            continue
        entry = (-int.from_bytes(rank(how.seed, ident), "big"), ident)
        if len(drawn) < count:
            heapq.heappush(drawn, entry)
        elif entry > drawn[0]:
            del found[heapq.heapreplace(drawn, entry)[1]]
        else:
            continue
        found[ident] = _entity(document, mention)
    if len(drawn) < count:
        what = f"{count:,} entities are asked for, the papers have {len(drawn):,}"
        raise InputError(what, str(source), "draw fewer" if drawn else "annotate the papers first")
    ordered = [found[ident] for _, ident in sorted(drawn, reverse=True)]
    rows = [each.row for each in ordered]
    if how.people:
        record = judging.record_of(KIND, rows, how)
        judging.write_pages(sheets, record, _study(ordered, record))
    else:
        made = sheet_files.sheet(INSTRUCTIONS, HEADER, [(*row, "") for row in rows])
        write_new(sheets, dict.fromkeys(SHEETS, made))
    return JudgedEntities(len(ordered))


def studies(source: PathLike, drawn: Drawn, sheets: Path) -> dict[Person, Study]:
    """The study of a draw, the same for everybody."""
    del sheets
    wanted, found = set(drawn.ids), dict[str, _Entity]()
    for document, mention in _mentions(source):
        ident = _id(document.id, mention)
        if ident in wanted and ident not in found:
            found[ident] = _entity(document, mention)
    ordered = [found[ident] for ident in drawn.ids if ident in found]
    judging.refuse_other_things([each.row for each in ordered], drawn, source)
    return dict.fromkeys(drawn.people, _study(ordered, drawn))


def read(source: PathLike, sheets: Path, out: PathLike | None, *, replace: bool = False) -> JudgedEntities:
    """The shares of each judgement, and the kappa of the judges."""
    del replace
    if out is not None:
        raise InputError("judgements of entities make no dataset", "--out", "leave it out, or take --json")
    given = {
        name: {ident: sheet_files.label(row, tuple(JUDGEMENTS), COLUMN) for ident, row in rows.items()}
        for name, rows in judging.judgements(KIND, source, sheets, SHEETS, (COLUMN,)).items()
    }
    first, *others = given.values()
    for other in others:
        if first.keys() != other.keys():
            odd = next(iter(first.keys() ^ other.keys()))
            what = f"the two sheets hold different entities ({odd})"
            raise InputError(what, str(sheets), "draw them together")
    _refuse_other(source, first, sheets)
    judges = tuple(_judge(name, labels) for name, labels in given.items())
    return JudgedEntities(len(first), judges, judging.kappa_of([*given.values()], tuple(JUDGEMENTS)))


def summary(record: JudgedEntities, source: PathLike, sheets: PathLike, out: PathLike | None) -> Summary:
    """The share of right entities and of each kind of error, by judge."""
    lines = [f"{record.drawn:,} entities"]
    for judge in record.judges:
        if not judge.judged:
            continue
        lines.append(f"{judge.name}: {judge.judged:,} judged")
        for name, share in judge.shares.items():
            low, high = share.interval.low, share.interval.high
            lines.append(f"  {name.ljust(12)} {share.value:6.1%}  [{low:.1%}, {high:.1%}]")
    if record.kappa is not None:
        lines.append(judging.kappa_line(record.kappa))
    judged = {judge.name: judge.judged for judge in record.judges}
    return Summary(tuple(lines), judging.left_of(judged, record.drawn))


def _study(drawn: Sequence[_Entity], record: Drawn) -> Study:
    choices = tuple(Choice(name, meaning=meaning) for name, meaning in JUDGEMENTS.items())
    return Study(
        kind=KIND,
        title=f"Is it an entity? {len(drawn):,} entities",
        instructions=(_ASKED, TIME),
        questions=tuple(map(_question, drawn)),
        fields=(Field(COLUMN, "Your judgement", choices),),
        constants={"dataset": record.dataset},
        idle=record.idle,
    )


def _question(each: _Entity) -> Question:
    about = zip(("Type:", "Concept:", "Name:"), each.row[3:], strict=True)
    known = tuple((heading, text) for heading, text in about if text)
    return Question(each.row[0], (each.context,), (Piece(_ASKED),), known=known)


def _papers(source: PathLike) -> Iterator[Document]:
    if kind := kind_of(Path(source)):
        what = f"it is {with_article(kind)}, but people judge the entities of papers"
        raise InputError(what, str(source), "name the file that `anagnosis annotate` wrote")
    repairs, papers = Repairs(), 0
    for _, path in inputs([source], repairs):
        for document in documents(path, repairs, full_text=True):
            papers += 1
            yield document
    if not papers:
        raise nothing_read(repairs)


def _id(document: str, mention: Mention) -> str:
    return f"{document}:{','.join(f'{start}-{end}' for start, end in mention.spans)}"


def _mentions(source: PathLike) -> Iterator[tuple[Document, Mention]]:
    for document in _papers(source):
        for mention in document.mentions:
            yield document, mention


def _entity(document: Document, mention: Mention) -> _Entity:
    pieces = _context(document.text, mention)
    marked = "".join(f"[[{piece.text}]]" if piece.marked else piece.text for piece in pieces)
    context = " ".join(marked.split())
    concept = (mention.type, mention.identifier, mention.name)
    return _Entity((_id(document.id, mention), context, mention.text, *concept), pieces)


def _context(text: str, mention: Mention) -> tuple[Piece, ...]:
    """The text around a mention, each of its parts marked; cut at words."""
    start, end = max(0, mention.start - AROUND), min(len(text), mention.end + AROUND)
    pieces, done = [Piece("…")] if start else [], start
    if start and (blank := text.find(" ", start, mention.start)) >= 0:
        done = blank
    for first, last in mention.spans:
        pieces += [Piece(text[done:first]), Piece(text[first:last], marked=True)]
        done = last
    if end < len(text) and (blank := text.rfind(" ", mention.end, end)) >= 0:
        end = blank
    pieces.append(Piece(f"{text[done:end]} …" if end < len(text) else text[done:end]))
    return tuple(piece for piece in pieces if piece.text)


def _judge(name: str, given: Mapping[str, str]) -> Judge:
    judged = {ident: judgement for ident, judgement in given.items() if judgement}
    if not judged:
        return Judge(name, 0)
    papers = np.unique([ident.rpartition(":")[0] for ident in judged], return_inverse=True)[1]
    marks = np.array(list(judged.values()))
    shares = {each: estimate((marks == each).astype(np.float64), papers) for each in JUDGEMENTS}
    return Judge(name, len(judged), shares)


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
