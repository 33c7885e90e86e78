"""The counts of words: within one answer each word is asked once, whatever asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
from anagnosis.searching.engines.one_answer import one_answer

from anagnosis.searching.engines.opensearch.engine import OpenSearchEngine
from anagnosis.searching.engines.opensearch.replies import Shards

T = TypeVar("T")


class TwoShards:
    """A cluster of two shards, in each of which a word has as many passages as it has letters.

    asked: the words of each count, and "shards" where it is asked which are there.
    """

    alias = "/papers"

    def __init__(self) -> None:
        self.asked = list[list[str] | str]()

    def whole(self, shards: Shards) -> None:
        assert shards == Shards(2, 2)

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        of: type[T] = dict[str, Any],
        parameters: Mapping[str, str] | None = None,
    ) -> T:
        if path == f"{self.alias}/_search_shards":
            every = [[{"index": "papers-1", "shard": number}] for number in range(2)]
            if parameters:
                return msgspec.convert({"shards": [every[int(parameters["routing"])]]}, of)
            self.asked.append("shards")
            return msgspec.convert({"shards": every}, of)
        assert [one["routing"] for one in body["docs"]] == ["0", "1"]
        words = body["docs"][0]["doc"]["content"].split()
        self.asked.append(words)
        terms = {word: {"doc_freq": len(word)} for word in (*words, "another")}
        return msgspec.convert({"docs": [{"term_vectors": {"content": {"terms": terms}}}] * 2}, of)


def test_words_are_counted_once_within_an_answer() -> None:
    cluster = TwoShards()
    engine = OpenSearchEngine(cluster)  # pyright: ignore[reportArgumentType]
    with one_answer(False):
        assert engine.frequency(["tea", "salt"]) == [6, 8]
        assert engine.frequency(["salt", "tea", "salt"]) == [8, 6, 8]
        assert engine.frequency(["milks", "tea"]) == [10, 6]
        assert cluster.asked == ["shards", ["tea", "salt"], ["milks"]]
        assert engine.frequency(["another"]) == [14], "what a node says of other words counts for nothing"
    cluster.asked.clear()
    with one_answer(False):
        assert engine.frequency(["tea"]) == [6]
    assert engine.frequency(["tea"]) == engine.frequency(["tea"]) == [6]
    assert cluster.asked == ["shards", ["tea"]] * 3
