"""Full texts as tests write them: sentences with marks, [[surface|type|identifier]], one a line.

Behind them instances of BioRead's text form.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from tests.corpus.marking import unmarked

from anagnosis import api
from anagnosis.datasets.bioread import build
from anagnosis.datasets.bioread.article import BioReadRecipe
from anagnosis.datasets.build.inputs import Piece
from anagnosis.datasets.build.screening import Screening, judged
from anagnosis.datasets.folder.store import Dataset
from anagnosis.documents.document import Document, Section
from anagnosis.documents.formats import jsonl

SHORT: dict[str, Any] = {"passage_sentences": 2, "minimum_question_tokens": 0, "minimum_candidates": 0}
"""A recipe's keys for windows of two sentences and one."""


def gene(number: int, surface: str = "") -> str:
    """A mark: `gene 7`, with an identifier of its own, or another surface."""
    return f"[[{surface or f'gene {number}'}|Gene|{number}]]"


def paper(*lines: str, ident: str = "1", label: str = "body", **facts: str) -> Document:
    """A document of one section, a sentence a line."""
    plain, mentions = unmarked("\n".join(lines))
    return Document(ident, (Section(label, plain),), tuple(mentions), facts=facts)


def sections(*parts: tuple[str, str, Sequence[str]], ident: str = "1") -> Document:
    """A document of several sections: (label, heading, lines) each."""
    found: list[Section] = []
    mentions: list[Any] = []
    start = 0
    for label, heading, lines in parts:
        begin = start + (len(heading) + 1 if heading else 0)
        plain, marked = unmarked("\n".join(lines), begin)
        mentions += marked
        found.append(Section(label, plain, heading))
        start = begin + len(plain) + 1
    return Document(ident, tuple(found), tuple(mentions))


def screened(*documents: Document, **recipe: Any) -> Screening:
    """What the first phase of a build finds, with windows of two sentences and one but for the keys given."""
    config = msgspec.convert({**SHORT, **recipe}, BioReadRecipe)
    piece = Piece(name="papers.jsonl", data=msgspec.msgpack.encode(documents))
    return judged([piece], build.BUILDER, config)


def built(folder: Path, *documents: Document, **recipe: Any) -> Dataset:
    """A dataset of the documents, with windows of two sentences and one but for the keys given."""
    folder.mkdir(exist_ok=True)
    (folder / "papers.jsonl").write_bytes(text(*documents))
    settings = {**SHORT, **recipe}
    return api.build("bioread", [folder / "papers.jsonl"], folder / "out", settings=settings, workers=1)


def text(*documents: Document) -> bytes:
    """The documents as JSON lines."""
    written = io.BytesIO()
    jsonl.write(documents, written)
    return written.getvalue()


SEGMENT, INSTANCE = "-" * 30, "=" * 30
CANDIDATES = ("@entity0:l-dopa", "@entity1:rats", "@entity2:dopamine: level")


def record(
    passage: str = "we gave @entity0 to @entity1 .\nthe @entity2 rose in @entity1 . ",
    question: str = "then XXXXXX slept beside @entity9 .",
    candidates: Sequence[str] = CANDIDATES,
    answer: str = "@entity1:rats",
) -> str:
    """One instance with its last separator; a candidate that the passage lacks is left out."""
    return f"\n{SEGMENT}\n".join((passage, question, "\n".join(candidates), answer)) + f"\n{INSTANCE}\n"


SECOND = record(
    "@entity0 and @entity1 are , both",
    "of XXXXXX , none",
    ("@entity1:p53", "@entity0:a cell"),
    "@entity0:a cell",
)
FILE = record() + SECOND
