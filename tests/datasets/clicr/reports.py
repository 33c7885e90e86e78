"""Case reports as tests write them: sections of lines with marks, [[surface|type|identifier]]."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from tests.datasets.bioread.passages import sections

from anagnosis.datasets.build.inputs import Piece
from anagnosis.datasets.build.screening import Screening, judged
from anagnosis.datasets.clicr import build
from anagnosis.datasets.clicr.report import CliCRRecipe
from anagnosis.documents.document import Document

LINES: dict[str, Any] = {"sentences": "lines"}
"""A recipe's keys for one sentence a line."""

FEVER, CT = "[[fever|problem|C0015967]]", "[[CT scan|test|C0040405]]"
TITLE = ("title", "", ["Fever after surgery"])
CASE = ("body", "Case report", [f"A man had {FEVER}.", f"A {CT} was normal, and {FEVER} ended."])
POINTS = (
    "body",
    "Learning points",
    [f"Order a {CT} for {FEVER}.", "[[Antibiotics|treatment|C0003232]] help."],
)


def case_report(*parts: tuple[str, str, Sequence[str]], ident: str = "1", **facts: str) -> Document:
    """A document of sections: (label, heading, lines) each; by default one with learning points."""
    document = sections(*(parts or (TITLE, CASE, POINTS)), ident=ident)
    return msgspec.structs.replace(document, facts=facts)


def recipe(**settings: Any) -> CliCRRecipe:
    """A recipe for one sentence a line but for the keys given."""
    return msgspec.convert({**LINES, **settings}, CliCRRecipe)


def screened(*documents: Document, **settings: Any) -> Screening:
    """What the first phase of a build finds."""
    data = msgspec.msgpack.encode(documents)
    return judged([Piece(name="reports.jsonl", data=data)], build.BUILDER, recipe(**settings))
