"""What a line may say of an expert's question: answers with places, and what a system returns for it.

    answers    {"text": "BRCA1", "score": 0.8, "snippet": 0, "begin": 12, "end": 17}, the best first
    documents  addresses, the best first
    snippets   {"document", "begin_section", "begin", "end_section", "end", "text"}, the best first
    concepts   addresses, the best first
    triples    {"s", "p", "o"}, the best first

`begin` and `end` are code points, end exclusive: of an answer in the text of the instance's snippet of that number, of
a snippet in its section.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec

from anagnosis.datasets.kinds.question import Snippet

MOST = 10_000  # answers, documents or snippets on a line: a hundred times what a submission may hold

_Place = Annotated[int, msgspec.Meta(ge=0)]


class Answer(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """One answer to a question. score: the higher the better; None where only the order says so.

    snippet: the index of a snippet of the instance that holds the answer. begin, end: where in its text.
    """

    text: str
    score: float | None = None
    snippet: _Place | None = None
    begin: _Place | None = None
    end: _Place | None = None

    def __post_init__(self) -> None:
        if (self.begin is None) != (self.end is None) or (self.begin is not None and self.snippet is None):
            raise ValueError("an answer's place is a snippet, begin and end")
        if self.begin is not None and self.end is not None and self.end < self.begin:
            raise ValueError("an answer ends before it begins")


class FoundSnippet(Snippet, frozen=True, gc=False, forbid_unknown_fields=True):
    """A snippet that a system returns; the fields are those of a question's snippet."""


def too_many(name: str, entries: Sequence[object] | None) -> str | None:
    """What is wrong with the length of a list on a line, in words; None for nothing."""
    return (
        f"{len(entries):,} {name}, more than {MOST:,}"
        if entries is not None and len(entries) > MOST
        else None
    )
