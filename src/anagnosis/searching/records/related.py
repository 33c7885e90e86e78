"""Papers related to a paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from anagnosis.searching.records.passage import Link, Notice
from anagnosis.showing import WithReport


class RelatedPaper(msgspec.Struct, frozen=True, kw_only=True):
    """A related paper. score: higher is better; scores by words and by vectors are not comparable."""

    document: str
    title: str
    date: str = ""
    journal: str = ""
    notices: Sequence[Notice] = ()
    links: Sequence[Link] = ()
    score: float


class RelatedAnswer(WithReport, msgspec.Struct, frozen=True, kw_only=True):
    """The papers related to a document, best first. by: what relates them, words or vectors."""

    record: Literal["relatedanswer"] = "relatedanswer"
    document: str
    title: str
    by: Literal["words", "vectors"]
    related: Sequence[RelatedPaper]

    def __repr__(self) -> str:
        return f"<RelatedAnswer {self.document!r}: {len(self.related)} papers>"
