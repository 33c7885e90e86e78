"""An engine's store in memory: what the writer of an index asks of an engine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from anagnosis.searching.engines import Marked, PassageKey
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

    def marks(
        self, documents: Iterable[str] | None = None, *, aliases: Sequence[str] = ()
    ) -> Iterator[Marked]:
        every = self.there if documents is None and not aliases else documents or ()
        with_alias = [name for name, (_, _, paper) in self.there.items() if set(aliases) & set(paper.aliases)]
        there = [one for one in (*every, *with_alias) if one in self.there]
        return iter([Marked(one, self.there[one][1], self.there[one][2].aliases) for one in there])

    def passages(self, places: Sequence[PassageKey]) -> list[Passage | None]:
        of = {document: self.there[document][0] for document, _ in places if document in self.there}
        return [next(iter(of.get(document, [])[number : number + 1]), None) for document, number in places]

    def papers(self, documents: Sequence[str]) -> list[Paper | None]:
        return [self.there[one][2] if one in self.there else None for one in documents]
