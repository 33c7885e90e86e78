"""The counts of words: within one answer each word is asked once, whatever asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from anagnosis.searching.engines.one_answer import one_answer
from anagnosis.searching.engines.opensearch.engine import OpenSearchEngine
from anagnosis.searching.engines.opensearch.replies import Shards

T = TypeVar("T")
ENTRIES = 9


class OneShard:
    """A cluster with ENTRIES passages, of which each word has as many as it has letters. asked: words, each time."""

    alias = "/papers"

    def __init__(self) -> None:
        self.asked = list[list[str]]()

    def whole(self, shards: Shards) -> None:
        assert shards == Shards(1, 1)

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        of: type[T] = dict[str, Any],
        parameters: Mapping[str, str] | None = None,
    ) -> T:
        if path == f"{self.alias}/_search_shards":
            return msgspec.convert({"shards": [[{"index": "papers-1", "shard": 0}]]}, of)
        (words,) = [one["doc"]["content"].split() for one in body["docs"]]
        self.asked.append(words)
        terms = {word: {"doc_freq": len(word)} for word in (*words, "another")}
        content = {"field_statistics": {"doc_count": ENTRIES}, "terms": terms}
        return msgspec.convert({"docs": [{"term_vectors": {"content": content}}]}, of)


def test_words_are_counted_once_within_an_answer() -> None:
    cluster = OneShard()
    engine = OpenSearchEngine(cluster)  # pyright: ignore[reportArgumentType]
    with one_answer(False):
        assert engine.frequency(["tea", "salt"]) == [3, 4]
        assert engine.frequency(["salt", "tea", "salt"]) == [4, 3, 4]
        assert engine.frequency(["milks", "tea"]) == [5, 3]
        assert cluster.asked == [["tea", "salt"], ["milks"]]
        assert engine.frequency(["another"]) == [7], "what a node says of other words counts for nothing"
    with one_answer(False):
        assert engine.frequency(["tea"]) == [3]
    assert engine.frequency(["tea"]) == engine.frequency(["tea"]) == [3]
    assert cluster.asked[2:] == [["another"], ["tea"], ["tea"], ["tea"]]
