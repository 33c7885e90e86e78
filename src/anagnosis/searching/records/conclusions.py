"""The records of what papers conclude about a yes/no question: concluding sentences, and kinds of papers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from anagnosis.searching.records.passage import Evidence, Notice, Share


class PaperKind(msgspec.Struct, frozen=True):
    """The kind of a paper. name: of paper_kinds.KINDS, "" if unknown. by: what tells it."""

    name: str
    by: Literal["publication type", "title", "abstract", ""] = ""


class Conclusion(msgspec.Struct, frozen=True):
    """What a paper about the question concludes.

    evidence: its best concluding sentence; null if none shares a word with the question. covered: the share of the
    question's words in the paper, by their weight.
    """

    document: str
    title: str
    kind: PaperKind
    year: str
    covered: Share
    evidence: Evidence | None
    notices: Sequence[Notice] = ()


class Conclusions(msgspec.Struct, frozen=True):
    """What papers about a yes/no question conclude, the best match first.

    read: papers among the hits whose words were compared with the question.
    """

    papers: Sequence[Conclusion]
    read: Annotated[int, Meta(ge=0)]
