"""Names of journals, types and authors as papers print them, for the folded names of the index."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from anagnosis.searching.engines.embedded.entries import Entries, key
from anagnosis.searching.engines.embedded.queries import Queries
from anagnosis.searching.near_names import nearest
from anagnosis.searching.queries import tree
from anagnosis.searching.queries.names import author_keys, folded
from anagnosis.searching.records.paper import NO_FACTS, Paper
from anagnosis.searching.records.passage import Passage

if TYPE_CHECKING:
    from tantivy import DocAddress, Searcher

_COMPARED = 20_000  # names to compare, those of most passages first
# field → the names in a passage and its paper
_IN: dict[str, Callable[[Passage, Paper], list[str]]] = {
    tree.JOURNAL: lambda passage, paper: [passage.journal],
    tree.TYPE: lambda passage, paper: passage.types,
    tree.AUTHOR: lambda passage, paper: [*paper.authors],
    tree.MESH: lambda passage, paper: [*paper.mesh],
    tree.KEYWORD: lambda passage, paper: [*paper.keywords],
}
_OF_PAPER = (tree.AUTHOR, tree.MESH, tree.KEYWORD)


class PrintedNames:
    """The printed names of one commit."""

    def __init__(self, searcher: Searcher, queries: Queries, entries: Entries) -> None:
        self._searcher, self._queries, self._entries = searcher, queries, entries
        self._names: dict[tuple[str, str], str] = {}
        self._types: dict[int, tuple[str, ...]] = {}
        self._journals: dict[int, str] = {}

    def __call__(self, field: str, name: str) -> str:
        """A folded name as printed, "" if no passage has it. Of several forms the paper with the highest key has it."""
        if (field, name) not in self._names:
            query, printed = self._queries.term(field, name), ""
            for _, place in self._searcher.search(query, 1, count=False, order_by_field="paper").hits:
                printed = next((one for one in self._at(place, field) if name in self._keys(field, one)), "")
            self._names[field, name] = printed
        return self._names[field, name]

    def alike(self, field: str, name: str, limit: int) -> list[str]:
        """The name as printed if the field has it, else similar names."""
        wanted = folded(name)
        names = [wanted]
        if not wanted or not self._searcher.doc_freq(field, wanted):
            every = self._searcher.terms_with_prefix(field, "", limit=_COMPARED)
            names = nearest(wanted, (one for one, _ in every), limit)
        return [printed for one in names if (printed := self(field, one))]

    def beginning_with(self, field: str, prefix: str, limit: int) -> list[str]:
        """The names that begin so, those of most passages first."""
        beginning = folded(prefix)
        if limit < 1 or not beginning:
            return []
        # An author has two keys at most.
        names = self._searcher.terms_with_prefix(field, beginning, limit=2 * limit)
        printed = dict.fromkeys(self(field, name) for name, _ in names)
        return [one for one in printed if one][:limit]

    def types_at(self, key: int, place: DocAddress) -> tuple[str, ...]:
        """The folded types with a key. place: of a passage that has them."""
        if key not in self._types:
            passage = self._entries.read(self._searcher, [place])[0].passage
            self._types[key] = tuple(map(folded, passage.types))
        return self._types[key]

    def journals(self) -> dict[int, str]:
        """Key (entries.key) → folded name of every journal."""
        if not self._journals:
            names = self._searcher.terms_with_prefix(tree.JOURNAL, "")
            self._journals = {key(name): name for name, _ in names}
        return self._journals

    def _at(self, place: DocAddress, field: str) -> list[str]:
        entry = self._entries.read(self._searcher, [place])[0]
        if field in _OF_PAPER and entry.paper is None:
            first = self._queries.first_with("document", [entry.passage.document])
            places = [at for _, at in self._searcher.search(first, 1, count=False).hits]
            entry = (self._entries.read(self._searcher, places) or [entry])[0]
        return _IN[field](entry.passage, entry.paper or NO_FACTS)

    def _keys(self, field: str, name: str) -> tuple[str, ...]:
        return author_keys(name) if field == tree.AUTHOR else (folded(name),)
