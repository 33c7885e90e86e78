"""Right or wrong for the entities of papers, by one person or several (CliCR, section 3: 250 entities, 89 % right).

    id,context,entity,type,concept,name,judgement
    30000001:55-62,"… cases of [[measles]] in …",measles,Disease,MESH:D008457,Measles,

The id of an entity is its document, and offsets in characters of its text. Two mentions at the same place are one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import ClassVar

import numpy as np

from anagnosis.documents.document import Document, Mention
from anagnosis.documents.reading import documents, inputs
from anagnosis.documents.repairs import Repairs, nothing_read
from anagnosis.errors import InputError
from anagnosis.evaluation.intervals import estimate
from anagnosis.io.folders import kind_of, with_article
from anagnosis.io.paths import PathLike
from anagnosis.labelling.judging import Judge, Judgements, Judging, Thing
from anagnosis.labelling.study import TIME, Choice, Field, Piece, Question

COLUMN = "judgement"
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
_ASKED = "Is the marked text an entity, with the right boundaries?"


class Entities(Judging):
    """Entities of papers. A share has an interval by document."""

    KIND, THINGS, SOURCE, HAS = "entities", "entities", "these papers", "have"
    NONE = "annotate the papers first"
    DRAWN = "{drawn:,} entities drawn; give judge-1.csv to one person and judge-2.csv to another, or leave it empty"
    SHEETS = ("judge-1.csv", "judge-2.csv")
    HEADER = ("id", "context", "entity", "type", "concept", "name", COLUMN)
    LABELS: ClassVar[Mapping[str, tuple[str, ...]]] = {COLUMN: tuple(JUDGEMENTS)}
    IN_A_SHEET = (
        f"Is what stands in [[ ]] an entity, with the right boundaries? Write into the column {COLUMN}:",
        *(f"{name}: {meaning}" for name, meaning in JUDGEMENTS.items()),
    )
    ON_A_PAGE = (_ASKED, TIME)
    TITLE = "Is it an entity? {drawn:,} entities"
    FIELDS = (
        Field(
            COLUMN, "Your judgement", tuple(Choice(name, meaning=said) for name, said in JUDGEMENTS.items())
        ),
    )

    def things(self, source: PathLike, split: str | None) -> Iterator[tuple[str, Callable[[], Thing]]]:
        """The mentions of the papers."""
        del split
        if kind := kind_of(Path(source)):
            what = f"it is {with_article(kind)}, but people judge the entities of papers"
            raise InputError(what, str(source), "name the file that `anagnosis annotate` wrote")
        repairs, papers = Repairs(), 0
        for _, path in inputs([source], repairs):
            for document in documents(path, repairs, full_text=True):
                papers += 1
                for mention in document.mentions:
                    places = ",".join(f"{start}-{end}" for start, end in mention.spans)
                    ident = f"{document.id}:{places}"
                    yield ident, partial(_thing, ident, document, mention)
        if not papers:
            raise nothing_read(repairs)

    def judge(self, name: str, given: Judgements, things: Mapping[str, Thing]) -> Judge:
        """The share of each judgement."""
        papers = np.unique([ident.rpartition(":")[0] for ident in given], return_inverse=True)[1]
        marks = np.array([each[COLUMN] for each in given.values()])
        shares = {each: estimate((marks == each).astype(np.float64), papers) for each in JUDGEMENTS}
        return Judge(name, shares=shares)


ENTITIES = Entities()


def _thing(ident: str, document: Document, mention: Mention) -> Thing:
    pieces = _context(document.text, mention)
    marked = "".join(f"[[{piece.text}]]" if piece.marked else piece.text for piece in pieces)
    concept = (mention.type, mention.identifier, mention.name)
    about = zip(("Type:", "Concept:", "Name:"), concept, strict=True)
    known = tuple((heading, text) for heading, text in about if text)
    row = (ident, " ".join(marked.split()), mention.text, *concept)
    return Thing(row, Question(ident, (pieces,), (Piece(_ASKED),), known=known))


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
