"""An engine's store in memory: what the writer of an index asks of an engine."""

from __future__ import annotations

from collections.abc import Sequence

from anagnosis.searching.records.paper import Paper
from anagnosis.searching.records.passage import Passage

Stored = dict[str, tuple[list[Passage], str, Paper]]


class MemoryEngine:
    """Additions and deletions are visible after a commit."""

    def __init__(self) -> None:
        self.there: Stored = {}
        self.next: Stored = {}

    def add(self, passages: Sequence[Passage], mark: str, paper: Paper) -> None:
        (name,) = {passage.document for passage in passages}
        assert name not in self.next
        assert [passage.number for passage in passages] == list(range(len(passages)))
        self.next[name] = list(passages), mark, paper

    def delete(self, document: str) -> None:
        self.next.pop(document, None)

    def commit(self) -> None:
        self.there = dict(self.next)

    def mark(self, document: str) -> str | None:
        return self.there[document][1] if document in self.there else None

    def document(self, document: str) -> list[Passage]:
        return self.there[document][0] if document in self.there else []

    def papers(self, documents: Sequence[str]) -> list[Paper | None]:
        return [self.there[one][2] if one in self.there else None for one in documents]

    def with_alias(self, aliases: Sequence[str]) -> list[str]:
        return [name for name, (_, _, paper) in self.there.items() if set(aliases) & set(paper.aliases)]
