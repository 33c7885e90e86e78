"""Articles as tests write them: running text with marks, [[surface|type|identifier]], made into PubTator text."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import msgspec

from anagnosis.datasets.biomrc import build
from anagnosis.datasets.biomrc.rules import BioMRCRecipe
from anagnosis.datasets.build.inputs import Piece
from anagnosis.datasets.build.screening import Screening, judged
from anagnosis.datasets.kinds.cloze_columns import instances
from anagnosis.datasets.kinds.cloze_instance import ClozeInstance
from anagnosis.documents.document import Document, Section
from anagnosis.documents.formats import pubtator
from tests.corpus.marking import unmarked

TITLE = "[[drug 1|Chemical|MESH:D1]] in a trial of ten weeks"
# Its answer shares the top with drug 2, so that the most-frequent rule keeps the instance.
MENTIONED = (1, 2, 2, 1, 3)


def drug(number: int) -> str:
    """A mark: `drug 7`, a chemical with an identifier of its own."""
    return f"[[drug {number}|Chemical|MESH:D{number}]]"


def abstract(mentioned: Sequence[int | str] = MENTIONED, sentences: int = 10) -> str:
    """That many sentences, the mentions one after the other in them (a number is a drug's, a text is a mark)."""
    marks = [drug(m) if isinstance(m, int) else m for m in mentioned]
    each = [marks[at::sentences] for at in range(sentences)]
    return " ".join(f"We gave {' and '.join(group) or 'nothing'} to them today." for group in each)


def article(title: str = TITLE, body: str | None = None, ident: str = "1") -> Document:
    """A document of marked title and abstract; by default one that every rule lets pass."""
    plain_title, in_title = unmarked(title)
    plain_body, in_body = unmarked(abstract() if body is None else body, len(plain_title) + 1)
    sections = (Section("title", plain_title), Section("abstract", plain_body))
    return Document(ident, sections, (*in_title, *in_body))


def text(*articles: Document) -> bytes:
    """The articles as PubTator text."""
    written = io.BytesIO()
    pubtator.write(articles, written)
    return written.getvalue()


def screened(*articles: Document, **recipe: Any) -> Screening:
    """What the first phase of a build finds, by the paper's recipe but for the keys given."""
    config = msgspec.convert(recipe, BioMRCRecipe)
    piece = Piece(name="corpus.pubtator", format="pubtator", data=text(*articles))
    return judged([piece], build.BUILDER, config)


def questions(screening: Screening) -> list[ClozeInstance]:
    """The instances that a screening gathered."""
    return list(instances(screening.columns.table()))
